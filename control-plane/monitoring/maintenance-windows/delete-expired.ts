import type { Pool } from 'pg'
import { keptDaysByPlan, keptDaysSql } from '#control-plane/tenancy/plans/kept-days.ts'

/** As far back as uptime can be asked for, so long the times of maintenance are kept, also without their windows. */
const spansKeptDays = 400
const batch = 1_000

const oldWindows = `
  delete from maintenance_windows where id in (
    select w.id from maintenance_windows w join tenants t on t.id = w.tenant_id
    where w.state in ('completed', 'cancelled')
      and w.updated_at < clock_timestamp() - ${keptDaysSql('$1')} * interval '1 day'
    limit ${batch})`

const oldSpans = `
  delete from maintenance_spans where id in (
    select id from maintenance_spans
    where ended_at < clock_timestamp() - interval '${spansKeptDays} days' limit ${batch})`

const oldOccurrences = `
  delete from maintenance_occurrences where id in (
    select id from maintenance_occurrences
    where ended_at < clock_timestamp() - interval '${spansKeptDays} days' limit ${batch})`

/** Deletes windows that are over for longer than the plan keeps data, and times of maintenance that nothing reads. */
export async function deleteExpiredWindows(platform: Pool): Promise<void> {
  for (let deleted = batch; deleted === batch; )
    deleted =
      (await platform.query({ name: 'tidy-maintenance-windows', text: oldWindows, values: [keptDaysByPlan()] }))
        .rowCount ?? 0
  for (const [name, text] of [
    ['tidy-maintenance-spans', oldSpans],
    ['tidy-maintenance-occurrences', oldOccurrences],
  ] as const)
    for (let deleted = batch; deleted === batch; ) deleted = (await platform.query({ name, text })).rowCount ?? 0
}
