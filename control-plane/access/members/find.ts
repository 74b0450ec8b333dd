import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { type MemberRow, selectMembers } from './view.ts'

/** A person of this team, or a 404. */
export async function findMember(em: EntityManager, tenant: { id: string }, userId: string): Promise<MemberRow> {
  const member = await selectMembers(em, tenant).where('m.user_id', '=', userId).executeTakeFirst()
  if (!member) throw notFound('Member')
  return member
}

/** Whether this person is the last active owner of the team. Call it under `lockMembers`. */
export async function isLastOwner(em: EntityManager, tenant: { id: string }, member: MemberRow): Promise<boolean> {
  if (member.role !== 'owner' || member.status === 'disabled') return false
  const other = await queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('u.is_service', '=', false)
    .where('m.tenant_id', '=', tenant.id)
    .where('m.user_id', '<>', member.id)
    .where('m.role', '=', 'owner')
    .where('m.disabled_at', 'is', null)
    .select('u.id')
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}
