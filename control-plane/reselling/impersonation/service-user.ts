import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { queries } from '#control-plane/db/queries.ts'

/**
 * The service user of the reseller inside a team, created on first use without a password and hidden from lists.
 * Its address is under `.invalid`, so it gets no mail. Call it under the team's lock.
 */
export async function serviceUserOf(em: EntityManager, tenantId: string): Promise<string> {
  const db = queries(em)
  const members = db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenantId)
  const known = await members.where('u.is_service', '=', true).select('u.id').limit(1).executeTakeFirst()
  if (known) return known.id
  const id = randomUUID()
  const email = `impersonation@${tenantId}.invalid`
  await db
    .insertInto('users')
    .values({ id, name: 'Impersonation', email, is_service: true, home_tenant_id: tenantId })
    .execute()
  await db
    .insertInto('memberships')
    .values({ user_id: id, tenant_id: tenantId, role: 'admin', is_service: true })
    .execute()
  return id
}
