import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { type Db, prepared, type Row, rows } from '#control-plane/db/queries.ts'

const everyMs = 2_000
/** A moment that stays the same is noted again after this time. */
const renewMs = 60_000
/** A backlog that is gone sooner is not worth a word. */
const leastS = 15
/** After so long the results that wait are refused as too old. */
const keptS = 86_400

interface Options {
  platform: Pool
  log: Pick<Logger, 'warn'>
  metrics: Pick<Metrics, 'historyWaits'>
  nowMs(): number
}

/**
 * Notes in PostgreSQL since when results of a region wait to be stored, as its agent reports: what the history lacks is
 * said where the history is shown.
 */
export class HistoryWaits {
  readonly #options: Options
  /** By region, in milliseconds; null: nothing waits. Of a region that is not in it nothing is known. */
  readonly #waits = new Map<string, number | null>()
  /** As they are noted, and when, by the monotonic clock. */
  readonly #noted = new Map<string, { since: number; at: number }>()
  readonly #loop: Loop

  constructor(options: Options) {
    this.#options = options
    this.#loop = new Loop({ everyMs, round: () => this.#note(), log: options.log, failure: 'history note failure' })
  }

  /** Reads what an earlier process noted. */
  async start(): Promise<void> {
    const found = await rows(this.#options.platform)<Row<'history_waits', 'region'> & { since: number }>`
        select region, extract(epoch from since)::float8 * 1000 as since from history_waits`
    for (const { region, since } of found) this.#noted.set(region, { since, at: Number.NEGATIVE_INFINITY })
    this.#loop.start({ atOnce: false })
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    this.#options.metrics.historyWaits.set(0)
  }

  /** Of the oldest result of all regions that waits for longer than a moment; null: none does. */
  get since(): Date | null {
    const waiting = [...this.#waits.values()].filter(since => since !== null)
    const oldest = Math.min(...waiting)
    return waiting.length > 0 && this.#options.nowMs() - oldest > leastS * 1_000 ? new Date(oldest) : null
  }

  /** `since`: of the oldest result that waits; null: none does. */
  note(region: string, since: number | null): void {
    this.#waits.set(region, since)
  }

  /** The same of an agent that does not report it: a batch was stored, or not. */
  noteBatch(region: string, isStored: boolean): void {
    if (isStored) this.#waits.set(region, null)
    else this.#waits.set(region, this.#waits.get(region) ?? this.#options.nowMs())
  }

  async #note(): Promise<void> {
    const { platform, metrics, nowMs } = this.#options
    const now = performance.now()
    const waiting = [...this.#waits].flatMap(([region, since]) => (since === null ? [] : [{ region, since }]))
    const oldest = Math.min(...waiting.map(({ since }) => since))
    metrics.historyWaits.set(waiting.length > 0 ? Math.max(0, nowMs() - oldest) / 1_000 : 0)
    const changed = waiting.filter(({ region, since }) => {
      const noted = this.#noted.get(region)
      return noted?.since !== since || now - noted.at > renewMs
    })
    const gone = [...this.#noted.keys()].filter(region => this.#waits.get(region) === null)
    if (changed.length > 0) await rows(platform, noteHistoryWaits(JSON.stringify(changed)))
    for (const { region, since } of changed) this.#noted.set(region, { since, at: now })
    if (gone.length > 0) await rows(platform, endHistoryWaits(gone))
    for (const region of gone) this.#noted.delete(region)
  }
}

/** Whether a row of `history_waits` says something. */
export const isWaitingSql = (table = 'history_waits'): RawBuilder<boolean> =>
  sql`${sql.ref(`${table}.since`)} < clock_timestamp() - interval '${sql.lit(leastS)} seconds'
    and ${sql.ref(`${table}.noted_at`)} > clock_timestamp() - interval '${sql.lit(keptS)} seconds'`

/** The field by which answers about the history say that it lacks something. */
export const historyWaitsField = z.string().meta({ format: 'date-time' }).nullable().meta({
  description:
    'Results from this moment on are not all stored yet, and are missing here until they are. `null`: none is missing.',
})

/** Since when the history up to a moment lacks results that wait to be stored, as answers write it. */
export async function historyWaitsUntil(db: Db, to: Date): Promise<string | null> {
  const since = await historyWaitsSince(db)
  return since !== null && since < to ? stamp(since) : null
}

/** Since when the history of some region lacks results that wait to be stored; null: it is complete. */
export async function historyWaitsSince(db: Db): Promise<Date | null> {
  const [row] = await rows(db)<{ since: string | null }>`
    select min(since) as since from history_waits where ${isWaitingSql()}`
  return row?.since ? new Date(row.since) : null
}

const noteHistoryWaits = prepared(
  'note-history-waits',
  (changed: string) => sql`insert into history_waits (region,
    since) select region, to_timestamp(since / 1000.0)
    from json_to_recordset(${changed}::json) as r(region text, since float8)
    on conflict (region) do update set since = excluded.since, noted_at = clock_timestamp()`,
)

const endHistoryWaits = prepared(
  'end-history-waits',
  (gone: readonly string[]) => sql`delete from history_waits where region = any(${gone}::text[])`,
)
