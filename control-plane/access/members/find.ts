import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { fromMembers, type MemberRow, selectMembers } from './view.ts'

/** A person of this team, or a 404. */
export async function findMember(em: EntityManager, tenant: { id: string }, userId: string): Promise<MemberRow> {
  const [member] = await em.execute<MemberRow[]>(
    `select ${selectMembers} ${fromMembers} where m.tenant_id = ? and m.user_id = ?`,
    [tenant.id, userId],
  )
  if (!member) throw notFound('Member')
  return member
}

/** Whether a team would be without an owner if this person were none. Call it under `lockMembers`. */
export async function isLastOwner(em: EntityManager, tenant: { id: string }, member: MemberRow): Promise<boolean> {
  if (member.role !== 'owner') return false
  const others = await em.execute<unknown[]>(
    `select 1 from memberships m join users u on u.id = m.user_id and not u.is_service where m.tenant_id = ? and m.user_id <> ? and m.role = 'owner' limit 1`,
    [tenant.id, member.id],
  )
  return others.length === 0
}
