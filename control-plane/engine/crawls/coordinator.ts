import { sql } from 'kysely'
import type { WorkFrame } from '#contract/agent.ts'
import { type CrawlStep, type CrawlStepReply, crawlLimits } from '#contract/crawl.ts'
import { Shares } from '#contract/fair-queue.ts'
import { effectiveLimits } from '#contract/plans.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { type BadRow, isQuarantinedSql, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { isOwnedSql, type OwnedShards } from '#control-plane/base/shards.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { prepared, queries, type Row, rows } from '#control-plane/db/queries.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { isPausedByMaintenanceSql } from '#control-plane/engine/suppression/maintenance.ts'
import type { Services } from '#control-plane/http/services.ts'
import { beginCrawl, mayCrawl, queueCrawl } from './begin.ts'
import { type EndedRun, viewFindings } from './findings.ts'
import { crawlNotice } from './notice.ts'
import { takeCrawlStep } from './step.ts'
import { isCrawlKind } from './terms.ts'

const tickMs = 2_000
/** Silence of a run's agent after which it is reminded, and after which another region goes on. */
const remindMs = 6_000
const moveMs = 30_000
/**
 * A crawl younger than this share of the interval is used again: regions and kinds run at different times.
 */
const freshShare = 0.95

interface Options {
  services: Pick<Services, 'platform' | 'listener' | 'log' | 'clock'>
  find(check: string): Assigned | undefined
  checksOf(monitor: string): readonly string[]
  /** All regions. */
  regions(): readonly string[]
  /** Sends a frame; false when no agent of the region is connected. */
  send(region: string, frame: Extract<WorkFrame, { type: 'run' | 'crawl' }>): boolean
  isListening(region: string): boolean
  /** Only crawls of tenants in these. */
  shards: OwnedShards
}

interface OpenRun extends Row<'crawl_runs', 'id' | 'tenant_id' | 'monitor_id' | 'region'> {
  is_begun: boolean
  quiet_ms: number | null
  may_run: boolean
  wanted: Row<'monitors', 'regions'>['regions']
}

const openRuns = sql`
  select r.id, r.tenant_id, r.monitor_id, r.region, r.terms is not null as is_begun, m.regions as wanted,
    (extract(epoch from now() - r.last_seen_at) * 1000)::float8 as quiet_ms,
    m.is_enabled and not m.held_by_plan and t.paused_at is null and t.deleted_at is null
      and not ${isPausedByMaintenanceSql('m')} as may_run
  from crawl_runs r join monitors m on m.id = r.monitor_id join tenants t on t.id = r.tenant_id
  where r.state in ('queued', 'running')`

// running crawls first, then queued ones: the first of each tenant, then the second of each
const openOf = prepared(
  'crawls-open',
  (shards: OwnedShards['parameter']) => sql<OpenRun>`
    ${openRuns} and ${isOwnedSql('r.tenant_id', shards)} and not ${isQuarantinedSql('crawl_run', 'r.id')}
    order by r.last_seen_at is null,
      row_number() over (partition by r.tenant_id, r.last_seen_at is null order by r.created_at), r.created_at
    limit 1000`,
)

/**
 * Assigns crawls to agents and stores what they find. The whole state of a crawl is in the database: this process,
 * and every agent, may end at any moment, and the next one goes on.
 */
export class CrawlCoordinator {
  readonly #options: Options
  readonly #quarantine: Quarantine
  readonly #loop: Loop
  readonly #remindedAt = new Map<string, number>()

  constructor(options: Options) {
    this.#options = options
    this.#quarantine = new Quarantine(options.services)
    const { listener, log } = options.services
    this.#loop = new Loop({
      everyMs: tickMs,
      round: () => this.#advanceRuns(),
      log,
      failure: 'crawl coordination failure',
      wake: { listener, notice: crawlNotice },
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** The findings for a run of this check; the first request after the interval queues a new crawl. */
  async findings(check: Assigned): Promise<Record<string, unknown>> {
    const { platform } = this.#options.services
    const db = queries(platform)
    const freshMs = check.rules.intervalMs * freshShare
    const freshRuns = db
      .selectFrom('crawl_runs as r')
      .where('r.monitor_id', '=', check.monitor)
      .where('r.created_at', '>', sql<string>`now() - ${freshMs}::float8 * interval '1 millisecond'`)
    const tenant = await db
      .selectFrom('tenants as t')
      .where('t.id', '=', check.tenant)
      .select(['t.plan', 't.feature_overrides'])
      .select(({ exists }) => exists(freshRuns.select('r.id')).$castTo<boolean>().as('is_fresh'))
      .executeTakeFirst()
    const isInPlan = tenant !== undefined && mayCrawl(effectiveLimits(tenant.plan, tenant.feature_overrides))
    if (isInPlan && !tenant.is_fresh && (await queueCrawl(platform, check))) this.#loop.wake()
    const run: EndedRun | undefined = await db
      .selectFrom('crawl_runs')
      .where('monitor_id', '=', check.monitor)
      .where('findings', 'is not', null)
      .select(['id', 'state', 'findings'])
      .select(({ ref }) =>
        sql<string>`to_char(${ref('finished_at')} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as(
          'finished_at',
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return viewFindings(run, isInPlan)
  }

  async step(region: string, step: CrawlStep): Promise<CrawlStepReply> {
    const { answer, ended } = await inTransaction(this.#options.services.platform, client =>
      takeCrawlStep(client, region, step),
    )
    if (ended) this.#requestRuns(ended.monitor)
    return answer
  }

  /** The crawl has ended: every check that depends on it is run. */
  #requestRuns(monitor: string): void {
    const { checksOf, find, send } = this.#options
    for (const check of checksOf(monitor)) {
      const assigned = find(check)
      if (!assigned || !isCrawlKind(assigned.kind)) continue
      for (const region of assigned.rules.regions) send(region, { type: 'run', check, after_ms: 0, reason: 'asked' })
    }
  }

  async #advanceRuns(): Promise<void> {
    const { services, shards } = this.#options
    const found = await rows(services.platform, openOf(shards.parameter))
    const open = new Set(found.map(run => run.id))
    for (const id of this.#remindedAt.keys()) if (!open.has(id)) this.#remindedAt.delete(id)
    const places = new Map<string, Shares>()
    for (const run of found)
      if (run.region !== null && this.#isAssigned(run)) placesOf(places, run.region).take(run.tenant_id)
    await this.#advanceEach(found, places)
  }

  /** Quarantined crawls are retried. */
  async retry(ids: readonly string[]): Promise<void> {
    const found = await rows(this.#options.services.platform)<OpenRun>`${openRuns} and r.id = any(${ids}::uuid[])`
    const bad = new Set(await this.#advanceEach(found, new Map()))
    await this.#quarantine.release(
      'crawl_run',
      ids.filter(id => !bad.has(id)),
    )
  }

  /** Returns the crawls on which it failed. */
  async #advanceEach(runs: readonly OpenRun[], places: Map<string, Shares>): Promise<string[]> {
    const bad: BadRow[] = []
    await eachIsolated(
      runs,
      run => this.#advance(run, places),
      ({ id, tenant_id }, error) => {
        bad.push({ key: id, tenant: tenant_id, error })
      },
    )
    await this.#quarantine.add('crawl_run', bad)
    return bad.map(({ key }) => key)
  }

  /** Whether its region works on it, or was asked to recently. */
  #isAssigned({ id, region, quiet_ms }: OpenRun): boolean {
    const remindedAt = this.#remindedAt.get(id)
    if (quiet_ms === null && remindedAt === undefined) return false
    if (region !== null && this.#options.isListening(region)) return true
    return (quiet_ms ?? Infinity) < moveMs
  }

  async #advance(run: OpenRun, places: Map<string, Shares>): Promise<void> {
    const { platform } = this.#options.services
    if (!run.may_run) return this.#cancel(run.id, 'The monitor is paused.')
    if (!run.is_begun && !(await inTransaction(platform, client => beginCrawl(client, run))))
      return this.#cancel(run.id, 'The plan has no site crawls.')
    const now = this.#options.services.clock.nowMs()
    const quietMs = Math.min(run.quiet_ms ?? Infinity, now - (this.#remindedAt.get(run.id) ?? -Infinity))
    if (quietMs < remindMs) return
    const isAssigned = run.region !== null && this.#isAssigned(run)
    const region = isAssigned ? run.region : this.#choose(run, places)
    if (region === null || !this.#options.isListening(region)) return
    if (!isAssigned) placesOf(places, region).take(run.tenant_id)
    if (region !== run.region)
      await queries(platform).updateTable('crawl_runs').set({ region }).where('id', '=', run.id).execute()
    this.#remindedAt.set(run.id, now)
    this.#options.send(region, { type: 'crawl', run: run.id, tenant: run.tenant_id })
  }

  /**
   * A connected region of the monitor with a free place for its tenant, another one for each crawl; not the region
   * that fell silent during this crawl.
   */
  #choose(run: OpenRun, places: Map<string, Shares>): string | null {
    const wanted = run.wanted.length > 0 ? run.wanted : this.#options.regions()
    const mayTake = (region: string) =>
      this.#options.isListening(region) && placesOf(places, region).mayTake(run.tenant_id)
    const listening = wanted.filter(region => (run.quiet_ms === null || region !== run.region) && mayTake(region))
    return listening[Number.parseInt(run.id.slice(0, 8), 16) % Math.max(1, listening.length)] ?? null
  }

  async #cancel(run: string, reason: string): Promise<void> {
    await queries(this.#options.services.platform)
      .updateTable('crawl_runs')
      .set({ state: 'cancelled', reason, finished_at: sql<string>`now()` })
      .where('id', '=', run)
      .where('state', 'in', ['queued', 'running'])
      .execute()
  }
}

function placesOf(places: Map<string, Shares>, region: string): Shares {
  const shares = places.get(region) ?? new Shares(crawlLimits.runsPerRegion)
  places.set(region, shares)
  return shares
}
