import type { Pool } from 'pg'
import { isProbedKindName, kindNames } from '#checks/index.ts'
import { accessTimeoutMs, withQueryTimeout } from '#control-plane/base/db-timeouts.ts'
import { isOwnedSql, type OwnedShards } from '#control-plane/base/shards.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { isPausedByMaintenanceSql } from '#control-plane/engine/suppression/maintenance.ts'
import type { Policy } from '#control-plane/engine/verdicts/quorum.ts'

type Columns = Row<'checks', 'id' | 'monitor_id' | 'tenant_id' | 'type' | 'secrets' | 'interval' | 'severity'> &
  Row<'monitors', 'url' | 'check_interval' | 'timeout' | 'regions' | 'confirmations' | 'recovery_confirmations'> &
  Row<'monitors', 'depends_on'> &
  Row<'tenants', 'plan' | 'feature_overrides'>

/** A check to be run, as stored, with the columns of its monitor and its tenant that decide how. */
export interface CheckRow extends Columns {
  /** The JSON as text. */
  settings: string
  monitor_name: Row<'monitors', 'name'>['name']
  region_policy: Policy
}

export const pageSize = 2_000

// settings as text: most checks share theirs, and equal ones are parsed and kept once
const select = `
  select c.id, c.monitor_id, c.tenant_id, c.type, c.settings::text as settings, c.secrets, c.interval, c.severity,
         m.name as monitor_name, m.url, m.check_interval, m.timeout, m.regions, m.region_policy, m.confirmations,
         m.recovery_confirmations, m.depends_on,
         t.plan, t.feature_overrides
  from checks c
  join monitors m on m.id = c.monitor_id
  join tenants t on t.id = c.tenant_id
  where c.is_enabled and m.is_enabled and not m.held_by_plan and t.paused_at is null and t.deleted_at is null
    and not ${isPausedByMaintenanceSql('m')}`

/** Every check to be run of these shards, page by page. */
export async function* readAll(platform: Pool, shards: OwnedShards): AsyncGenerator<CheckRow[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await platform.query<CheckRow>({
      name: 'assignments-page',
      text: `${select} and c.id > $1 and ${isOwnedSql('c.tenant_id', '$2')} order by c.id limit ${pageSize}`,
      values: [after, shards.parameter],
    })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.id
  }
}

/** The checks of these monitors and tenants, of these shards. */
export async function readSome(
  platform: Pool,
  shards: OwnedShards,
  { monitors, tenants }: { monitors: string[]; tenants: string[] },
): Promise<CheckRow[]> {
  const parts: Promise<{ rows: CheckRow[] }>[] = []
  if (monitors.length > 0)
    parts.push(
      platform.query<CheckRow>({
        name: 'assignments-of-monitors',
        text: `${select} and c.monitor_id = any($1::uuid[]) and ${isOwnedSql('c.tenant_id', '$2')}`,
        values: [monitors, shards.parameter],
      }),
    )
  if (tenants.length > 0)
    parts.push(
      platform.query<CheckRow>({
        name: 'assignments-of-tenants',
        text: `${select} and c.tenant_id = any($1::uuid[]) and ${isOwnedSql('c.tenant_id', '$2')}`,
        values: [tenants, shards.parameter],
      }),
    )
  return (await Promise.all(parts)).flatMap(({ rows }) => rows)
}

const probed = withQueryTimeout(accessTimeoutMs, {
  name: 'has-checks',
  text: `select exists (${select} and c.type = any($1::text[])) as has`,
  values: [kindNames.filter(isProbedKindName)],
})

/** Whether regions have anything to do: a check that is run and not only reported. */
export async function hasChecks(platform: Pool): Promise<boolean> {
  const { rows } = await platform.query<{ has: boolean }>(probed)
  return rows[0]?.has ?? false
}
