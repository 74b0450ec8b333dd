import type { EntityManager } from '@mikro-orm/postgresql'
import { type Branding, brandingFields, unset } from './fields.ts'

/** Columns of `Branding`, of `brandings` known as `b`. */
export const selectBranding = brandingFields.map(name => `b.${name}`).join(', ')

/** What a tenant has set for itself. */
export async function readBranding(em: EntityManager, tenant: { id: string }): Promise<Branding> {
  const [row] = await em.execute<Branding[]>(`select ${selectBranding} from brandings b where b.tenant_id = ?`, [
    tenant.id,
  ])
  return row ?? unset
}

/** As `readBranding`; others who change it wait until this transaction ends. */
export async function lockBranding(em: EntityManager, tenant: { id: string }): Promise<Branding> {
  await em.execute('insert into brandings (tenant_id) values (?) on conflict do nothing', [tenant.id])
  const [row] = await em.execute<Branding[]>(
    `select ${selectBranding} from brandings b where b.tenant_id = ? for update`,
    [tenant.id],
  )
  return row ?? unset
}
