import { type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { effectiveLimits, isUnlimited, unlimited } from '#contract/plans.ts'
import { changesOf } from '#control-plane/base/changes.ts'
import { type FieldErrors, invalid, notFound } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, queries, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { onHoldChanged } from '#control-plane/monitoring/plans/hold-notice.ts'
import { pauseOverPlan } from '#control-plane/monitoring/plans/pause-over-plan.ts'
import { type AuditActor, addAudit } from '#control-plane/outbox/audit.ts'
import { keepAfterTrial } from '#control-plane/reselling/managed-teams/plan-after-trial.ts'
import { lockCount } from '#control-plane/tenancy/plans/enforce.ts'
import { mailAdministrators } from '#control-plane/tenancy/tenants/mail-administrators.ts'
import { loadTenant } from './find.ts'
import { tenantFields } from './input.ts'
import { TenantView } from './view.ts'

const body = z
  .object({
    name: tenantFields.name,
    plan: tenantFields.plan.meta({
      description: 'Monitors over the limit of the new plan are no longer checked; none is deleted.',
    }),
    is_unlimited: z.boolean().meta({
      description:
        'No plan binds the tenant. It ends when a plan is named. Refused for a team that a reseller manages.',
    }),
    is_reseller: z.boolean(),
    is_suspended: z.boolean().meta({
      description: 'Suspended: its tokens are refused, its checks do not run, its data is kept.',
    }),
    suspended_reason: tenantFields.suspended_reason.meta({
      description: 'For operators. It ends with the suspension.',
    }),
  })
  .partial()

export const updateTenant = endpoint({
  method: 'PATCH',
  path: '/tenants/{tenant}',
  summary: 'Update a tenant',
  description:
    'Its name, plan, role as a reseller and suspension. ' +
    'For operators. Recorded in the audit logs of the tenant and of the operator.',
  access: 'super-admin',
  body,
  returns: ok({ data: TenantView }),

  async handle({ params, body, services, caller, ip, requestId }) {
    const actor = { userId: caller.user?.id ?? null, tokenId: caller.tokenId, ip, requestId }
    await inTransaction(services.platform, client => changeTenant(client, params.tenant, body, actor, caller.tenant.id))
    return { data: await loadTenant(services.platform, params.tenant) }
  },
})

const changeable = ['name', 'plan', 'is_unlimited', 'is_reseller', 'is_suspended', 'suspended_reason'] as const

/**
 * Changes a tenant in the open transaction, and records it in its audit log and, where it is given, in that of the
 * operator's tenant. A plan that is named binds the tenant from then on.
 */
export async function changeTenant(
  client: PoolClient,
  id: string,
  wanted: z.output<typeof body>,
  actor: AuditActor = {},
  operatorTenantId: string = id,
): Promise<void> {
  const changesPlan = wanted.plan !== undefined || wanted.is_unlimited !== undefined
  const before = await lockTenant(client, id, changesPlan)
  await refuse(client, before, wanted)
  const after = {
    name: wanted.name ?? before.name,
    plan: wanted.plan ?? before.plan,
    is_unlimited: wanted.is_unlimited ?? (wanted.plan === undefined && before.is_unlimited),
    is_reseller: wanted.is_reseller ?? before.is_reseller,
    is_suspended: wanted.is_suspended ?? before.is_suspended,
    suspended_reason:
      wanted.is_suspended === false
        ? null
        : wanted.suspended_reason === undefined
          ? before.suspended_reason
          : wanted.suspended_reason,
  }
  const names = changeable.filter(name => before[name] !== after[name])
  if (names.length === 0) return
  await rows(
    client,
    // a suspension pauses the team, and its end leaves the team as its reseller wanted it meanwhile
    sql`update tenants set name = ${after.name}, plan = ${after.plan}, is_reseller = ${after.is_reseller},
        suspended_reason = ${after.suspended_reason}, updated_at = n.now,
        feature_overrides = feature_overrides - 'unlimited' || ${after.is_unlimited ? unlimited : {}}::jsonb,
        suspended_at = case when ${after.is_suspended} then coalesce(suspended_at, n.now) end,
        paused_at = case when ${after.is_suspended} then coalesce(paused_at, n.now)
          when suspended_at is not null then paused_before_suspension else paused_at end,
        paused_before_suspension = case when not ${after.is_suspended} then null
          when suspended_at is null then paused_at else paused_before_suspension end
      from (select clock_timestamp() as now) n where id = ${before.id}`,
  )
  if (changesPlan) {
    const change = await pauseOverPlan(client, before.id)
    const limits = effectiveLimits(before.plan, before.feature_overrides)
    const notice = await onHoldChanged(client, before.id, limits, change, new Date())
    if (notice) await mailAdministrators(client, before.id, 'on_hold_changed', notice)
  }
  if (after.plan !== before.plan) await keepAfterTrial(client, before.id, after.plan)
  const changes = changesOf(names, before, after)
  const action = !names.includes('is_suspended')
    ? 'tenant.updated'
    : after.is_suspended
      ? 'tenant.suspended'
      : 'tenant.unsuspended'
  const trails = [...new Set([before.id, operatorTenantId])]
  await addAudit(
    client,
    trails.map(tenantId => ({ tenantId, action, type: 'tenant', id: before.id, changes })),
    actor,
  )
}

type LockedTenant = Awaited<ReturnType<typeof lockTenant>>

async function lockTenant(client: PoolClient, id: string, changesPlan: boolean) {
  // before the tenant's row, in the same order as a create: two orders of locking would deadlock
  if (changesPlan) await lockCount(client, { id }, 'monitors')
  const row = await queries(client)
    .selectFrom('tenants')
    .where('id', '=', id)
    .select([
      'id',
      'name',
      'plan',
      'is_reseller',
      'suspended_at',
      'suspended_reason',
      'deleted_at',
      'feature_overrides',
    ])
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('Tenant')
  return {
    ...row,
    is_unlimited: isUnlimited(row.feature_overrides),
    is_suspended: row.suspended_at !== null,
    is_deleted: row.deleted_at !== null,
  }
}

/** Refuses changes that would lock an operator out or leave teams without a reseller. */
async function refuse(client: PoolClient, tenant: LockedTenant, changes: z.output<typeof body>): Promise<void> {
  const errors: FieldErrors = {}
  if (tenant.is_deleted) throw invalid({ tenant: ['Is deleted: it must be restored first.'] }, 'tenant_deleted')
  const isSuspended = changes.is_suspended ?? tenant.is_suspended
  if (changes.suspended_reason && !isSuspended)
    errors.suspended_reason = ['Belongs to a suspension: send is_suspended with it.']
  if (changes.is_suspended && (await exists(client, runsIt, tenant.id)))
    errors.is_suspended = ['An operator belongs to this tenant, and would be locked out.']
  if (changes.is_unlimited && (await exists(client, isManaged, tenant.id)))
    errors.is_unlimited = ['A reseller manages this tenant: its plan applies.']
  if (changes.is_reseller === true && !tenant.is_reseller && (await exists(client, isManaged, tenant.id)))
    errors.is_reseller = ['A reseller manages this tenant: it must be detached first.']
  if (changes.is_reseller === false && tenant.is_reseller && (await exists(client, manages, tenant.id)))
    errors.is_reseller = ['It manages teams: these must be detached or deleted first.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

const runsIt = (id: string) => sql`
  select 1 from memberships m join users u on u.id = m.user_id and u.is_super_admin where m.tenant_id = ${id}`
const isManaged = (id: string) => sql`select 1 from managed_teams where tenant_id = ${id}`
const manages = (id: string) => sql`select 1 from managed_teams where reseller_id = ${id}`

const exists = async (client: PoolClient, found: (id: string) => RawBuilder<unknown>, id: string): Promise<boolean> =>
  (await affected(client)`${found(id)} limit 1`) > 0
