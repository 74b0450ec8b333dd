import { sql } from 'kysely'
import type { Pool } from 'pg'
import { shardCount } from '#contract/shards.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { ProcessReport, silentMs } from './processes/report.ts'

/** What the leading ingest process knows of its results. */
export interface JudgedResults {
  /** Results decided on since the process leads. */
  readonly count: number
  /** Milliseconds between two runs of the check that runs most often; undefined without a check that agents run. */
  shortestIntervalMs(): number | undefined
}

/** Notices that no result is judged any more, though checks are due. */
export class JudgedWatch {
  readonly #results: JudgedResults
  readonly #everyMs: number
  #lastCount: number
  #lastJudged = performance.now()

  constructor(results: JudgedResults, everyMs = minuteMs) {
    this.#results = results
    this.#everyMs = everyMs
    this.#lastCount = results.count
  }

  whyNot(): string | null {
    const { count } = this.#results
    const shortest = this.#results.shortestIntervalMs()
    if (count > this.#lastCount || shortest === undefined) this.#lastJudged = performance.now()
    this.#lastCount = count
    const isLate = shortest !== undefined && performance.now() - this.#lastJudged > 2 * shortest + this.#everyMs
    return isLate ? 'no result was judged' : null
  }
}

interface Options extends Pick<Services, 'config' | 'guard' | 'log' | 'metrics' | 'platform'> {
  results: JudgedResults
  /** Whether other processes own the other shards. */
  isShared: boolean
  /** Default: a minute. */
  everyMs?: number
}

const minuteMs = 60_000
const answerWithinMs = 10_000
/** An event may wait for eight attempts of an earlier one about its monitor, which take two minutes. */
const dueWithinS = 300

/**
 * Requests an outside address once a minute while this installation works: `HEARTBEAT_URL`, such as a ping URL of
 * another monitoring service, which raises the alarm when the requests end. The leading ingest process sends them,
 * and only while results of all shards are judged, a worker runs, and events, notifications and mails leave in time.
 * What fails at a receiver and is tried again later does not count as waiting.
 */
export function startInstanceHeartbeat({ everyMs = minuteMs, ...options }: Options): Loop | undefined {
  const { config, guard, log, metrics, platform, results, isShared } = options
  const url = config.heartbeatUrl
  if (url === undefined) return
  const judged = new JudgedWatch(results, everyMs)
  let before: string | null = null
  let wasDivided = true

  const whyNot = async (): Promise<string | null> => {
    const ofOthers = isShared ? await whyNotJudged(platform) : null
    // shards that move have no owner for a moment
    const isLasting = ofOthers !== null && !wasDivided
    wasDivided = ofOthers === null
    return judged.whyNot() ?? (isLasting ? ofOthers : null) ?? whyNothingLeaves(platform)
  }
  const round = async () => {
    const why = await whyNot()
    if (why !== null) {
      metrics.instanceHeartbeats.inc({ outcome: 'withheld' })
      if (before !== why) log.error({ why, alarm: 'heartbeat' }, 'instance heartbeat withheld')
      before = why
      return
    }
    try {
      const refusal = guard.refuseUrl(url)
      if (refusal !== null) throw new Error(refusal)
      const { origin, pathname, search } = new URL(url)
      const response = await guard.dispatcher().request({
        origin,
        path: pathname + search,
        method: 'GET',
        headers: { 'User-Agent': 'Vedette-Heartbeat/1' },
        signal: AbortSignal.timeout(answerWithinMs),
      })
      await response.body.dump()
      if (response.statusCode >= 300) throw new Error(`The answer was ${response.statusCode}.`)
    } catch (error) {
      metrics.instanceHeartbeats.inc({ outcome: 'failed' })
      throw error
    }
    metrics.instanceHeartbeats.inc({ outcome: 'sent' })
    if (before !== null) log.info({ was: before }, 'instance heartbeat sent again')
    before = null
  }
  const retryMs = Math.min(everyMs, 10_000)
  return new Loop({ everyMs, retryMs, round, log, failure: 'instance heartbeat failure' }).start()
}

/** How long what a member says of itself counts: it says it every other second, but not while it loads its checks. */
const memberS = 45

/** Why the results of some shard are not judged, or null. */
async function whyNotJudged(platform: Pool): Promise<string | null> {
  const found = await rows(platform)<{ shards: number[]; lacks: string | null }>`
    select o.shards, case
     when m.noted_at < clock_timestamp() - interval '${sql.lit(memberS)} seconds'
       then 'an ingest process says nothing'
     else m.lacks end as lacks
   from ingest_owners o left join lateral (
     select lacks, noted_at from ingest_members where url = o.url order by noted_at desc limit 1
   ) m on true`
  const unowned = shardCount - new Set(found.flatMap(({ shards }) => shards)).size
  if (unowned > 0) return `no process owns ${unowned} of ${shardCount} shards`
  return found.find(({ lacks }) => lacks !== null)?.lacks ?? null
}

/** Work that is due and was not begun, by the seconds for which the oldest waits. What is tried again later is not due. */
const oldestDue = sql<Record<'events' | 'mails' | 'notifications', number>>`
  select
  coalesce(extract(epoch from clock_timestamp() - (select min(next_at) from outbox
    where done_at is null and kind = 'event')), 0)::float8 as events,
  coalesce(extract(epoch from clock_timestamp() - (select min(next_at) from outbox
    where done_at is null and kind = 'mail')), 0)::float8 as mails,
  coalesce(extract(epoch from clock_timestamp() - (select min(next_at) from deliveries
    where status in ('pending', 'retrying'))), 0)::float8 as notifications`

/** Why events, notifications or mails do not leave in time, or null. Throws where PostgreSQL is not reached. */
async function whyNothingLeaves(platform: Pool): Promise<string | null> {
  const found = await rows(platform)<{ report: unknown }>`
    select report from process_reports
    where reported_at > clock_timestamp() - ${silentMs}::float8 * interval '1 millisecond'`
  const reports = found.flatMap(({ report }) => ProcessReport.safeParse(report).data ?? [])
  if (!reports.some(({ roles }) => roles.includes('worker'))) return 'no worker runs'
  const due = (await rows(platform, oldestDue))[0]!
  for (const what of ['events', 'mails', 'notifications'] as const)
    if (due[what] > dueWithinS) return `${what} do not leave`
  return null
}
