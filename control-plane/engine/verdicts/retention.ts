import type { Pool } from 'pg'
import { Loop } from '#control-plane/base/loop.ts'
import type { Services } from '#control-plane/http/services.ts'
import { keptDaysByPlan, keptDaysSql } from '#control-plane/tenancy/plans/kept-days.ts'

const everyMs = 86_400_000
/** As far back as uptime can be asked for, whatever the plan. */
export const leastDays = 400
/** The longest that a plan can keep data: gaps are of no tenant. */
const mostDays = 3_650
/** Checks examined by one statement, and rows deleted by one: short statements block no other for long. */
const [checkPage, batch] = [1_000, 5_000]

const first = '00000000-0000-0000-0000-000000000000'

/** SQL: checks with the moment before which their history is no longer kept. */
const edges = `
  select c.id, c.tenant_id, clock_timestamp() - greatest(${leastDays}, ${keptDaysSql('$2')}) * interval '1 day' as edge
  from (select id, tenant_id from checks where id > $1 order by id limit ${checkPage}) c
  join tenants t on t.id = c.tenant_id`

// the last change before the edge stays: what the check was at the edge follows from it
const oldChanges = `
  delete from verdict_changes where id in (
    select v.id from (${edges}) e cross join lateral (
      select at, id from verdict_changes
      where tenant_id = e.tenant_id and check_id = e.id and at <= e.edge order by at desc, id desc limit 1
    ) l cross join lateral (
      select id from verdict_changes
      where tenant_id = e.tenant_id and check_id = e.id and (at, id) < (l.at, l.id) limit ${batch}
    ) v limit ${batch})`

const oldAsked = `
  delete from check_regions a using (${edges}) e where a.check_id = e.id and a.ended_at < e.edge`

const oldGaps = `
  delete from region_gaps where id in (
    select id from region_gaps where ended_at < clock_timestamp() - interval '${mostDays} days' limit ${batch})`

const lastOfPage = `
  select id from (select id from checks where id > $1 order by id limit ${checkPage}) c order by id desc limit 1`

interface Deletion {
  platform: Pool
  /** Called with the number of changes that were deleted. */
  onDeleted?(count: number): void
  /** Ends the work early; the next run deletes the rest. */
  isStopped?(): boolean
}

/**
 * Deletes changes of verdicts that are older than the plan of their tenant keeps data and than uptime can be asked for,
 * batch by batch.
 */
export async function deleteOldVerdicts({
  platform,
  onDeleted = () => undefined,
  isStopped = () => false,
}: Deletion): Promise<void> {
  const days = keptDaysByPlan()
  const run = async (name: string, text: string, values: unknown[]) =>
    (await platform.query({ name: `verdict-retention-${name}`, text, values })).rowCount ?? 0
  for (let after: string | null = first; after !== null && !isStopped(); ) {
    for (let deleted = batch; deleted === batch && !isStopped(); onDeleted(deleted))
      deleted = await run('changes', oldChanges, [after, days])
    await run('asked', oldAsked, [after, days])
    const { rows }: { rows: { id: string }[] } = await platform.query({
      name: 'verdict-retention-page',
      text: lastOfPage,
      values: [after],
    })
    after = rows[0]?.id ?? null
  }
  for (let deleted = batch; deleted === batch && !isStopped(); ) deleted = await run('gaps', oldGaps, [])
}

/** Any number of processes may do so. */
export function keepDeletingVerdicts({ platform, log, metrics }: Pick<Services, 'platform' | 'log' | 'metrics'>): Loop {
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
