import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { BillingStatus, Interval, ProviderName } from '#contract/billing.ts'
import type { Plan } from '#contract/plans.ts'
import type { Payer } from '#control-plane/db/model/shapes.ts'
import { json, queries, type Row, rows, withDates } from '#control-plane/db/queries.ts'
import type { Collection } from './plan-in-force.ts'

/** A subscription as jobs and handlers of changes work with it. */
export interface SubscriptionRow {
  tenant_id: string
  provider: ProviderName
  customer_ref: string | null
  subscription_ref: string | null
  subscription_created_at: Date | null
  schedule_ref: string | null
  collection: Collection
  status: BillingStatus
  plan: Plan
  plan_in_force: Plan
  interval: Interval | null
  currency: string | null
  seats: number
  current_period_start: Date | null
  current_period_end: Date | null
  pending_plan: Plan | null
  pending_interval: Interval | null
  pending_at: Date | null
  past_due_since: Date | null
  grace_ends_at: Date | null
  grace_reminded_at: Date | null
  invoiced_from: Date | null
  payer: Payer
  seen_at: Date | null
  revision: number
  next_due_at: Date | null
}

const columns = [
  'provider',
  'customer_ref',
  'subscription_ref',
  'subscription_created_at',
  'schedule_ref',
  'collection',
  'status',
  'plan',
  'plan_in_force',
  'interval',
  'currency',
  'seats',
  'current_period_start',
  'current_period_end',
  'pending_plan',
  'pending_interval',
  'pending_at',
  'past_due_since',
  'grace_ends_at',
  'grace_reminded_at',
  'invoiced_from',
  'payer',
  'seen_at',
  'revision',
  'next_due_at',
] as const satisfies readonly Exclude<keyof SubscriptionRow, 'tenant_id'>[]

const moments = [
  'subscription_created_at',
  'current_period_start',
  'current_period_end',
  'pending_at',
  'past_due_since',
  'grace_ends_at',
  'grace_reminded_at',
  'invoiced_from',
  'seen_at',
  'next_due_at',
] as const

/** Locks the subscription of a tenant; a tenant without one gets an empty one of this provider. */
export async function lockSubscription(
  client: PoolClient,
  tenantId: string,
  provider: ProviderName,
): Promise<SubscriptionRow> {
  await queries(client)
    .insertInto('subscriptions')
    .values({ tenant_id: tenantId, provider })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return (await lockExisting(client, tenantId))!
}

/** Locks the subscription of a tenant, if it has one. */
export async function lockExisting(client: PoolClient, tenantId: string): Promise<SubscriptionRow | undefined> {
  const [row] = await rows(client)<Row<'subscriptions', 'tenant_id' | (typeof columns)[number]>>`
    select tenant_id, ${sql.join(columns.map(name => sql.ref(name)))} from subscriptions
      where tenant_id = ${tenantId} for update`
  return row && (withDates(row, ...moments) as SubscriptionRow)
}

/** The tenant of a customer of Stripe. */
export async function tenantOfCustomer(client: PoolClient, customer: string): Promise<string | undefined> {
  const subscriptions = queries(client).selectFrom('subscriptions').where('customer_ref', '=', customer)
  return (await subscriptions.select('tenant_id').executeTakeFirst())?.tenant_id
}

export async function saveSubscription(client: PoolClient, row: SubscriptionRow): Promise<void> {
  const changes = columns.map(name => sql`${sql.ref(name)} = ${name === 'payer' ? json(row.payer) : row[name]}`)
  await rows(client)`update subscriptions set ${sql.join(changes)}, updated_at = clock_timestamp()
    where tenant_id = ${row.tenant_id}`
}
