import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import type { ClickHouseClient } from '#analytics/client.ts'
import { isVanishedPart, moment, query } from '#analytics/query.ts'
import { limits } from '#contract/agent.ts'
import { noPhases, type Outcome, outcomes, type Phases } from '#contract/check.ts'

/** One stored look, as it was judged when it came. */
export interface StoredLook {
  region: string
  due: number
  attempt: number
  at: number
  receivedAt: number
  outcome: Outcome | 'unknown'
  suspect: boolean
  phases: Phases
  /** What was seen, as it was stored; null when nothing was, when it is no longer kept, and when it was not asked for. */
  seen: string | null
}

export interface LooksOf {
  tenant: string
  monitor: string
  check: string
  regions: readonly string[]
  from: Date
  to: Date
}

/** Rows read at once: with what was seen they may be several times as long. */
const rowsAtOnce = { plain: 100_000, seen: 50_000 } as const
/** Longest stretch of work between two turns of the event loop. */
const sliceMs = 6
const sliceRows = 500

const asked = { tenant: z.uuid(), monitor: z.uuid(), check: z.uuid(), regions: z.array(z.string().max(40)).max(255) }
const Span = z
  .object({ ...asked, from: z.date(), to: z.date() })
  // a look is received within a day after it was due; its due time is what the table is ordered and cut by
  .transform(span => ({ ...span, due_from: new Date(span.from.getTime() - limits.pastMs), due_to: new Date(span.to.getTime() + limits.futureMs) }))

const where = `
      WHERE tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID} AND check_id = {check: UUID} AND region IN {regions: Array(String)}
        AND due >= {due_from: DateTime64(3)} AND due < {due_to: DateTime64(3)}
        AND received_at >= {from: DateTime64(3)} AND received_at < {to: DateTime64(3)}`

const rowsByHour = query({
  params: Span,
  row: z.object({ hour: moment, rows: z.int() }),
  sql: `SELECT toStartOfHour(received_at) AS hour, count() AS rows FROM check_results ${where} GROUP BY hour ORDER BY hour`,
})

/** How many rows there are to read, cut into spans of which each is read at once. */
export async function planLooks(
  clickhouse: ClickHouseClient,
  { from, to, ...of }: LooksOf,
  withSeen: boolean,
): Promise<{ rows: number; spans: [Date, Date][] }> {
  const most = withSeen ? rowsAtOnce.seen : rowsAtOnce.plain
  const spans: [Date, Date][] = []
  let [rows, inSpan, start] = [0, 0, from]
  for (const { hour, rows: found } of await rowsByHour(clickhouse, { ...of, regions: [...of.regions], from, to })) {
    if (inSpan > 0 && inSpan + found > most) {
      spans.push([start, hour])
      start = hour
      inSpan = 0
    }
    inSpan += found
    rows += found
  }
  if (rows > 0) spans.push([start, to])
  return { rows, spans }
}

/** More texts than this are read span by span, so that not all of them are held at once. */
const mostTexts = 60_000

/** What was seen is mostly the same: each text is read once, and named in the rows by a number. */
const nameOfSeen = `bitAnd(cityHash64(seen), ${2 ** 52 - 1})`

const seenTexts = query({
  params: Span,
  row: z.object({ name: z.int(), text: z.string() }),
  sql: `SELECT ${nameOfSeen} AS name, any(seen) AS text FROM check_results ${where} AND seen != '' GROUP BY name LIMIT ${mostTexts}`,
})

const phaseColumns = ['dns_ms', 'connect_ms', 'tls_ms', 'first_byte_ms', 'total_ms']

// `version` falls with every batch that arrives: its order is the order in which looks were decided on
const statement = (withSeen: boolean) => `
      SELECT toInt64(toUnixTimestamp64Milli(due)), toInt64(toUnixTimestamp64Milli(check_results.at)), toInt64(toUnixTimestamp64Milli(received_at)),
             toUInt16(attempt), toUInt8(indexOf({regions: Array(String)}, region)), toUInt8(CAST(outcome, 'Int8')), toUInt8(suspect)
             ${withSeen ? `, ${phaseColumns.map(name => `toFloat32(ifNull(${name}, -1))`).join(', ')}, toUInt64(${nameOfSeen})` : ''}
      FROM check_results FINAL ${where}
      ORDER BY version DESC, check_results.at, due, attempt, region
      FORMAT RowBinary`

/** Looks in the order in which they were decided on. `spans`: as planned. */
export async function* storedLooks(clickhouse: ClickHouseClient, of: LooksOf, spans: readonly [Date, Date][], withSeen: boolean): AsyncGenerator<StoredLook[]> {
  const textsIn = async (from: Date, to: Date) =>
    new Map((await seenTexts(clickhouse, { ...of, regions: [...of.regions], from, to })).map(({ name, text }) => [name, text]))
  const all = withSeen ? await textsIn(of.from, of.to) : new Map<number, string>()
  const ask = async ([from, to]: [Date, Date]) => {
    const params = Span.parse({ ...of, from, to })
    const read = async () => buffer((await clickhouse.exec({ query: statement(withSeen), query_params: params })).stream)
    const rows = read().catch(error => (isVanishedPart(error) ? read() : Promise.reject(error)))
    rows.catch(() => undefined)
    const texts = all.size < mostTexts ? all : await textsIn(from, to)
    return { bytes: await rows, texts }
  }
  const [first, ...others] = spans
  let next = first && ask(first)
  for (const span of [...others, undefined]) {
    const read = await next
    if (!read) return
    // the next span is under way while this one is gone through
    next = span && ask(span)
    next?.catch(() => undefined)
    yield* rowsIn(new RowReader(read.bytes, of.regions, withSeen ? read.texts : null))
  }
}

/** A few at a time, with a turn for others in between. */
async function* rowsIn(reader: RowReader): AsyncGenerator<StoredLook[]> {
  let began = performance.now()
  while (!reader.isAtEnd) {
    yield reader.read(sliceRows)
    if (performance.now() - began < sliceMs) continue
    await turn()
    began = performance.now()
  }
}

const named = [...outcomes, 'unknown'] as const

/** Rows as `statement` writes them: numbers of fixed width. `texts`: what was seen, where it was asked for. */
class RowReader {
  readonly #bytes: Buffer
  readonly #regions: readonly string[]
  readonly #texts: ReadonlyMap<number, string> | null
  #place = 0

  constructor(bytes: Buffer, regions: readonly string[], texts: ReadonlyMap<number, string> | null) {
    this.#bytes = bytes
    this.#regions = regions
    this.#texts = texts
  }

  get isAtEnd(): boolean {
    return this.#place >= this.#bytes.length
  }

  read(most: number): StoredLook[] {
    const looks: StoredLook[] = []
    while (looks.length < most && !this.isAtEnd) looks.push(this.#readOne())
    return looks
  }

  #readOne(): StoredLook {
    const bytes = this.#bytes
    const start = this.#place
    const look: StoredLook = {
      region: this.#regions[bytes[start + 26]! - 1] ?? '',
      due: int64(bytes, start),
      attempt: bytes.readUInt16LE(start + 24),
      at: int64(bytes, start + 8),
      receivedAt: int64(bytes, start + 16),
      outcome: named[bytes[start + 27]! - 1] ?? 'unknown',
      suspect: bytes[start + 28] === 1,
      phases: noPhases,
      seen: null,
    }
    this.#place = start + 29
    if (this.#texts === null) return look
    look.phases = { dns: this.#ms(), connect: this.#ms(), tls: this.#ms(), first_byte: this.#ms(), total: this.#ms() }
    look.seen = this.#texts.get(int64(bytes, this.#place)) ?? null
    this.#place += 8
    return look
  }

  #ms(): number | null {
    const value = this.#bytes.readFloatLE(this.#place)
    this.#place += 4
    return value < 0 ? null : value
  }
}

const int64 = (bytes: Buffer, place: number) => bytes.readUInt32LE(place) + bytes.readInt32LE(place + 4) * 4_294_967_296
