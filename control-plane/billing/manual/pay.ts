import type { PoolClient } from 'pg'
import { Sentence } from '#contract/sentence.ts'
import { notFound, Refusal } from '#control-plane/base/refusal.ts'
import { endOf } from '#control-plane/billing/amounts.ts'
import { type InvoiceRow, lockInvoice, notifyOfPayment } from '#control-plane/billing/invoices.ts'
import type { SubscriptionRow } from '#control-plane/billing/row.ts'
import { type Change, settle } from '#control-plane/billing/settle.ts'
import { rows } from '#control-plane/db/queries.ts'

/** Marks an open invoice as paid; what it was for takes effect. The subscription is locked. */
export async function payInvoice(
  client: PoolClient,
  row: SubscriptionRow,
  invoiceId: string,
  change: Change,
): Promise<SubscriptionRow> {
  const invoice = await lockOpen(client, row.tenant_id, invoiceId)
  const period = periodOf(row, invoice, change.now)
  await rows(client)`
    update invoices set status = 'paid', paid_at = ${change.now}, amount_paid = total, period_start = ${period.start},
    period_end = ${period.end}, updated_at = clock_timestamp() where tenant_id = ${row.tenant_id}
    and id = ${invoice.id}`
  await notifyOfPayment(client, invoice, change.now)
  const isEarly = invoice.reason === 'renewal' && row.collection === 'active'
  if (isEarly) return settle(client, row, { current_period_end: period.end }, change)
  return settle(
    client,
    row,
    {
      provider: 'manual',
      collection: 'active',
      plan: invoice.plan ?? row.plan,
      interval: invoice.interval ?? row.interval,
      currency: invoice.currency,
      seats: invoice.seats,
      past_due_since: null,
      current_period_start: period.start,
      current_period_end: period.end,
      invoiced_from: period.start,
      pending_plan: null,
      pending_interval: null,
      pending_at: null,
    },
    change,
  )
}

/** An invoice that can be paid or made void. */
export async function lockOpen(client: PoolClient, tenantId: string, id: string): Promise<InvoiceRow> {
  const invoice = await lockInvoice(client, tenantId, id)
  if (!invoice) throw notFound('Invoice')
  if (invoice.status !== 'open')
    throw new Refusal(
      422,
      'invoice_not_open',
      new Sentence('The invoice is {status}, not open.', { status: invoice.status }),
    )
  return invoice
}

/** A renewal in time begins where the period before ends; all else begins with the payment. */
function periodOf(
  { collection, status }: SubscriptionRow,
  { reason, period_start, period_end, interval }: InvoiceRow,
  now: Date,
): { start: Date; end: Date } {
  const isInTime = reason === 'renewal' && (collection === 'active' || status === 'past_due')
  return isInTime ? { start: period_start, end: period_end } : { start: now, end: endOf(now, interval ?? 'month') }
}
