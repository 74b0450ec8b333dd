import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { eachIsolated, setIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
import type { PushedReport } from '#control-plane/engine/verdicts/pushed-reports.ts'
import type { Services } from '#control-plane/http/services.ts'
import { type Beat, type Gap, wake } from './heartbeat.ts'
import { gapSeconds } from './readiness.ts'
import { type BeatChange, beatOf, contextOf, joinBeats, type StoredBeat, selectBeats, writeBeats } from './row.ts'
import { type BeatRules, rulesOf } from './rules.ts'
import { trimPings } from './trim.ts'

const tickMs = 1_000
const trimMs = 60_000
const pageBeats = 500

const isReceiving = sql<{
  is_receiving: boolean
}>`select at > clock_timestamp() - interval '${sql.lit(gapSeconds)} seconds' as is_receiving
  from liveness where name = 'pings'`

const receiving = prepared('pings-received', () => isReceiving)

const isDue = sql`h.wake_at <= clock_timestamp() and t.deleted_at is null`
const due = prepared(
  'due-beats',
  (only: readonly string[] | null) => sql<Due>`
    select ${selectBeats}, extract(epoch from clock_timestamp())::float8 * 1000 as now,
      (select extract(epoch from q.since)::float8 * 1000 from quarantined_rows q
       where q.kind = 'heartbeat' and q.key = h.check_id::text) as quarantined_since
    from heartbeats h ${joinBeats}
    where ${isDue} and (${only}::uuid[] is null or h.check_id = any(${only}::uuid[]))
    order by h.wake_at limit ${sql.lit(pageBeats)} for update of h skip locked`,
)
/** Whether any is due, while pings can be received: most rounds find none, and end with this statement. */
const anyDue = prepared(
  'any-due-beats',
  () => sql<{ is_due: boolean }>`
    select exists (select from heartbeats h join checks c on c.id = h.check_id join tenants t on t.id = c.tenant_id
      where ${isDue})
    and exists (select from (${isReceiving}) l where l.is_receiving) as is_due`,
)
const dueKeys = prepared(
  'due-beat-keys',
  () => sql<DueKey>`
    select h.check_id, h.tenant_id from heartbeats h ${joinBeats}
    where ${isDue} order by h.wake_at limit ${sql.lit(pageBeats)}`,
)

const gapsSince = prepared(
  'ping-gaps',
  (least: number) => sql<Gap>`
    select extract(epoch from started_at)::float8 * 1000 as from, extract(epoch from ended_at)::float8 * 1000 as to
    from ingestion_gaps where ended_at >= to_timestamp(${least}::float8 / 1000.0)`,
)

type Due = StoredBeat & { now: number; quarantined_since: number | null }

/** Checks heartbeats that are due, in the process that leads. While no process can receive pings, none is checked. */
export class HeartbeatSweep {
  readonly #services: Pick<Services, 'platform' | 'log'>
  readonly #quarantine: Quarantine
  readonly #trimming: Loop
  #sweeping: Loop | undefined
  #isStopped = false

  constructor(services: Pick<Services, 'platform' | 'log'>) {
    this.#services = services
    this.#quarantine = new Quarantine(services)
    const trim = () => trimPings(services)
    this.#trimming = new Loop({ everyMs: trimMs, round: trim, log: services.log, failure: 'ping deletion failure' })
  }

  /** Schedules and checks may have changed while no process led: each heartbeat is checked once. */
  start(): void {
    const { platform, log } = this.#services
    const woken = rows(platform)`
      update heartbeats set wake_at = clock_timestamp() where wake_at is null or wake_at > clock_timestamp()`.catch(
      error => log.warn({ err: error }, 'heartbeat wake failure'),
    )
    const sweep = () => woken.then(() => this.#sweepAll())
    this.#sweeping = new Loop({ everyMs: tickMs, round: sweep, log, failure: 'heartbeat sweep failure' }).start()
    this.#trimming.start()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([this.#sweeping?.stop(), this.#trimming.stop()])
  }

  /** Checks heartbeats whose checks are new, enabled again, or changed. */
  reconsider(checks: readonly string[]): void {
    if (checks.length === 0 || this.#isStopped) return
    rows(this.#services.platform, wakeBeats(checks)).catch(error =>
      this.#services.log.warn({ err: error }, 'heartbeat wake failure'),
    )
  }

  /** Checks heartbeats that were put off. */
  async retry(checks: readonly string[]): Promise<void> {
    await rows(this.#services.platform)`
      update heartbeats set wake_at = clock_timestamp() where check_id = any(${checks}::uuid[])`
  }

  /** Trims heartbeats whose trim was put off, now instead of with the next round. */
  async retryTrim(checks: readonly string[]): Promise<void> {
    await rows(this.#services.platform)`
      update heartbeats set trimmed_at = '-infinity' where check_id = any(${checks}::uuid[])`
    this.#trimming.wake()
  }

  async #sweepAll(): Promise<void> {
    const { platform } = this.#services
    const [found] = await rows(platform, anyDue())
    if (!found?.is_due) return
    for (let taken = pageBeats; taken === pageBeats && !this.#isStopped; ) {
      taken = 0
      await setIsolated<DueKey>({
        act: async only => {
          const page = await inTransaction(platform, client =>
            sweepPage(client, only?.map(row => row.check_id) ?? null),
          )
          taken += page.taken
          await this.#settle(page)
        },
        due: () => rows(platform, dueKeys()),
        onBad: (row, error) => this.#putOff([{ row, error }]),
      })
    }
  }

  async #settle({ bad, mended }: Page): Promise<void> {
    await this.#quarantine.release('heartbeat', mended)
    await this.#putOff(bad)
  }

  async #putOff(bad: readonly { row: DueKey; error: unknown }[]): Promise<void> {
    const kept = bad.map(({ row, error }) => ({ key: row.check_id, tenant: row.tenant_id, error }))
    await this.#quarantine.putOff(
      'heartbeat',
      kept,
      client =>
        rows(client)`update heartbeats set wake_at = clock_timestamp() + interval '${sql.lit(putOffS)} seconds'
        where check_id = any(${kept.map(({ key }) => key)}::uuid[])`,
    )
  }
}

type DueKey = Pick<Due, 'check_id' | 'tenant_id'>

interface Page {
  taken: number
  bad: { row: DueKey; error: unknown }[]
  /** Were quarantined, and could be checked now. */
  mended: string[]
}

interface Read {
  row: Due
  beat: Beat
  rules: BeatRules
}

async function sweepPage(client: PoolClient, only: readonly string[] | null): Promise<Page> {
  const page: Page = { taken: 0, bad: [], mended: [] }
  const [liveness] = await rows(client, receiving())
  if (!liveness?.is_receiving) return page
  const found = await rows(client, due(only))
  page.taken = found.length
  const onBad = (row: DueKey, error: unknown) => page.bad.push({ row, error })
  const read: Read[] = []
  await eachIsolated(found, row => read.push({ row, beat: beatOf(row), rules: rulesOf(row.settings) }), onBad)
  if (read.length === 0) return page
  const gaps = await readGaps(client, read)
  const reports: PushedReport[] = []
  const changes: BeatChange[] = []
  const check = ({ row, beat, rules }: Read) => {
    // pings that were expected while its rules could not be parsed are excused
    const own = row.quarantined_since === null ? gaps : [...gaps, { from: row.quarantined_since, to: row.now }]
    const report = wake(beat, rules, row.now, contextOf(row), own)
    if (report) reports.push({ check: row.check_id, ...report })
    changes.push({
      check_id: row.check_id,
      beat,
      pings: Number(row.pings),
      lastPingAt: row.last_ping_at,
      lastState: row.last_state,
    })
    if (row.is_quarantined) page.mended.push(row.check_id)
  }
  await eachIsolated(read, check, ({ row }, error) => onBad(row, error))
  await writeBeats(client, changes, [], reports)
  return page
}

async function readGaps(client: PoolClient, read: readonly Read[]): Promise<Gap[]> {
  const since = read.flatMap(({ row, beat }) => {
    const isSilent = row.alert_after !== null && row.expected_at !== null && row.alert_after <= row.now
    return isSilent ? [Math.min(row.expected_at!, ...Object.values(beat.runs))] : []
  })
  if (since.length === 0) return []
  const gaps = await rows(client, gapsSince(Math.min(...since)))
  return gaps
}

const wakeBeats = prepared(
  'wake-beats',
  (checks: readonly string[]) => sql`update heartbeats set wake_at =
    least(wake_at, clock_timestamp()) where check_id = any(${checks}::uuid[])`,
)
