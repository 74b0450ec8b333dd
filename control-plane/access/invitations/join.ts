import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import { queries, total } from '#control-plane/db/queries.ts'
import type { Traces } from '#control-plane/outbox/audit.ts'
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
  const audit = `insert into audit_entries (id, tenant_id, user_id, action, entity_type, entity_id, changes, ip, request_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
  const trace = [ip || null, requestId]
  await client.query(audit, [
    randomUUID(),
    tenant.id,
    userId,
    'invitation.accepted',
    'team_invitation',
    id,
    JSON.stringify({ role }),
    ...trace,
  ])
  if (joined.rowCount === 0) return
  await client.query(audit, [
    randomUUID(),
    tenant.id,
    userId,
    'member.added',
    'user',
    userId,
    JSON.stringify({ role }),
    ...trace,
  ])
  await client.query(`insert into outbox (tenant_id, kind, name, payload) values ($1, 'event', 'member.added', $2)`, [
    tenant.id,
    JSON.stringify({ tenant_id: tenant.id, user_id: userId, role }),
  ])
  await client.query(`select pg_notify('outbox', '')`)
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
