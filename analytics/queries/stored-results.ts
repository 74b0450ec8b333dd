import { buffer } from 'node:stream/consumers'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { z } from 'zod'
import type { ClickHouseClient } from '#analytics/client.ts'
import { type Block, type Numbers, nativeBlocks, type Texts } from '#analytics/native.ts'
import { isVanishedPart, moment, query } from '#analytics/query.ts'
import { limits } from '#contract/agent.ts'
import { noPhases, type Outcome, outcomes, type Phases } from '#contract/check.ts'

/** One stored result, as it was judged on arrival. */
export interface StoredResult {
  region: string
  due: number
  attempt: number
  at: number
  receivedAt: number
  outcome: Outcome | 'unknown'
  isUnreliable: boolean
  phases: Phases
  /** The parsed findings; undefined for a failed run, when no longer stored, and when not selected. */
  seen: unknown
}

export interface ResultsOf {
  tenant: string
  monitor: string
  check: string
  regions: readonly string[]
  from: Date
  to: Date
}

/** Rows read at once: with findings they may be several times as large. */
const rowsAtOnce = { plain: 100_000, seen: 50_000 } as const
/** Longest synchronous work before yielding to the event loop. */
const sliceMs = 6
const sliceRows = 500

const paramsOf = { tenant: z.uuid(), monitor: z.uuid(), check: z.uuid(), regions: z.array(z.string().max(40)).max(255) }
const Span = z
  .object({ ...paramsOf, from: z.date(), to: z.date() })
  // a result is received within a day after its due time, which is the order and partition key of the table
  .transform(span => ({
    ...span,
    due_from: new Date(span.from.getTime() - limits.pastMs),
    due_to: new Date(span.to.getTime() + limits.futureMs),
  }))

const where = `
      WHERE tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID} AND check_id = {check: UUID} AND region IN {regions: Array(String)}
        AND due >= {due_from: DateTime64(3)} AND due < {due_to: DateTime64(3)}
        AND received_at >= {from: DateTime64(3)} AND received_at < {to: DateTime64(3)}`

const rowsByHour = query({
  params: Span,
  row: z.object({ hour: moment, rows: z.int() }),
  sql:
    `SELECT toStartOfHour(received_at) AS hour, count() AS rows FROM check_results ${where} GROUP BY hour ` +
    'ORDER BY hour',
})

/** The number of rows to read, divided into spans that are each read at once. */
export async function planResults(
  clickhouse: ClickHouseClient,
  { from, to, ...of }: ResultsOf,
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

const phases = ['dns', 'connect', 'tls', 'first_byte', 'total'] as const

// `version` decreases with every batch: its order is the order in which results were decided
const statement = (withSeen: boolean) => `
      SELECT toFloat64(toUnixTimestamp64Milli(due)) AS due_ms, toFloat64(toUnixTimestamp64Milli(check_results.at)) AS at_ms,
             toFloat64(toUnixTimestamp64Milli(received_at)) AS received_ms, attempt, toUInt8(indexOf({regions: Array(String)}, region)) AS place,
             toUInt8(CAST(outcome, 'Int8')) AS said, toUInt8(is_unreliable) AS unreliable
             ${withSeen ? `, ${phases.map(name => `toFloat32(ifNull(${name}_ms, -1)) AS ${name}`).join(', ')}, toLowCardinality(seen) AS saw` : ''}
      FROM check_results FINAL ${where}
      ORDER BY version DESC, check_results.at, due, attempt, region
      FORMAT Native`

/**
 * Results in the order in which they were decided. `spans`: as planned. `read`: parses the findings, once for each
 * distinct text of a block; without it findings are not selected.
 */
export async function* storedResults(
  clickhouse: ClickHouseClient,
  of: ResultsOf,
  spans: readonly [Date, Date][],
  read?: (text: string) => unknown,
): AsyncGenerator<StoredResult[]> {
  const ask = async ([from, to]: [Date, Date]) => {
    const params = Span.parse({ ...of, from, to })
    const once = async () =>
      buffer((await clickhouse.exec({ query: statement(read !== undefined), query_params: params })).stream)
    return once().catch(error => (isVanishedPart(error) ? once() : Promise.reject(error)))
  }
  const [first, ...others] = spans
  let next = first && ask(first)
  for (const span of [...others, undefined]) {
    const bytes = await next
    if (!bytes) return
    // the next span is fetched while this one is processed
    next = span && ask(span)
    next?.catch(() => undefined)
    for (const block of nativeBlocks(bytes)) yield* resultsIn(columnsOf(block, of.regions, read))
  }
}

/** Yields to the event loop between groups. */
async function* resultsIn(columns: Columns): AsyncGenerator<StoredResult[]> {
  let began = performance.now()
  for (let row = 0; row < columns.rows; ) {
    const results: StoredResult[] = []
    for (const end = Math.min(row + sliceRows, columns.rows); row < end; row++) results.push(new Row(columns, row))
    yield results
    if (performance.now() - began < sliceMs) continue
    await yieldToEventLoop()
    began = performance.now()
  }
}

/** Columns as selected by `statement`. */
interface Columns
  extends Record<'due' | 'at' | 'receivedAt' | 'attempt' | 'region' | 'outcome' | 'isUnreliable', Numbers> {
  rows: number
  regions: readonly string[]
  /** null when findings were not selected. */
  seen: {
    phases: Record<keyof Phases, Numbers>
    texts: Texts
    values: { is: unknown }[]
    read(text: string): unknown
  } | null
}

const columnsOf = (block: Block, regions: readonly string[], read?: (text: string) => unknown): Columns => ({
  rows: block.rows,
  regions,
  due: block.numbers('due_ms'),
  at: block.numbers('at_ms'),
  receivedAt: block.numbers('received_ms'),
  attempt: block.numbers('attempt'),
  region: block.numbers('place'),
  outcome: block.numbers('said'),
  isUnreliable: block.numbers('unreliable'),
  seen: read
    ? {
        phases: {
          dns: block.numbers('dns'),
          connect: block.numbers('connect'),
          tls: block.numbers('tls'),
          first_byte: block.numbers('first_byte'),
          total: block.numbers('total'),
        },
        texts: block.texts('saw'),
        values: [],
        read,
      }
    : null,
})

const named = [...outcomes, 'unknown'] as const
const ms = (value: number | undefined) => (value === undefined || value < 0 ? null : value)

class Row implements StoredResult {
  readonly region: string
  readonly due: number
  readonly attempt: number
  readonly at: number
  readonly receivedAt: number
  readonly outcome: StoredResult['outcome']
  readonly isUnreliable: boolean
  readonly seen: unknown
  readonly #columns: Columns
  readonly #row: number

  constructor(columns: Columns, row: number) {
    this.region = columns.regions[columns.region[row]! - 1] ?? ''
    this.due = columns.due[row]!
    this.attempt = columns.attempt[row]!
    this.at = columns.at[row]!
    this.receivedAt = columns.receivedAt[row]!
    this.outcome = named[columns.outcome[row]! - 1] ?? 'unknown'
    this.isUnreliable = columns.isUnreliable[row] === 1
    this.seen = seenIn(columns, row)
    this.#columns = columns
    this.#row = row
  }

  get phases(): Phases {
    const { seen } = this.#columns
    if (!seen) return noPhases
    const [row, { dns, connect, tls, first_byte, total }] = [this.#row, seen.phases]
    return {
      dns: ms(dns[row]),
      connect: ms(connect[row]),
      tls: ms(tls[row]),
      first_byte: ms(first_byte[row]),
      total: ms(total[row]),
    }
  }
}

function seenIn({ seen }: Columns, row: number): unknown {
  if (!seen) return undefined
  const index = seen.texts.of[row]!
  seen.values[index] ??= { is: readText(seen, index) }
  return seen.values[index].is
}

function readText({ texts, read }: NonNullable<Columns['seen']>, index: number): unknown {
  const text = texts.text(index)
  return text === '' ? undefined : read(text)
}
