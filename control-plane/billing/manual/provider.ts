import type { PoolClient } from 'pg'
import { daysAfter } from '#contract/time.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { endOf } from '#control-plane/billing/amounts.ts'
import { isLive } from '#control-plane/billing/direction.ts'
import { findPrice } from '#control-plane/billing/find-price.ts'
import { creditsOf, issueInvoice, voidOpen } from '#control-plane/billing/invoices.ts'
import { type Pending, refuseUnlessPending } from '#control-plane/billing/pending.ts'
import { graceDays } from '#control-plane/billing/plan-in-force.ts'
import type { BillingContext, PlanRequest, Provider } from '#control-plane/billing/provider.ts'
import { lacking, pricesOf } from '#control-plane/billing/provider.ts'
import { lockSubscription, type SubscriptionRow } from '#control-plane/billing/row.ts'
import { seatsOf } from '#control-plane/billing/seats.ts'
import { settle } from '#control-plane/billing/settle.ts'
import { payInvoice } from './pay.ts'

const dayMs = 86_400_000

const notActive = () => new Refusal(422, 'subscription_not_active', 'There is no subscription that goes on.')

type Work = (client: PoolClient, row: SubscriptionRow) => Promise<unknown>

const locked = async ({ services, tenant }: BillingContext, work: Work): Promise<void> => {
  await inTransaction(services.platform, async client =>
    work(client, await lockSubscription(client, tenant.id, 'manual')),
  )
}

/** How changes of a request are stored. */
const by = (action: string, { now, actor }: BillingContext) => ({ now, dayMs, action, actor })

/** An upgrade waits for the payment of its invoice. All else is known to be paid, or costs less. */
async function change(context: BillingContext, request: PlanRequest, client: PoolClient, row: SubscriptionRow) {
  const { now, tenant } = context
  const price = findPrice(pricesOf(context.services), request.plan, request.interval)
  if (row.collection === 'past_due' || row.collection === 'unpaid')
    throw new Refusal(422, 'payment_due', 'A payment is open: pay it first, or cancel.')
  if (!isLive(row) || (request.isNow && price.amount > 0 && !isCheaper(context, row, request))) {
    await voidOpen(client, tenant.id, ['start', 'change'])
    const isFirst = !isLive(row)
    const invoice = await issueInvoice(client, row, now, {
      reason: isFirst ? 'start' : 'change',
      price,
      seats: await seatsOf(client, tenant.id),
      period: { start: now, end: endOf(now, price.interval) },
      dueAt: daysAfter(now, graceDays),
      credits: isFirst ? [] : await creditsOf(client, tenant.id, now),
    })
    const changes = { pending_plan: request.plan, pending_interval: request.interval, pending_at: null }
    const pending = await settle(client, row, changes, by('subscription.change_requested', context))
    if (invoice.total === 0) await payInvoice(client, pending, invoice.id, { ...by('subscription.changed', context) })
    return
  }
  await voidOpen(client, tenant.id, ['start', 'change', 'renewal'])
  const isDue = request.isNow
  await settle(
    client,
    row,
    {
      ...(isDue && { plan: request.plan, interval: request.interval }),
      pending_plan: isDue ? null : request.plan,
      pending_interval: isDue ? null : request.interval,
      pending_at: isDue ? null : row.current_period_end,
      invoiced_from: null,
    },
    by(isDue ? 'subscription.changed' : 'subscription.change_requested', context),
  )
}

/** Whether a change at once asks for no payment: the rest of the period is used up under the lower plan. */
function isCheaper({ services }: BillingContext, row: SubscriptionRow, { plan, interval }: PlanRequest): boolean {
  if (row.interval !== interval) return false
  const priceOf = (name: string) => pricesOf(services).find(each => each.plan === name && each.interval === interval)
  return (priceOf(plan)?.amount ?? 0) <= (priceOf(row.plan)?.amount ?? 0)
}

async function cancel(context: BillingContext, isNow: boolean, client: PoolClient, row: SubscriptionRow) {
  const isWaiting = row.pending_plan !== null && row.pending_at === null
  if (!isLive(row) && !isWaiting) throw notActive()
  await voidOpen(client, row.tenant_id, ['start', 'change', 'renewal'])
  const nothing = { pending_plan: null, pending_interval: null, pending_at: null }
  if (!isLive(row)) return settle(client, row, nothing, by('subscription.change_canceled', context))
  // what is owed is no longer asked for, and what was paid is used up
  if (isNow || row.collection !== 'active' || !row.current_period_end)
    return settle(
      client,
      row,
      { ...nothing, collection: 'canceled', past_due_since: null, current_period_end: context.now },
      by('subscription.canceled', context),
    )
  return settle(
    client,
    row,
    { pending_plan: 'free', pending_interval: null, pending_at: row.current_period_end, invoiced_from: null },
    by('subscription.cancel_requested', context),
  )
}

async function keep(context: BillingContext, what: Pending, client: PoolClient, row: SubscriptionRow) {
  refuseUnlessPending(row, what)
  await voidOpen(client, row.tenant_id, row.pending_at === null ? ['start', 'change'] : ['renewal'])
  const nothing = { pending_plan: null, pending_interval: null, pending_at: null }
  const changes = row.pending_at === null ? nothing : { ...nothing, invoiced_from: null }
  await settle(client, row, changes, by('subscription.change_canceled', context))
}

/** Payments arrive by bank transfer or otherwise, and an operator marks invoices as paid. */
export const manual: Provider = {
  name: 'manual',
  async change(context, request) {
    await locked(context, (client, row) => change(context, request, client, row))
  },
  async keep(context, what) {
    await locked(context, (client, row) => keep(context, what, client, row))
  },
  async cancel(context, isNow) {
    await locked(context, (client, row) => cancel(context, isNow, client, row))
  },
  async updatePayer(context, payer) {
    await locked(context, (client, row) => settle(client, row, { payer }, by('subscription.payer_updated', context)))
  },
  checkout() {
    throw lacking('Checkout')
  },
  portal() {
    throw lacking('A page of the payment provider')
  },
}
