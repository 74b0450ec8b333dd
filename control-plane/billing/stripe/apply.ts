import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { InvoiceStatus, PriceList } from '#contract/billing.ts'
import { stamp } from '#contract/time.ts'
import { notifyOfPayment } from '#control-plane/billing/invoices.ts'
import { payerOf } from '#control-plane/billing/payer.ts'
import type { SubscriptionRow } from '#control-plane/billing/row.ts'
import { type Change, settle } from '#control-plane/billing/settle.ts'
import { collectionOf, isNewerInvoice, type KnownSubscription } from './merge.ts'
import {
  invoiceStatusOf,
  momentOf,
  type StripeInvoice,
  type StripeSchedule,
  type StripeSubscription,
} from './objects.ts'

/** What is stored of a subscription, as the order of events is decided by it. */
export function knownOf({ subscription_ref, subscription_created_at, seen_at, collection }: SubscriptionRow) {
  if (!subscription_ref || !subscription_created_at || !seen_at) return null
  const secondsOf = (date: Date) => Math.floor(date.getTime() / 1_000)
  const known: KnownSubscription = {
    id: subscription_ref,
    createdS: secondsOf(subscription_created_at),
    seenS: secondsOf(seen_at),
    collection,
  }
  return known
}

export interface SeenSubscription {
  object: StripeSubscription
  seenS: number
  /** The schedule that the subscription names, where it is not the one that is stored. */
  schedule: StripeSchedule | null
}

/** Stores the state of a subscription that is newer than the one stored, with all that follows. */
export async function applySubscription(
  client: PoolClient,
  row: SubscriptionRow,
  seen: SeenSubscription,
  prices: PriceList,
  change: Change,
): Promise<SubscriptionRow> {
  const { object, seenS } = seen
  const item = object.items.data[0]!
  const price = prices.find(each => each.stripe_price === item.price.id)
  const collection = collectionOf(object)
  const isOver = collection === 'canceled' || collection === 'none'
  if (!price && !isOver) throw new Error(`BILLING_PRICES has no stripe_price ${item.price.id}, which a tenant has.`)
  const start = item.current_period_start ?? object.current_period_start
  const end = item.current_period_end ?? object.current_period_end
  const isSame = row.subscription_ref === object.id
  return settle(
    client,
    row,
    {
      provider: 'stripe',
      subscription_ref: object.id,
      subscription_created_at: momentOf(object.created),
      seen_at: momentOf(seenS),
      collection,
      plan: price?.plan ?? row.plan,
      interval: price?.interval ?? row.interval,
      currency: object.currency ?? price?.currency ?? row.currency,
      seats: item.quantity,
      current_period_start: start === undefined ? null : momentOf(start),
      current_period_end: end === undefined ? null : momentOf(end),
      past_due_since:
        collection === 'past_due' || collection === 'unpaid'
          ? ((await firstFailure(client, row.tenant_id, object.id)) ??
            (isSame ? row.past_due_since : null) ??
            momentOf(seenS))
          : null,
      ...pendingOf(seen, prices, isOver, end),
    },
    change,
  )
}

/** What is to change at the end of the period. */
function pendingOf(
  { object, schedule }: SeenSubscription,
  prices: PriceList,
  isOver: boolean,
  end: number | undefined,
): Pick<SubscriptionRow, 'pending_plan' | 'pending_interval' | 'pending_at' | 'schedule_ref'> {
  const nothing = { pending_plan: null, pending_interval: null, pending_at: null, schedule_ref: null }
  if (isOver) return nothing
  if (object.cancel_at_period_end)
    return { ...nothing, pending_plan: 'free', pending_at: end === undefined ? null : momentOf(end) }
  if (!object.schedule) return nothing
  const present = object.items.data[0]!.price.id
  const laterPrices = schedule?.phases.flatMap(phase =>
    phase.start_date >= (end ?? 0)
      ? phase.items.slice(0, 1).map(item => ({ at: phase.start_date, id: item.price }))
      : [],
  )
  const next = laterPrices?.find(({ id }) => id !== present)
  const price = next && prices.find(each => each.stripe_price === next.id)
  if (!price) return { ...nothing, schedule_ref: object.schedule }
  return {
    pending_plan: price.plan,
    pending_interval: price.interval,
    pending_at: momentOf(next.at),
    schedule_ref: object.schedule,
  }
}

async function firstFailure(client: PoolClient, tenantId: string, subscription: string): Promise<Date | null> {
  const { rows } = await client.query<{ first: Date | null }>(
    `select min(failed_at) as first from invoices where tenant_id = $1 and provider = 'stripe' and subscription_ref = $2
     and status in ('open', 'uncollectible')`,
    [tenantId, subscription],
  )
  return rows[0]!.first
}

interface StoredInvoice {
  id: string
  status: InvoiceStatus
  attempts: number
  seen_at: Date
  failed_at: Date | null
}

const insert = `
  insert into invoices (id, tenant_id, provider, provider_ref, subscription_ref, created_at, reason, seen_at)
  values ($1, $2, 'stripe', $3, $4, $5, $6, '-infinity') on conflict do nothing`

const update = `
  update invoices set status = $3, number = $4, seats = $5, currency = $6, subtotal = $7, tax = $8, total = $9,
    amount_paid = $10, lines = $11, payer = $12, period_start = $13, period_end = $14, issued_at = $15, due_at = $16,
    paid_at = $17, attempts = $18, hosted_url = $19, seen_at = $20,
    updated_at = clock_timestamp()
  where tenant_id = $1 and id = $2`

/**
 * Stores what an event says of an invoice, unless it is known better, and what follows: a payment ends what is owed, a
 * failure begins the grace period. `seenS`: when the event happened.
 */
export async function applyInvoice(
  client: PoolClient,
  row: SubscriptionRow,
  { object, seenS, isFailure }: { object: StripeInvoice; seenS: number; isFailure: boolean },
  change: Change,
): Promise<'applied' | 'stale'> {
  const subscription = object.subscription ?? object.parent?.subscription_details?.subscription ?? null
  await client.query(insert, [
    ...[randomUUID(), row.tenant_id, object.id, subscription, momentOf(object.created)],
    object.billing_reason ?? 'manual',
  ])
  const { rows } = await client.query<StoredInvoice>(
    `select id, status, attempts, case when isfinite(seen_at) then seen_at else 'epoch' end as seen_at, failed_at
     from invoices where provider = 'stripe' and provider_ref = $1 and tenant_id = $2 for update`,
    [object.id, row.tenant_id],
  )
  const stored = rows[0]
  if (!stored) return 'stale'
  const given = { status: invoiceStatusOf(object.status), attempts: object.attempt_count, seenS }
  const isNewer =
    stored.seen_at.getTime() === 0 || isNewerInvoice({ ...stored, seenS: stored.seen_at.getTime() / 1_000 }, given)
  const failedAt = momentOf(seenS)
  const isEarlierFailure = isFailure && (stored.failed_at === null || failedAt < stored.failed_at)
  if (isEarlierFailure) await client.query('update invoices set failed_at = $2 where id = $1', [stored.id, failedAt])
  if (isNewer) await store(client, row, stored.id, object, seenS)
  if (!isNewer && !isEarlierFailure) return 'stale'
  if (isNewer && given.status === 'paid' && stored.status !== 'paid')
    await notifyOfPayment(
      client,
      {
        id: stored.id,
        tenant_id: row.tenant_id,
        number: object.number ?? null,
        currency: object.currency,
        total: Math.max(0, object.total),
        hosted_url: object.hosted_invoice_url,
      },
      momentOf(object.status_transitions?.paid_at ?? seenS),
    )
  if (row.past_due_since && row.subscription_ref === subscription && subscription) {
    const first = await firstFailure(client, row.tenant_id, subscription)
    if (first && first.getTime() !== row.past_due_since.getTime())
      await settle(client, row, { past_due_since: first }, change)
  }
  return 'applied'
}

async function store(client: PoolClient, row: SubscriptionRow, id: string, object: StripeInvoice, seenS: number) {
  const momentOrNull = (s: number | null | undefined) => (s === null || s === undefined ? null : momentOf(s))
  const status = invoiceStatusOf(object.status)
  const taxes = object.total_taxes?.reduce((sum, { amount }) => sum + amount, 0)
  const [line] = object.lines.data
  const lines = object.lines.data.map(({ description, amount, quantity, period }) => ({
    description: description ?? '',
    quantity: quantity ?? 1,
    amount,
    period_start: stamp(momentOf(period.start)),
    period_end: stamp(momentOf(period.end)),
  }))
  const transitions = object.status_transitions
  await client.query(update, [
    ...[row.tenant_id, id, status, object.number ?? null, line?.quantity ?? 1, object.currency],
    ...[object.subtotal, object.tax ?? taxes ?? 0, object.total, object.amount_paid],
    ...[JSON.stringify(lines), JSON.stringify(payerOf(row.payer))],
    ...[momentOf(line?.period.start ?? object.period_start), momentOf(line?.period.end ?? object.period_end)],
    ...[momentOrNull(transitions?.finalized_at), momentOrNull(object.due_date)],
    status === 'paid' ? momentOf(transitions?.paid_at ?? seenS) : null,
    ...[object.attempt_count, object.hosted_invoice_url, momentOf(seenS)],
  ])
}
