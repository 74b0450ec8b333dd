import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'

/**
 * The person who stands for the reseller inside a team: made when first needed, without a password and in no list.
 * An address under `.invalid` reaches nobody. Call it under the team's lock.
 */
export async function serviceUserOf(em: EntityManager, tenantId: string): Promise<string> {
  const [known] = await em.execute<{ id: string }[]>(
    'select u.id from memberships m join users u on u.id = m.user_id where m.tenant_id = ? and u.is_service limit 1',
    [tenantId],
  )
  if (known) return known.id
  const id = randomUUID()
  await em.execute('insert into users (id, name, email, is_service, home_tenant_id) values (?, ?, ?, true, ?)', [
    id,
    'Impersonation',
    `impersonation@${tenantId}.invalid`,
    tenantId,
  ])
  await em.execute(`insert into memberships (user_id, tenant_id, role) values (?, ?, 'admin')`, [id, tenantId])
  return id
}
