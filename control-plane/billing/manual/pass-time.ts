import type { PoolClient } from 'pg'
import type { PriceList } from '#contract/billing.ts'
import { endOf } from '#control-plane/billing/amounts.ts'
import { issueInvoice, voidOpen } from '#control-plane/billing/invoices.ts'
import { invoiceMoment, isInvoiceMissing } from '#control-plane/billing/next-due.ts'
import type { SubscriptionRow } from '#control-plane/billing/row.ts'
import { seatsOf } from '#control-plane/billing/seats.ts'
import { type Change, settle } from '#control-plane/billing/settle.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { payInvoice } from './pay.ts'

type Step = (client: PoolClient, row: SubscriptionRow, prices: PriceList, change: Change) => Promise<SubscriptionRow>

/** Issues the invoice of the next period, at the price of the plan that will apply then. */
const invoiceNext: Step = async (client, row, prices, change) => {
  const moment = invoiceMoment(row, change.dayMs)
  if (!isInvoiceMissing(row) || !moment || change.now < moment) return row
  // one that waits for a payment may never come
  const isChanging = row.pending_at !== null
  const plan = (isChanging && row.pending_plan) || row.plan
  const interval = (isChanging && row.pending_interval) || row.interval
  const price = prices.find(each => each.plan === plan && each.interval === interval)
  if (!price) throw new Error(`BILLING_PRICES has no price for ${plan} by the ${interval}, which a tenant has.`)
  const start = row.current_period_end!
  const { id, total } = await issueInvoice(client, row, change.now, {
    reason: 'renewal',
    price,
    seats: await seatsOf(client, row.tenant_id),
    period: { start, end: endOf(start, price.interval) },
    dueAt: start,
  })
  const issued = await settle(client, row, { invoiced_from: start }, change)
  return total === 0 ? payInvoice(client, issued, id, change) : issued
}

/** A change that was requested for the end of a period. */
const applyPending: Step = async (client, row, _prices, change) => {
  if (row.pending_plan === null || row.pending_at === null || change.now < row.pending_at) return row
  const nothing = { pending_plan: null, pending_interval: null, pending_at: null }
  if (row.pending_plan !== 'free')
    return settle(
      client,
      row,
      { ...nothing, plan: row.pending_plan, interval: row.pending_interval ?? row.interval },
      change,
    )
  await voidOpen(client, row.tenant_id, ['start', 'change', 'renewal'])
  return settle(client, row, { ...nothing, collection: 'canceled' }, { ...change, action: 'subscription.canceled' })
}

/** A period that ended: its successor is paid already, or owed, or not wanted any more. */
const endPeriod: Step = async (client, row, _prices, change) => {
  const end = row.current_period_end
  if (row.collection !== 'active' || !end || change.now < end) return row
  const found = await rows(client)<Row<'invoices', 'id'>>`
    update invoices set failed_at = coalesce(failed_at, ${end}) where tenant_id = ${row.tenant_id}
    and provider = 'manual' and status = 'open' and reason = 'renewal' returning id`
  const isOwed = found.length > 0
  return settle(
    client,
    row,
    { collection: isOwed ? 'past_due' : 'canceled', past_due_since: isOwed ? end : null },
    { ...change, action: isOwed ? 'subscription.past_due' : 'subscription.canceled' },
  )
}

/** What time alone does to a subscription whose invoices an operator marks as paid. */
export async function passTime(
  client: PoolClient,
  row: SubscriptionRow,
  prices: PriceList,
  change: Change,
): Promise<SubscriptionRow> {
  let after = row
  for (const step of [invoiceNext, applyPending, endPeriod]) after = await step(client, after, prices, change)
  return after
}
