import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Observation } from '#analytics/ingest/observation.ts'
import { type Judgement, noPhases } from '#contract/check.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { type BadRow, isQuarantinedSql, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { isOwnedSql, type OwnedShards } from '#control-plane/base/shards.ts'
import { type Db, prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { directRegion } from './quorum.ts'

/*
 * Checks that no region runs (a job that reports, a server that measures itself). Any process stores a pushed report,
 * in the transaction that stores its source; the process that decides is notified at once, takes the reports in their
 * order, and deletes each when what follows from it is committed. So no report is lost by a kill and none counts
 * twice.
 */

/**
 * A reported state of a check. `at`: since when, in milliseconds of the database's clock; reports of one check come
 * in order.
 */
export interface PushedReport {
  check: string
  at: number
  judgement: Judgement
  /** Shown with the incident, a thousand characters at most. */
  excerpt?: string | null
}

const channel = 'pushed_reports'

/** For a larger statement: inserts reports, given as JSON. Returns one row a report. */
export const insertReportsSql = (reports: string | Expression<unknown>): RawBuilder<unknown> => sql`
  insert into pushed_reports (tenant_id, check_id, at, judgement, excerpt)
  select c.tenant_id, c.id, to_timestamp(w.at / 1000.0), w.judgement, w.excerpt
  from rows from (json_to_recordset(${reports}::json) as ("check" uuid, at float8, judgement jsonb, excerpt text))
  with ordinality as w("check", at, judgement, excerpt, place)
  join checks c on c.id = w."check"
  order by w.place
  returning id`

/** Notifies the process that decides, when the transaction commits. */
export const notifyReportsSql = sql`pg_notify(${sql.lit(channel)}, '')`

const add = prepared(
  'add-pushed-reports',
  (reports: string) =>
    sql`with stored as (${insertReportsSql(reports)}) select ${notifyReportsSql} from stored limit 1`,
)

/**
 * Stores reports in the caller's transaction. Only one that may change the verdict of its check is needed: equal
 * reports do no harm, but each is a row. Two transactions that report on the same check must not run side by side: the
 * caller locks a row of its own for the check first.
 */
export async function storePushedReports(db: Db, reports: readonly PushedReport[]): Promise<void> {
  if (reports.length === 0) return
  await rows(db, add(JSON.stringify(reports.map(report => ({ ...report, excerpt: report.excerpt ?? null })))))
}

type ReportRow = Row<'pushed_reports', 'id' | 'check_id' | 'tenant_id' | 'judgement' | 'excerpt'> &
  Row<'checks', 'monitor_id'> & {
    /** Milliseconds. */
    at: number
    is_old: boolean
  }

const pageReports = 1_000
/** Reports are announced; the poll finds those whose notice was lost. */
const pollMs = 2_000
/** How long a report waits for a check the work list does not have yet. */
const waitsForSeconds = 5

const select = sql`
  select w.id, w.check_id, c.monitor_id, w.tenant_id, extract(epoch from w.at)::float8 * 1000 as at, w.judgement,
    w.excerpt,
    w.reported_at < clock_timestamp() - interval '${sql.lit(waitsForSeconds)} seconds' as is_old
  from pushed_reports w join checks c on c.id = w.check_id`
const read = prepared(
  'read-pushed-reports',
  (after: string, shards: OwnedShards['parameter']) => sql<ReportRow>`${select}
  where w.id > ${after} and ${isOwnedSql('w.tenant_id', shards)} and not ${isQuarantinedSql('pushed_report', 'w.id')}
  order by w.id limit ${sql.lit(pageReports)}`,
)

/** A judgement as it was stored with the report. */
const StoredJudgement = z.union([
  z.looseObject({ status: z.literal('up') }),
  z.looseObject({ status: z.enum(['warning', 'down', 'unknown']), code: z.string(), reason: z.string() }),
])

interface Options {
  pool: Pool
  listener: Pick<Listener, 'on' | 'onMissed'>
  log: Pick<Logger, 'warn' | 'error'>
  find(check: string): Assigned | undefined
  decide(observations: readonly Observation[]): Promise<void>
  /** Only reports of tenants in these. */
  shards: OwnedShards
}

/** Passes reports to the verdict engine, in the process that leads. */
export class PushedReports {
  readonly #options: Options
  readonly #loop: Loop
  readonly #quarantine: Quarantine

  constructor(options: Options) {
    this.#options = options
    this.#quarantine = new Quarantine({ platform: options.pool, log: options.log })
    this.#loop = new Loop({
      everyMs: pollMs,
      round: () => this.#takeAll(),
      log: options.log,
      failure: 'pushed report failure',
      wake: { listener: options.listener, notice: channel },
    })
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  async #takeAll(): Promise<void> {
    for (let after = '0'; !this.#loop.isStopped; ) {
      const { pool, shards } = this.#options
      const found = await rows(pool, read(after, shards.parameter))
      await this.#take(found)
      if (found.length < pageReports) return
      after = found.at(-1)!.id
    }
  }

  /** Reads these again, which could not be read before. */
  async retry(ids: readonly string[]): Promise<void> {
    const found = await rows(this.#options.pool)<ReportRow>`
      ${select} where w.id = any(${ids}::bigint[]) order by w.id`
    await this.#quarantine.release('pushed_report', await this.#take(found))
  }

  /**
   * A check that is paused or deleted has no verdict: its reports are dropped. One the work list does not have yet
   * gets a moment.
   */
  async #take(reports: readonly ReportRow[]): Promise<string[]> {
    const { pool, find, decide } = this.#options
    const known: Observation[] = []
    const [done, bad]: [string[], BadRow[]] = [[], []]
    const take = (row: ReportRow) => {
      const isKnown = find(row.check_id) !== undefined
      if (isKnown) known.push(observationOf(row))
      if (isKnown || row.is_old) done.push(row.id)
    }
    await eachIsolated(reports, take, ({ id, tenant_id }, error) => {
      bad.push({ key: id, tenant: tenant_id, error })
    })
    await this.#quarantine.add('pushed_report', bad)
    if (known.length > 0) await decide(known)
    if (done.length > 0) await rows(pool, deletePushedReports(done))
    return done
  }
}

/** The id of a report takes the place of the due time: it marks what was decided on before, also after a restart. */
function observationOf({
  id,
  check_id,
  monitor_id,
  tenant_id,
  at,
  judgement: stored,
  excerpt,
}: ReportRow): Observation {
  const judgement = StoredJudgement.parse(stored) as Judgement
  return {
    check: check_id,
    monitor: monitor_id,
    tenant: tenant_id,
    region: directRegion,
    due: Number(id),
    attempt: 0,
    at,
    receivedAt: at,
    judgement,
    isUnreliable: false,
    evidence: {
      phases: noPhases,
      error: judgement.status === 'up' ? null : { code: judgement.code, message: judgement.reason },
      http_status: null,
      excerpt,
      address: null,
    },
  }
}

const deletePushedReports = prepared(
  'delete-pushed-reports',
  (done: readonly string[]) => sql`delete from pushed_reports where id = any(${done}::bigint[])`,
)
