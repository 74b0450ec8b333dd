import { sql } from 'kysely'
import type { Pool } from 'pg'
import { affected, prepared } from '#control-plane/db/queries.ts'
import { keptDaysSql } from '#control-plane/tenancy/plans/kept-days.ts'

/** As far back as uptime can be asked for, so long the times of maintenance are kept, also without their windows. */
const spansKeptDays = 400
const batch = 1_000

const oldWindows = prepared(
  'tidy-maintenance-windows',
  () => sql`
  delete from maintenance_windows where id in (
    select w.id from maintenance_windows w join tenants t on t.id = w.tenant_id
    where w.state in ('completed', 'cancelled')
      and w.updated_at < clock_timestamp() - ${keptDaysSql()} * interval '1 day'
    limit ${sql.lit(batch)})`,
)

const oldSpans = prepared(
  'tidy-maintenance-spans',
  () => sql`
  delete from maintenance_spans where id in (
    select id from maintenance_spans
    where ended_at < clock_timestamp() - interval '${sql.lit(spansKeptDays)} days' limit ${sql.lit(batch)})`,
)

const oldOccurrences = prepared(
  'tidy-maintenance-occurrences',
  () => sql`
  delete from maintenance_occurrences where id in (
    select id from maintenance_occurrences
    where ended_at < clock_timestamp() - interval '${sql.lit(spansKeptDays)} days' limit ${sql.lit(batch)})`,
)

/** Deletes windows that are over for longer than the plan keeps data, and times of maintenance that nothing reads. */
export async function deleteExpiredWindows(platform: Pool): Promise<void> {
  for (const statement of [oldWindows, oldSpans, oldOccurrences])
    for (let deleted = batch; deleted === batch; ) deleted = await affected(platform, statement())
}
