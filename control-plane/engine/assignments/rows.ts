import { sql } from 'kysely'
import type { Pool } from 'pg'
import { isProbedKindName, kindNames } from '#checks/index.ts'
import { accessTimeoutMs } from '#control-plane/base/db-timeouts.ts'
import { isOwnedSql, type OwnedShards } from '#control-plane/base/shards.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
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
const select = sql`
  select c.id, c.monitor_id, c.tenant_id, c.type, c.settings::text as settings, c.secrets, c.interval, c.severity,
         m.name as monitor_name, m.url, m.check_interval, m.timeout, m.regions, m.region_policy, m.confirmations,
         m.recovery_confirmations, m.depends_on,
         t.plan, t.feature_overrides
  from checks c
  join monitors m on m.id = c.monitor_id
  join tenants t on t.id = c.tenant_id
  where c.is_enabled and m.is_enabled and not m.held_by_plan and t.paused_at is null and t.deleted_at is null
    and not ${isPausedByMaintenanceSql('m')}`

const page = prepared(
  'assignments-page',
  (after: string, shards: OwnedShards['parameter']) => sql<CheckRow>`
    ${select} and c.id > ${after} and ${isOwnedSql('c.tenant_id', shards)} order by c.id limit ${sql.lit(pageSize)}`,
)

/** Every check to be run of these shards, page by page. */
export async function* readAll(platform: Pool, shards: OwnedShards): AsyncGenerator<CheckRow[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const found = await rows(platform, page(after, shards.parameter))
    if (found.length > 0) yield found
    const last = found.at(-1)
    if (!last || found.length < pageSize) return
    after = last.id
  }
}

const of = (name: string, column: 'c.monitor_id' | 'c.tenant_id') =>
  prepared(
    name,
    (ids: readonly string[], shards: OwnedShards['parameter']) => sql<CheckRow>`
      ${select} and ${sql.ref(column)} = any(${ids}::uuid[]) and ${isOwnedSql('c.tenant_id', shards)}`,
  )
const ofMonitors = of('assignments-of-monitors', 'c.monitor_id')
const ofTenants = of('assignments-of-tenants', 'c.tenant_id')

/** The checks of these monitors and tenants, of these shards. */
export async function readSome(
  platform: Pool,
  shards: OwnedShards,
  { monitors, tenants }: { monitors: string[]; tenants: string[] },
): Promise<CheckRow[]> {
  const found = await Promise.all([
    monitors.length > 0 ? rows(platform, ofMonitors(monitors, shards.parameter)) : [],
    tenants.length > 0 ? rows(platform, ofTenants(tenants, shards.parameter)) : [],
  ])
  return found.flat()
}

const hasAny = prepared(
  'has-checks',
  (kinds: readonly string[]) => sql<Has>`select exists (${select} and c.type = any(${kinds}::text[])) as has`,
  { timeoutMs: accessTimeoutMs },
)

interface Has {
  has: boolean
}

/** Whether regions have anything to do: a check that is run and not only reported. */
export async function hasChecks(platform: Pool): Promise<boolean> {
  const [found] = await rows(platform, hasAny(kindNames.filter(isProbedKindName)))
  return found?.has ?? false
}
