import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { InvoiceStatus, PriceList } from '#contract/billing.ts'
import { stamp } from '#contract/time.ts'
import { notifyOfPayment } from '#control-plane/billing/invoices.ts'
import { payerOf } from '#control-plane/billing/payer.ts'
import type { SubscriptionRow } from '#control-plane/billing/row.ts'
import { type Change, settle } from '#control-plane/billing/settle.ts'
import { json, type Row, rows, withDates } from '#control-plane/db/queries.ts'
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
  const [found] = await rows(client)<{ first: string | null }>`
    select min(failed_at) as first from invoices where tenant_id = ${tenantId} and provider = 'stripe'
    and subscription_ref = ${subscription} and status in ('open', 'uncollectible')`
  return found!.first === null ? null : new Date(found!.first)
}

interface StoredInvoice {
  id: string
  status: InvoiceStatus
  attempts: number
  seen_at: Date
  failed_at: Date | null
}

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
  await rows(client)`
    insert into invoices (id, tenant_id, provider, provider_ref, subscription_ref, created_at, reason, seen_at)
    values (${randomUUID()}, ${row.tenant_id}, 'stripe', ${object.id}, ${subscription}, ${momentOf(object.created)},
      ${object.billing_reason ?? 'manual'}, '-infinity') on conflict do nothing`
  const [found] = await rows(client)<Row<'invoices', 'id' | 'status' | 'attempts' | 'seen_at' | 'failed_at'>>`
    select id, status, attempts, case when isfinite(seen_at) then seen_at else 'epoch' end as seen_at, failed_at
    from invoices where provider = 'stripe' and provider_ref = ${object.id} and tenant_id = ${row.tenant_id}
    for update`
  if (!found) return 'stale'
  const stored = withDates(found, 'seen_at', 'failed_at') as StoredInvoice
  const given = { status: invoiceStatusOf(object.status), attempts: object.attempt_count, seenS }
  const isNewer =
    stored.seen_at.getTime() === 0 || isNewerInvoice({ ...stored, seenS: stored.seen_at.getTime() / 1_000 }, given)
  const failedAt = momentOf(seenS)
  const isEarlierFailure = isFailure && (stored.failed_at === null || failedAt < stored.failed_at)
  if (isEarlierFailure) await rows(client)`update invoices set failed_at = ${failedAt} where id = ${stored.id}`
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
  const { start, end } = line?.period ?? { start: object.period_start, end: object.period_end }
  const paidAt = status === 'paid' ? momentOf(transitions?.paid_at ?? seenS) : null
  await rows(client)`
    update invoices set status = ${status}, number = ${object.number ?? null}, seats = ${line?.quantity ?? 1},
      currency = ${object.currency}, subtotal = ${object.subtotal}, tax = ${object.tax ?? taxes ?? 0},
      total = ${object.total}, amount_paid = ${object.amount_paid}, lines = ${json(lines)},
      payer = ${json(payerOf(row.payer))}, period_start = ${momentOf(start)}, period_end = ${momentOf(end)},
      issued_at = ${momentOrNull(transitions?.finalized_at)}, due_at = ${momentOrNull(object.due_date)},
      paid_at = ${paidAt}, attempts = ${object.attempt_count}, hosted_url = ${object.hosted_invoice_url},
      seen_at = ${momentOf(seenS)}, updated_at = clock_timestamp()
    where tenant_id = ${row.tenant_id} and id = ${id}`
}
