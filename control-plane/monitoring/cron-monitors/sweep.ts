import type { PoolClient } from 'pg'
import { every } from '#control-plane/kernel/every.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { inTransaction } from '#control-plane/kernel/transaction.ts'
import type { Word } from '#control-plane/monitoring/verdicts/direct.ts'
import { type Gap, wake } from './heartbeat.ts'
import { gapSeconds } from './readiness.ts'
import { aroundOf, beatOf, joinBeats, type StoredBeat, selectBeats, writeBeats } from './row.ts'
import { rulesOf } from './rules.ts'
import { trimPings } from './trim.ts'

const tickMs = 250
const trimMs = 60_000
const pageBeats = 500

const heard = `select at > clock_timestamp() - interval '${gapSeconds} seconds' as is_heard from beats where name = 'pings'`

const due = `
  select ${selectBeats}, extract(epoch from clock_timestamp())::float8 * 1000 as now
  from heartbeats h ${joinBeats}
  where h.wake_at <= clock_timestamp() and t.deleted_at is null
  order by h.wake_at limit ${pageBeats} for update of h skip locked`

const gapsSince = `
  select extract(epoch from started_at)::float8 * 1000 as from, extract(epoch from ended_at)::float8 * 1000 as to
  from ping_gaps where ended_at >= to_timestamp($1::float8 / 1000.0)`

type Due = StoredBeat & { now: number }

/** Looks at heartbeats whose moment has come: a date in a row, claimed by whoever leads. While nobody can receive pings, nobody is judged by them. */
export class HeartbeatSweep {
  readonly #services: Pick<Services, 'platform' | 'log'>
  #loops: { stop(): Promise<void> }[] = []
  #isStopped = false

  constructor(services: Pick<Services, 'platform' | 'log'>) {
    this.#services = services
  }

  /** Schedules may have changed, and checks come back, while nobody led: each is looked at once. */
  start(): void {
    const all = `update heartbeats set wake_at = clock_timestamp() where wake_at is null or wake_at > clock_timestamp()`
    const { platform, log } = this.#services
    const lookedThrough = platform.query(all).catch(error => log.warn({ err: error }, 'heartbeats could not be looked through'))
    const sweep = () => lookedThrough.then(() => this.#sweepAll())
    this.#loops = [
      every(tickMs, sweep, error => this.#isStopped || log.warn({ err: error }, 'silence could not be looked for; trying on')),
      every(
        trimMs,
        () => trimPings(platform),
        error => log.warn({ err: error }, 'old pings could not be deleted'),
      ),
    ]
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#loops.map(loop => loop.stop()))
  }

  /** Checks that are new, on again, or have other settings. */
  reconsider(checks: readonly string[]): void {
    if (checks.length === 0 || this.#isStopped) return
    this.#services.platform
      .query({
        name: 'wake-beats',
        text: 'update heartbeats set wake_at = least(wake_at, clock_timestamp()) where check_id = any($1::uuid[])',
        values: [checks],
      })
      .catch(error => this.#services.log.warn({ err: error }, 'heartbeats could not be looked at again'))
  }

  async #sweepAll(): Promise<void> {
    while (!this.#isStopped) if ((await inTransaction(this.#services.platform, sweepPage)) < pageBeats) return
  }
}

async function sweepPage(client: PoolClient): Promise<number> {
  const { rows: beats } = await client.query<{ is_heard: boolean }>({ name: 'pings-heard', text: heard })
  if (!beats[0]?.is_heard) return 0
  const { rows } = await client.query<Due>({ name: 'due-beats', text: due })
  if (rows.length === 0) return 0
  const gaps = await readGaps(client, rows)
  const words: Word[] = []
  const changes = rows.map(row => {
    const beat = beatOf(row)
    const says = wake(beat, rulesOf(row.settings), row.now, aroundOf(row), gaps)
    if (says) words.push({ check: row.check_id, ...says })
    return { check_id: row.check_id, beat, pings: Number(row.pings), lastPingAt: row.last_ping_at, lastState: row.last_state }
  })
  await writeBeats(client, changes, [], words)
  return rows.length
}

async function readGaps(client: PoolClient, rows: readonly Due[]): Promise<Gap[]> {
  const since = rows.flatMap(row => {
    const isSilent = row.alert_after !== null && row.expected_at !== null && row.alert_after <= row.now
    return isSilent ? [Math.min(row.expected_at!, ...Object.values(row.runs))] : []
  })
  if (since.length === 0) return []
  const { rows: gaps } = await client.query<Gap>({ name: 'ping-gaps', text: gapsSince, values: [Math.min(...since)] })
  return gaps
}
