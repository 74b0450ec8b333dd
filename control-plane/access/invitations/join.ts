import type { PoolClient } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import { queries, total } from '#control-plane/db/queries.ts'
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
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`team_members:${tenant.id}`])
  const joined = await client.query(
    `insert into memberships (user_id, tenant_id, role, invited_by) values ($1, $2, $3, $4)
     on conflict (user_id, tenant_id) do nothing`,
    [userId, tenant.id, role, invitedBy],
  )
  if (joined.rowCount !== 0) await refuseWithoutSeat(client, tenant)
  await client.query(
    `update invitations set status = 'accepted', accepted_at = now(), accepted_by = $2, updated_at = now()
     where id = $1`,
    [id, userId],
  )
  const entry = { tenantId: tenant.id, changes: { role } }
  const accepted = { ...entry, action: 'invitation.accepted', type: 'team_invitation' as const, id }
  const added = { ...entry, action: 'member.added', type: 'user' as const, id: userId }
  const actor = { userId, ip, requestId }
  if (joined.rowCount === 0) return addAudit(client, [accepted], actor)
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
