import { sql } from 'kysely'
import type { Pool } from 'pg'
import { Loop } from '#control-plane/base/loop.ts'
import { affected, prepared, type Row, rows, type Statement } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { keptDaysSql } from '#control-plane/tenancy/plans/kept-days.ts'

const everyMs = 86_400_000
/** As far back as uptime can be asked for, whatever the plan. */
export const leastDays = 400
/** The longest that a plan can keep data: gaps are of no tenant. */
const mostDays = 3_650
/** Checks or monitors examined by one statement, and rows deleted by one: short statements block no other for long. */
const [pageSize, batch] = [1_000, 5_000]

const first = '00000000-0000-0000-0000-000000000000'

const kept = sql`greatest(${sql.lit(leastDays)}, ${keptDaysSql()}) * interval '1 day'`

/** Checks or monitors with the moment before which their history is no longer kept. */
const edges = (table: 'checks' | 'monitors', after: string) => sql`
  select c.id, c.tenant_id, clock_timestamp() - ${kept} as edge
  from (select id, tenant_id from ${sql.table(table)} where id > ${after} order by id limit ${sql.lit(pageSize)}) c
  join tenants t on t.id = c.tenant_id`

// the last change before the edge stays: what the check was at the edge follows from it
const oldChanges = prepared(
  'verdict-retention-changes',
  (after: string) => sql`
  delete from verdict_changes where id in (
    select v.id from (${edges('checks', after)}) e cross join lateral (
      select at, id from verdict_changes
      where tenant_id = e.tenant_id and check_id = e.id and at <= e.edge order by at desc, id desc limit 1
    ) l cross join lateral (
      select id from verdict_changes
      where tenant_id = e.tenant_id and check_id = e.id and (at, id) < (l.at, l.id) limit ${sql.lit(batch)}
    ) v limit ${sql.lit(batch)})`,
)

const oldOfMonitors = prepared(
  'verdict-retention-monitors',
  (after: string) => sql`
  delete from monitor_changes d using (
    select v.* from (${edges('monitors', after)}) e cross join lateral (
      select at from monitor_changes
      where tenant_id = e.tenant_id and monitor_id = e.id and at <= e.edge order by at desc limit 1
    ) l cross join lateral (
      select tenant_id, monitor_id, at from monitor_changes
      where tenant_id = e.tenant_id and monitor_id = e.id and at < l.at limit ${sql.lit(batch)}
    ) v limit ${sql.lit(batch)}
  ) o where d.tenant_id = o.tenant_id and d.monitor_id = o.monitor_id and d.at = o.at`,
)

const oldAsked = prepared(
  'verdict-retention-asked',
  (after: string) => sql`
  delete from check_regions a using (${edges('checks', after)}) e where a.check_id = e.id and a.ended_at < e.edge`,
)

/** Checks that were removed before the moment, with what is kept of the history of their tenant. */
const removed = prepared(
  'verdict-retention-removed',
  (monitor: string, check: string) => sql<Removed>`
  select r.tenant_id, r.monitor_id, r.check_id from verdict_changes r join tenants t on t.id = r.tenant_id
  where r.verdict = 'removed' and (r.monitor_id, r.check_id) > (${monitor}, ${check})
    and r.at < clock_timestamp() - ${kept}
  order by r.monitor_id, r.check_id limit 1`,
)

// its last row leaves last: by it the others are found
const ofRemoved = prepared(
  'verdict-retention-of-removed',
  (tenant: string, check: string) => sql`
  delete from verdict_changes where id in (
    select id from verdict_changes where tenant_id = ${tenant} and check_id = ${check} order by at, id
      limit ${sql.lit(batch)})`,
)
const askedOfRemoved = prepared(
  'verdict-retention-asked-of-removed',
  (check: string) => sql`delete from check_regions where check_id = ${check}`,
)
const monitorOfRemoved = prepared(
  'verdict-retention-monitor-of-removed',
  (tenant: string, monitor: string) => sql`
  delete from monitor_changes where (tenant_id, monitor_id, at) in (
    select tenant_id, monitor_id, at from monitor_changes
    where tenant_id = ${tenant} and monitor_id = ${monitor} and not exists (select 1 from monitors
      where id = ${monitor})
      and not exists (select 1 from verdict_changes where monitor_id = ${monitor})
    limit ${sql.lit(batch)})`,
)

const oldGaps = prepared(
  'verdict-retention-gaps',
  () => sql`
  delete from region_gaps where id in (
    select id from region_gaps where ended_at < clock_timestamp() - interval '${sql.lit(mostDays)} days'
      limit ${sql.lit(batch)})`,
)

const lastOf = (table: 'checks' | 'monitors') =>
  prepared(
    `verdict-retention-page-of-${table}`,
    (after: string) => sql<{ id: string }>`
      select id from (select id from ${sql.table(table)} where id > ${after} order by id limit ${sql.lit(pageSize)}) c
      order by id desc limit 1`,
  )
const lastOfPage = { checks: lastOf('checks'), monitors: lastOf('monitors') }

type Removed = Row<'verdict_changes', 'tenant_id' | 'monitor_id' | 'check_id'>

interface Deletion {
  platform: Pool
  /** Called with the number of changes that were deleted. */
  onDeleted?(count: number): void
  /** Ends the work early; the next run deletes the rest. */
  isStopped?(): boolean
}

/**
 * Deletes changes of verdicts that are older than the plan of their tenant keeps data and than uptime can be asked for,
 * and those of checks and monitors that were removed so long ago, batch by batch.
 */
export async function deleteOldVerdicts({
  platform,
  onDeleted = () => undefined,
  isStopped = () => false,
}: Deletion): Promise<void> {
  const run = (statement: Statement<unknown>) => affected(platform, statement)
  const untilNone = async (some: () => Promise<number>) => {
    for (let deleted = batch; deleted === batch && !isStopped(); onDeleted(deleted)) deleted = await some()
  }
  const pageAfter = async (table: 'checks' | 'monitors', after: string) => {
    const [last] = await rows(platform, lastOfPage[table](after))
    return last?.id ?? null
  }
  for (let after: string | null = first; after !== null && !isStopped(); ) {
    const page: string = after
    await untilNone(() => run(oldChanges(page)))
    await run(oldAsked(page))
    after = await pageAfter('checks', page)
  }
  for (let after: string | null = first; after !== null && !isStopped(); ) {
    const page: string = after
    await untilNone(() => run(oldOfMonitors(page)))
    after = await pageAfter('monitors', page)
  }
  for (let after: [string, string] = [first, first]; !isStopped(); ) {
    const [gone]: Removed[] = await rows(platform, removed(...after))
    if (!gone) break
    after = [gone.monitor_id, gone.check_id]
    await untilNone(() => run(ofRemoved(gone.tenant_id, gone.check_id)))
    await run(askedOfRemoved(gone.check_id))
    await untilNone(() => run(monitorOfRemoved(gone.tenant_id, gone.monitor_id)))
  }
  for (let deleted = batch; deleted === batch && !isStopped(); ) deleted = await run(oldGaps())
}

/** Any number of processes may do so. */
export function startDeletingVerdicts({
  platform,
  log,
  metrics,
}: Pick<Services, 'platform' | 'log' | 'metrics'>): Loop {
  const loop: Loop = new Loop({
    everyMs,
    round: () =>
      deleteOldVerdicts({
        platform,
        onDeleted: count => metrics.verdictChangesDeleted.inc(count),
        isStopped: () => loop.isStopped,
      }),
    log,
    failure: 'old verdict deletion failure',
  })
  return loop.start()
}
