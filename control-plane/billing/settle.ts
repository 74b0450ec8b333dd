import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { isUnlimited } from '#contract/plans.ts'
import { stamp } from '#contract/time.ts'
import { workflowId } from '#contract/workflows.ts'
import { changesOf } from '#control-plane/base/changes.ts'
import { queries, type Row, rows } from '#control-plane/db/queries.ts'
import { pauseOverPlan } from '#control-plane/monitoring/plans/pause-over-plan.ts'
import { type AuditActor, addAudit } from '#control-plane/outbox/audit.ts'
import { emitEvents, insertWorkflowsSql, wakeSql } from '#control-plane/outbox/emit.ts'
import { lockCount } from '#control-plane/tenancy/plans/enforce.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import { beyondPlan } from '#control-plane/tenancy/plans/over-plan.ts'
import { mailPayers } from './mail-payers.ts'
import { nextDue } from './next-due.ts'
import { payerFieldNames } from './payer.ts'
import { planInForce } from './plan-in-force.ts'
import { type SubscriptionRow, saveSubscription } from './row.ts'

/** When, by whom and under which name a subscription is changed. */
export interface Change {
  now: Date
  dayMs: number
  action: string
  actor?: AuditActor
}

type Changes = Partial<Omit<SubscriptionRow, 'tenant_id' | 'status' | 'plan_in_force' | 'grace_ends_at' | 'revision'>>

const audited = ['status', 'plan', 'interval', 'seats', 'pending_plan', 'pending_at', 'current_period_end'] as const

/**
 * Stores what changed of a subscription that the transaction has locked, and all that follows: its status, the plan of
 * the tenant with what exceeds it, events, mails, the audit entry and the workflow for what is due next. A second call
 * with the same changes alters nothing more.
 */
export async function settle(
  client: PoolClient,
  before: SubscriptionRow,
  changes: Changes,
  { now, dayMs, action, actor }: Change,
): Promise<SubscriptionRow> {
  const tenant = await readTenant(client, before.tenant_id)
  const inForce = planInForce({ ...before, ...changes }, now, dayMs)
  const isOwing = inForce.status === 'past_due' || inForce.status === 'grace'
  const after: SubscriptionRow = {
    ...before,
    ...changes,
    status: inForce.status,
    // the plan of a managed team is its reseller's to choose
    plan_in_force: tenant.is_managed ? before.plan_in_force : (inForce.plan as SubscriptionRow['plan']),
    grace_ends_at: inForce.grace_ends_at,
    grace_reminded_at: isOwing ? (changes.grace_reminded_at ?? before.grace_reminded_at) : null,
    revision: before.revision + 1,
  }
  after.next_due_at = nextDue(after, dayMs)
  await saveSubscription(client, after)
  if (after.next_due_at && after.next_due_at.getTime() !== before.next_due_at?.getTime())
    await startWorkflow(client, after, after.next_due_at.getTime())
  const names = audited.filter(name => plain(before[name]) !== plain(after[name]))
  const payer = payerFieldsOf(before, after)
  if (names.length > 0 || payer.length > 0)
    await addAudit(
      client,
      [
        {
          tenantId: after.tenant_id,
          action,
          type: 'subscription',
          id: after.tenant_id,
          changes: { ...changesOf(names, before, after), ...(payer.length > 0 && { payer: { changed: payer } }) },
          at: now,
        },
      ],
      actor,
    )
  if (after.plan_in_force !== before.plan_in_force) await changePlan(client, tenant, after)
  if (isOwing && before.status !== 'past_due' && before.status !== 'grace') await notifyOfFailure(client, tenant, after)
  return after
}

/** The fields of the payer that changed; the audit log has their names and not what they say of a person. */
const payerFieldsOf = (before: SubscriptionRow, after: SubscriptionRow): string[] =>
  payerFieldNames.filter(name => (before.payer[name] ?? null) !== (after.payer[name] ?? null))

const plain = (value: string | number | Date | null) => (value instanceof Date ? value.getTime() : value)

interface TenantOfBilling {
  id: string
  name: string
  is_managed: boolean
}

async function readTenant(client: PoolClient, id: string): Promise<TenantOfBilling> {
  const [found] = await rows(client)<TenantOfBilling>`
    select t.id, t.name, exists (select 1 from managed_teams m where m.tenant_id = t.id) as is_managed
    from tenants t where t.id = ${id}`
  return found!
}

const startWorkflow = (client: PoolClient, { tenant_id, revision }: SubscriptionRow, dueAtMs: number) =>
  rows(client)`with started as (${insertWorkflowsSql({
    tenant: sql`${tenant_id}::uuid`,
    workflow: 'billing',
    id: sql`${workflowId.billing(tenant_id, revision)}::text`,
    input: { tenantId: sql`${tenant_id}::uuid`, dueAtMs: sql`${dueAtMs}::bigint` },
    from: sql``,
  })}) select ${wakeSql} from started`

async function changePlan(
  client: PoolClient,
  tenant: TenantOfBilling,
  { plan_in_force: plan, status }: SubscriptionRow,
): Promise<void> {
  // before the tenant's row, in the same order as a create: two orders of locking would deadlock
  await lockCount(client, tenant, 'monitors')
  const own = queries(client).selectFrom('tenants').where('id', '=', tenant.id)
  const before = await own.select(['plan', 'feature_overrides']).forUpdate().executeTakeFirst()
  if (!before || (before.plan === plan && !isUnlimited(before.feature_overrides))) return
  // a plan that is paid for binds the team
  await rows(client)`update tenants set plan = ${plan}, feature_overrides = feature_overrides - 'unlimited',
      updated_at = clock_timestamp()
    where id = ${tenant.id}`
  await pauseOverPlan(client, tenant.id)
  await emitEvents(client, [
    {
      tenantId: tenant.id,
      name: 'billing.plan_changed',
      payload: { tenant_id: tenant.id, tenant_name: tenant.name, previous_plan: before.plan, plan, status },
    },
  ])
  await mailPayers(client, tenant.id, 'billing_plan_changed', {
    team_name: tenant.name,
    previous_plan: before.plan,
    plan,
    ...(await beyondPlan(client, tenant.id, await limitsNow(client, tenant.id))),
  })
}

async function notifyOfFailure(client: PoolClient, tenant: TenantOfBilling, row: SubscriptionRow): Promise<void> {
  const grace_ends_at = stamp(row.grace_ends_at) ?? ''
  await emitEvents(client, [
    {
      tenantId: tenant.id,
      name: 'billing.payment_failed',
      payload: { tenant_id: tenant.id, tenant_name: tenant.name, plan: row.plan, grace_ends_at },
    },
  ])
  await mailPayers(client, tenant.id, 'billing_payment_failed', await dunning(client, row, tenant.name))
}

/** What the mails about an open payment say. */
export async function dunning(client: PoolClient, row: SubscriptionRow, teamName: string) {
  const [found] = await rows(client)<Row<'invoices', 'hosted_url'>>`
    select hosted_url from invoices where tenant_id = ${row.tenant_id} and status = 'open'
    order by created_at desc, id limit 1`
  const url = found?.hosted_url
  return {
    team_name: teamName,
    plan: row.plan,
    grace_ends_at: stamp(row.grace_ends_at) ?? '',
    ...(url && { pay_url: url }),
  }
}
