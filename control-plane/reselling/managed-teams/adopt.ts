import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { queries } from '#control-plane/db/queries.ts'

/** Puts a tenant under a reseller's care and answers the id of the managed team. */
export async function adoptTenant(db: Pool | PoolClient, resellerId: string, tenantId: string, label: string | null): Promise<string> {
  // name, slug and plan are copied from the tenant by a trigger
  const copied = { name: '', slug: '', plan: '' }
  const { id } = await queries(db)
    .insertInto('managed_teams')
    .values({ id: randomUUID(), reseller_id: resellerId, tenant_id: tenantId, label, ...copied })
    .onConflict(conflict => conflict.column('tenant_id').doUpdateSet({ label }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
