import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Interval, InvoiceStatus, Price } from '#contract/billing.ts'
import type { Plan } from '#contract/plans.ts'
import { stamp } from '#contract/time.ts'
import type { InvoiceLine } from '#control-plane/db/model/shapes.ts'
import { amongTexts, json, queries, type Row, rows, withDates } from '#control-plane/db/queries.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { amountFor, amountsOf, creditOf } from './amounts.ts'
import { mailPayers } from './mail-payers.ts'
import { payerOf } from './payer.ts'
import type { SubscriptionRow } from './row.ts'

export type InvoiceReason = 'start' | 'change' | 'renewal'

export interface InvoiceRow {
  id: string
  tenant_id: string
  reason: string
  status: InvoiceStatus
  number: string | null
  plan: Plan | null
  interval: Interval | null
  seats: number
  currency: string
  total: number
  lines: InvoiceLine[]
  period_start: Date
  period_end: Date
  hosted_url: string | null
  paid_at: Date | null
}

interface NewInvoice {
  reason: InvoiceReason
  price: Price
  seats: number
  period: { start: Date; end: Date }
  dueAt: Date
  /** Further lines: credits. */
  credits?: readonly InvoiceLine[]
}

export const lineOf = (
  description: string,
  quantity: number,
  amount: number,
  period: NewInvoice['period'],
): InvoiceLine => ({
  description,
  quantity,
  amount,
  period_start: stamp(period.start),
  period_end: stamp(period.end),
})

/**
 * Issues and mails an invoice in the transaction that has locked the subscription: the lock keeps its numbers unique.
 * One about nothing is open as well; who issues it marks it as paid.
 */
export async function issueInvoice(
  client: PoolClient,
  row: SubscriptionRow,
  now: Date,
  { reason, price, seats, period, dueAt, credits = [] }: NewInvoice,
): Promise<{ id: string; total: number }> {
  const quantity = price.per_seat ? seats : 1
  const words = `${price.plan}, ${price.interval === 'year' ? 'yearly' : 'monthly'}`
  const lines = [lineOf(words, quantity, amountFor(price, seats), period), ...credits]
  const { subtotal, tax, total } = amountsOf(lines, price.tax_percent)
  const id = randomUUID()
  const team = row.tenant_id
  const [inserted] = await rows(client)<Row<'invoices', 'number'> & { team_name: string }>`
    insert into invoices (id, tenant_id, provider, number, reason, status, plan, interval, seats, currency,
      subtotal, tax, total, lines, payer, period_start, period_end, issued_at, due_at, created_at, updated_at)
    values (${id}, ${team}, 'manual',
      upper(left(${team}::text, 8)) || '-'
        || lpad((select count(*) + 1 from invoices where tenant_id = ${team} and provider = 'manual')::text, 4, '0'),
      ${reason}, 'open', ${price.plan}, ${price.interval}, ${seats}, ${price.currency},
      ${subtotal}, ${tax}, ${total}, ${json(lines)}, ${json(payerOf(row.payer))}, ${period.start}, ${period.end},
      ${now}, ${dueAt}, ${now}, ${now})
    returning number, (select name from tenants where id = ${team}) as team_name`
  const { number, team_name } = inserted!
  const due_at = stamp(dueAt)
  const issued = { team_name, number, currency: price.currency, total, due_at, plan: price.plan }
  if (total > 0) await mailPayers(client, row.tenant_id, 'billing_invoice_issued', issued)
  return { id, total }
}

type Stored = Row<'invoices', keyof InvoiceRow>

const columns = sql`id, tenant_id, reason, status, number, plan, interval, seats, currency, total, lines,
  period_start, period_end, hosted_url, paid_at`

const dated = (row: Stored) => withDates(row, 'period_start', 'period_end', 'paid_at') as InvoiceRow

export async function lockInvoice(client: PoolClient, tenantId: string, id: string): Promise<InvoiceRow | undefined> {
  const [row] = await rows(client)<Stored>`
    select ${columns} from invoices where tenant_id = ${tenantId} and id = ${id} for update`
  return row && dated(row)
}

/**
 * What paid periods that end after this moment are still worth, as lines with negative amounts. Periods before the last
 * change of plan are credited already.
 */
export async function creditsOf(client: PoolClient, tenantId: string, now: Date): Promise<InvoiceLine[]> {
  const found = await rows(client)<Stored>`
    select ${columns} from invoices where tenant_id = ${tenantId} and provider = 'manual' and status = 'paid'
      and period_end > ${now} and paid_at >= coalesce((select max(paid_at) from invoices
        where tenant_id = ${tenantId} and provider = 'manual' and status = 'paid'
        and reason <> 'renewal'), '-infinity') order by period_end`
  return found.map(dated).flatMap(invoice => {
    const period = { start: invoice.period_start, end: invoice.period_end }
    const bought = invoice.lines.reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
    const credit = creditOf(bought, period, now)
    return credit > 0
      ? [lineOf(`Unused time of ${invoice.plan ?? ''}`, 1, -credit, { start: now, end: invoice.period_end })]
      : []
  })
}

/** Voids open invoices, all or those of some reasons. */
export async function voidOpen(client: PoolClient, tenantId: string, reasons: readonly InvoiceReason[]): Promise<void> {
  await queries(client)
    .updateTable('invoices')
    .set({ status: 'void', updated_at: sql`clock_timestamp()` })
    .where('tenant_id', '=', tenantId)
    .where('provider', '=', 'manual')
    .where('status', '=', 'open')
    .where('reason', '=', amongTexts(reasons))
    .execute()
}

/** Publishes and mails that an invoice was paid. Nothing is said of one about nothing. */
export async function notifyOfPayment(
  client: PoolClient,
  {
    id,
    tenant_id,
    number,
    currency,
    total,
    hosted_url,
  }: Pick<InvoiceRow, 'id' | 'tenant_id' | 'number' | 'currency' | 'total' | 'hosted_url'>,
  paidAt: Date,
): Promise<void> {
  if (total <= 0) return
  const [tenant] = await rows(client)<Row<'tenants', 'name'>>`select name from tenants where id = ${tenant_id}`
  const tenant_name = tenant!.name
  const paid = { number, currency, total, paid_at: stamp(paidAt) }
  await emitEvents(client, [
    {
      tenantId: tenant_id,
      name: 'billing.invoice_paid',
      payload: { tenant_id, tenant_name, invoice_id: id, ...paid },
    },
  ])
  await mailPayers(client, tenant_id, 'billing_invoice_paid', {
    team_name: tenant_name,
    ...paid,
    ...(hosted_url && { invoice_url: hosted_url }),
  })
}
