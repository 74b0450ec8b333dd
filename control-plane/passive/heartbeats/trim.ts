import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import { setIsolated } from '#control-plane/base/each-isolated.ts'
import { isQuarantinedSql, putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'

const page = 200
/** Longer than the longest schedule and its grace. */
const gapsKeptDays = 800

type Key = Row<'heartbeats', 'check_id' | 'tenant_id'>
type Untrimmed = Key & Row<'tenants', 'plan' | 'feature_overrides'> & { is_quarantined: boolean }

const isDue = sql`h.trimmed_at < clock_timestamp() - interval '1 day'`

/** Deletes pings that are older than the plan keeps results, some heartbeats at a time, each once a day. */
export async function trimPings(services: Pick<Services, 'platform' | 'log'>): Promise<void> {
  const { platform } = services
  const quarantine = new Quarantine(services)
  await rows(platform)`delete from ping_addresses where ends_at < clock_timestamp() - interval '1 day'`
  await rows(platform)`
    delete from ingestion_gaps where ended_at < clock_timestamp() - interval '${sql.lit(gapsKeptDays)} days'`
  await setIsolated<Key>({
    act: async only => {
      const checks = only?.map(row => row.check_id) ?? null
      await quarantine.release('ping_retention', await inTransaction(platform, client => trimSome(client, checks)))
    },
    due: async () =>
      await rows(platform)<Key>`
        select h.check_id, h.tenant_id from heartbeats h where ${isDue} order by h.trimmed_at
        limit ${sql.lit(page)}`,
    onBad: ({ check_id: key, tenant_id: tenant }, error) =>
      quarantine.putOff(
        'ping_retention',
        [{ key, tenant, error }],
        client =>
          rows(client)`update heartbeats set
          trimmed_at = clock_timestamp() - interval '1 day' + interval '${sql.lit(putOffS)} seconds'
          where check_id = ${key}`,
      ),
  })
}

/** Returns the heartbeats that were quarantined. */
async function trimSome(client: PoolClient, only: readonly string[] | null): Promise<string[]> {
  const found = await rows(client)<Untrimmed>`
    select h.check_id, h.tenant_id, t.plan, t.feature_overrides,
      ${isQuarantinedSql('ping_retention', 'h.check_id')} as is_quarantined
    from heartbeats h join tenants t on t.id = h.tenant_id
    where ${isDue} and (${only}::uuid[] is null or h.check_id = any(${only}::uuid[]))
    order by h.trimmed_at limit ${sql.lit(page)} for update of h skip locked`
  if (found.length === 0) return []
  const kept = found.map(row => ({
    check_id: row.check_id,
    days: effectiveLimits(row.plan, row.feature_overrides).data_retention_days,
  }))
  await rows(client)`delete from pings p using json_to_recordset(${JSON.stringify(kept)}::json) as r(check_id uuid,
    days int) where p.check_id = r.check_id and p.at < clock_timestamp() - make_interval(days => r.days)`
  await rows(client)`update heartbeats set trimmed_at = clock_timestamp()
    where check_id = any(${found.map(row => row.check_id)}::uuid[])`
  return found.flatMap(row => (row.is_quarantined ? [row.check_id] : []))
}
