import type { Pool } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import { inTransaction } from '#control-plane/kernel/transaction.ts'

const page = 200
/** Longer than the longest schedule and its grace. */
const gapsKeptDays = 800

const untrimmed = `
  select h.check_id, t.plan, t.feature_overrides from heartbeats h join tenants t on t.id = h.tenant_id
  where h.trimmed_at < clock_timestamp() - interval '1 day' order by h.trimmed_at limit ${page} for update of h skip locked`

/** Deletes pings that are older than their tenant's plan keeps results, some heartbeats at a time; each has its turn once a day. */
export const trimPings = (platform: Pool): Promise<void> =>
  inTransaction(platform, async client => {
    await client.query(`delete from ping_addresses where ends_at < clock_timestamp() - interval '1 day'`)
    await client.query(`delete from ping_gaps where ended_at < clock_timestamp() - interval '${gapsKeptDays} days'`)
    const { rows } = await client.query<{ check_id: string; plan: string; feature_overrides: Record<string, unknown> }>(untrimmed)
    if (rows.length === 0) return
    const kept = rows.map(row => ({ check_id: row.check_id, days: effectiveLimits(row.plan, row.feature_overrides).data_retention_days }))
    await client.query(
      `delete from pings p using json_to_recordset($1::json) as r(check_id uuid, days int)
       where p.check_id = r.check_id and p.at < clock_timestamp() - make_interval(days => r.days)`,
      [JSON.stringify(kept)],
    )
    await client.query('update heartbeats set trimmed_at = clock_timestamp() where check_id = any($1::uuid[])', [kept.map(row => row.check_id)])
  })
