import type { PoolClient } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import { advisoryLock, affected, queries, rows, total } from '#control-plane/db/queries.ts'
import { addAudit, type Traces } from '#control-plane/outbox/audit.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { refuseBeyondPlan } from '#control-plane/tenancy/plans/enforce.ts'
import type { OpenInvitation } from './open.ts'

/** Makes a person a member by an invitation that the transaction has locked. Its seat is refused if the plan shrank. */
export async function join(
  client: PoolClient,
  { id, role, tenant, invitedBy }: OpenInvitation,
  userId: string,
  { ip, requestId }: Traces,
): Promise<void> {
  await advisoryLock(client, `team_members:${tenant.id}`)
  const joined = await affected(client)`insert into memberships (user_id, tenant_id, role, invited_by)
    values (${userId}, ${tenant.id}, ${role}, ${invitedBy}) on conflict (user_id, tenant_id) do nothing`
  if (joined !== 0) await refuseWithoutSeat(client, tenant)
  await rows(client)`update invitations set status = 'accepted', accepted_at = now(), accepted_by = ${userId},
    updated_at = now() where id = ${id}`
  const entry = { tenantId: tenant.id, changes: { role } }
  const accepted = { ...entry, action: 'invitation.accepted', type: 'team_invitation' as const, id }
  const added = { ...entry, action: 'member.added', type: 'user' as const, id: userId }
  const actor = { userId, ip, requestId }
  if (joined === 0) return addAudit(client, [accepted], actor)
  await addAudit(client, [accepted, added], actor)
  const payload = { tenant_id: tenant.id, user_id: userId, role }
  await emitEvents(client, [{ tenantId: tenant.id, name: 'member.added', payload }])
}

async function refuseWithoutSeat(client: PoolClient, tenant: OpenInvitation['tenant']): Promise<void> {
  const members = await queries(client)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('u.is_service', '=', false)
    .where('m.tenant_id', '=', tenant.id)
    .select(total)
    .executeTakeFirstOrThrow()
  refuseBeyondPlan(effectiveLimits(tenant.plan, tenant.featureOverrides), 'team_members', members.total - 1, 1)
}
