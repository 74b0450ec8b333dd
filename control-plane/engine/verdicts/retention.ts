import type { Pool } from 'pg'
import { Loop } from '#control-plane/base/loop.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { keptDaysByPlan, keptDaysSql } from '#control-plane/tenancy/plans/kept-days.ts'

const everyMs = 86_400_000
/** As far back as uptime can be asked for, whatever the plan. */
export const leastDays = 400
/** The longest that a plan can keep data: gaps are of no tenant. */
const mostDays = 3_650
/** Checks or monitors examined by one statement, and rows deleted by one: short statements block no other for long. */
const [pageSize, batch] = [1_000, 5_000]

const first = '00000000-0000-0000-0000-000000000000'

const keptSql = `greatest(${leastDays}, ${keptDaysSql('$2')}) * interval '1 day'`

/** SQL: checks or monitors with the moment before which their history is no longer kept. */
const edges = (table: 'checks' | 'monitors') => `
  select c.id, c.tenant_id, clock_timestamp() - ${keptSql} as edge
  from (select id, tenant_id from ${table} where id > $1 order by id limit ${pageSize}) c
  join tenants t on t.id = c.tenant_id`

// the last change before the edge stays: what the check was at the edge follows from it
const oldChanges = `
  delete from verdict_changes where id in (
    select v.id from (${edges('checks')}) e cross join lateral (
      select at, id from verdict_changes
      where tenant_id = e.tenant_id and check_id = e.id and at <= e.edge order by at desc, id desc limit 1
    ) l cross join lateral (
      select id from verdict_changes
      where tenant_id = e.tenant_id and check_id = e.id and (at, id) < (l.at, l.id) limit ${batch}
    ) v limit ${batch})`

const oldOfMonitors = `
  delete from monitor_changes d using (
    select v.* from (${edges('monitors')}) e cross join lateral (
      select at from monitor_changes
      where tenant_id = e.tenant_id and monitor_id = e.id and at <= e.edge order by at desc limit 1
    ) l cross join lateral (
      select tenant_id, monitor_id, at from monitor_changes
      where tenant_id = e.tenant_id and monitor_id = e.id and at < l.at limit ${batch}
    ) v limit ${batch}
  ) o where d.tenant_id = o.tenant_id and d.monitor_id = o.monitor_id and d.at = o.at`

const oldAsked = `
  delete from check_regions a using (${edges('checks')}) e where a.check_id = e.id and a.ended_at < e.edge`

/** SQL: checks that were removed before the moment, with what is kept of the history of their tenant. */
const removed = `
  select r.tenant_id, r.monitor_id, r.check_id from verdict_changes r join tenants t on t.id = r.tenant_id
  where r.verdict = 'removed' and (r.monitor_id, r.check_id) > ($1, $3) and r.at < clock_timestamp() - ${keptSql}
  order by r.monitor_id, r.check_id limit 1`

// its last row leaves last: by it the others are found
const ofRemoved = `
  delete from verdict_changes where id in (
    select id from verdict_changes where tenant_id = $1 and check_id = $2 order by at, id limit ${batch})`
const askedOfRemoved = 'delete from check_regions where check_id = $1'
const monitorOfRemoved = `
  delete from monitor_changes where (tenant_id, monitor_id, at) in (
    select tenant_id, monitor_id, at from monitor_changes
    where tenant_id = $1 and monitor_id = $2 and not exists (select 1 from monitors where id = $2)
      and not exists (select 1 from verdict_changes where monitor_id = $2)
    limit ${batch})`

const oldGaps = `
  delete from region_gaps where id in (
    select id from region_gaps where ended_at < clock_timestamp() - interval '${mostDays} days' limit ${batch})`

const lastOfPage = (table: 'checks' | 'monitors') => `
  select id from (select id from ${table} where id > $1 order by id limit ${pageSize}) c order by id desc limit 1`

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
  const days = keptDaysByPlan()
  const run = async (name: string, text: string, values: unknown[]) =>
    (await platform.query({ name: `verdict-retention-${name}`, text, values })).rowCount ?? 0
  const untilNone = async (some: () => Promise<number>) => {
    for (let deleted = batch; deleted === batch && !isStopped(); onDeleted(deleted)) deleted = await some()
  }
  const pageAfter = async (table: 'checks' | 'monitors', after: string) => {
    const { rows }: { rows: { id: string }[] } = await platform.query({
      name: `verdict-retention-page-of-${table}`,
      text: lastOfPage(table),
      values: [after],
    })
    return rows[0]?.id ?? null
  }
  for (let after: string | null = first; after !== null && !isStopped(); ) {
    const page: string = after
    await untilNone(() => run('changes', oldChanges, [page, days]))
    await run('asked', oldAsked, [page, days])
    after = await pageAfter('checks', page)
  }
  for (let after: string | null = first; after !== null && !isStopped(); ) {
    const page: string = after
    await untilNone(() => run('monitors', oldOfMonitors, [page, days]))
    after = await pageAfter('monitors', page)
  }
  for (let after = [first, first]; !isStopped(); ) {
    const { rows }: { rows: Row<'verdict_changes', 'tenant_id' | 'monitor_id' | 'check_id'>[] } = await platform.query({
      name: 'verdict-retention-removed',
      text: removed,
      values: [after[0], days, after[1]],
    })
    const gone = rows[0]
    if (!gone) break
    after = [gone.monitor_id, gone.check_id]
    await untilNone(() => run('of-removed', ofRemoved, [gone.tenant_id, gone.check_id]))
    await run('asked-of-removed', askedOfRemoved, [gone.check_id])
    await untilNone(() => run('monitor-of-removed', monitorOfRemoved, [gone.tenant_id, gone.monitor_id]))
  }
  for (let deleted = batch; deleted === batch && !isStopped(); ) deleted = await run('gaps', oldGaps, [])
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
