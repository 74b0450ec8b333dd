import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { accessTimeoutMs } from '#control-plane/base/db-timeouts.ts'
import { forbidden, notFound } from '#control-plane/base/refusal.ts'
import { prepared, queries, type Row, rows } from '#control-plane/db/queries.ts'
import { type TenantRow, tenantColumns, tenantContext } from '#control-plane/tenancy/tenants/context.ts'

const find = prepared(
  'find-team',
  (id: string) => sql<TenantRow & Row<'managed_teams', 'id' | 'reseller_id'>>`
    select m.id, m.reseller_id, ${tenantColumns('t')} from managed_teams m
    join tenants t on t.id = m.tenant_id where m.id = ${id} and m.deleted_at is null and t.deleted_at is null`,
  { timeoutMs: accessTimeoutMs },
)

/** A managed team of any reseller that is not deleted. */
export async function findTeam(
  platform: Pool,
  id: string,
): Promise<{ id: string; resellerId: string; tenant: TenantContext } | null> {
  const [row] = await rows(platform, find(id))
  return row ? { id: row.id, resellerId: row.reseller_id, tenant: tenantContext(row) } : null
}

/** Refuses an id that is no team of this reseller: 403 for another reseller's team, deleted or not, else 404. */
export async function refuseUnknown(platform: Pool, reseller: { id: string }, id: string): Promise<never> {
  const team = await queries(platform)
    .selectFrom('managed_teams')
    .where('id', '=', id)
    .select('reseller_id')
    .executeTakeFirst()
  if (team && team.reseller_id !== reseller.id) throw forbidden('You do not manage this team.', 'team_not_managed')
  throw notFound('Managed team')
}
