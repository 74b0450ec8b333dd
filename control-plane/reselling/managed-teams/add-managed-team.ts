import { randomUUID } from 'node:crypto'
import { type Db, queries } from '#control-plane/db/queries.ts'

/** Makes a tenant a managed team of a reseller and returns the id of the managed team. */
export async function addManagedTeam(
  db: Db,
  resellerId: string,
  tenantId: string,
  label: string | null,
): Promise<string> {
  const { id } = await queries(db)
    .insertInto('managed_teams')
    // a trigger copies name, slug and plan from the tenant
    .values({ id: randomUUID(), reseller_id: resellerId, tenant_id: tenantId, label, name: '', slug: '', plan: '' })
    .onConflict(conflict => conflict.column('tenant_id').doUpdateSet({ label }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
