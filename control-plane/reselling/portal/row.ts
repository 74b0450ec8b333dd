import type { EntityManager } from '@mikro-orm/postgresql'
import { queries, type Row } from '#control-plane/db/queries.ts'

export type PortalRow = Omit<Row<'portals'>, 'tenant_id' | 'created_at' | 'updated_at'>

const unset: PortalRow = {
  slug: null,
  is_enabled: true,
  support_email: null,
  sign_up_enabled: false,
  sign_up_plan: null,
  sign_up_profile_id: null,
  sign_up_domains: [],
}

/** The settings of a tenant's portal; the defaults as long as none was changed. */
export async function readPortal(em: EntityManager, tenant: { id: string }): Promise<PortalRow> {
  const row = await selectPortal(em, tenant).executeTakeFirst()
  return row ?? unset
}

/** As `readPortal`, locked until the transaction ends. The row exists afterwards. */
export async function lockPortal(em: EntityManager, tenant: { id: string }): Promise<PortalRow> {
  await queries(em)
    .insertInto('portals')
    .values({ tenant_id: tenant.id })
    .onConflict(conflict => conflict.column('tenant_id').doNothing())
    .execute()
  return selectPortal(em, tenant).forUpdate().executeTakeFirstOrThrow()
}

const selectPortal = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('portals')
    .where('tenant_id', '=', tenant.id)
    .select([
      'slug',
      'is_enabled',
      'support_email',
      'sign_up_enabled',
      'sign_up_plan',
      'sign_up_profile_id',
      'sign_up_domains',
    ])
