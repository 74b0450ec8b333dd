import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { queries } from '#control-plane/db/queries.ts'
import { type Branding, brandingFields, unset } from './fields.ts'

/** Columns of `Branding`, of `brandings` known as `b`. */
export const selectBranding = sql.join(brandingFields.map(name => sql.ref(`b.${name}`)))

const selectOwn = (em: EntityManager, tenant: { id: string }) =>
  queries(em).selectFrom('brandings').where('tenant_id', '=', tenant.id).select(brandingFields).$castTo<Branding>()

/** What a tenant has set for itself. */
export const readBranding = async (em: EntityManager, tenant: { id: string }): Promise<Branding> =>
  (await selectOwn(em, tenant).executeTakeFirst()) ?? unset

/** As `readBranding`; others who change it wait until this transaction ends. */
export async function lockBranding(em: EntityManager, tenant: { id: string }): Promise<Branding> {
  await queries(em)
    .insertInto('brandings')
    .values({ tenant_id: tenant.id })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return (await selectOwn(em, tenant).forUpdate().executeTakeFirst()) ?? unset
}
