import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { billingStatuses, intervals, invoiceStatuses, type PriceList, providers } from '#contract/billing.ts'
import { plans } from '#contract/plans.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { payerOf } from './payer.ts'

const time = z.string().meta({ format: 'date-time' })
const text = z.string()
const amount = z.int().meta({ description: 'In minor units of the currency.' })

export const Offer = z
  .object({
    plan: z.enum(plans),
    interval: z.enum(intervals).meta({ id: 'BillingInterval' }),
    currency: text,
    amount: amount.meta({ description: 'For one interval, without tax, in minor units of the currency.' }),
    per_seat: z.boolean(),
    tax_percent: z.number(),
  })
  .meta({ id: 'PlanPrice' })

const PayerView = z
  .object({
    type: z.enum(['team', 'reseller']).meta({ description: '`reseller`: it is billed for the team, elsewhere.' }),
    name: text.nullable(),
    email: text.nullable(),
    address: text.nullable(),
    country: text.nullable(),
  })
  .meta({ id: 'Payer' })

export const BillingView = z
  .object({
    plan: text.meta({ description: 'The plan that applies now.' }),
    status: z.enum(billingStatuses).meta({
      description:
        '`none`: nothing is paid for. `past_due` and `grace`: a payment is open, the plan stays until `grace_ends_at`.',
    }),
    provider: z.enum(providers),
    interval: z.enum(intervals).nullable(),
    currency: text.nullable(),
    seats: z.int().meta({ description: 'The members that are paid for, where the price is for each.' }),
    current_period_end: time.nullable(),
    grace_ends_at: time.nullable(),
    pending_plan: z
      .enum(plans)
      .nullable()
      .meta({ description: 'Applies from `pending_at`; `free` ends the subscription.' }),
    pending_interval: z.enum(intervals).nullable(),
    pending_at: time.nullable().meta({ description: '`null` beside a pending plan: once its invoice is paid.' }),
    payer: PayerView,
    prices: z.array(Offer).meta({ description: 'What can be chosen.' }),
  })
  .meta({ id: 'Billing' })

type Db = EntityManager | Pool

/** The billing of a tenant. */
export async function readBilling(
  db: Db,
  tenantId: string,
  prices: PriceList,
  provider: z.output<typeof BillingView>['provider'],
): Promise<z.input<typeof BillingView>> {
  const row = await queries(db)
    .selectFrom('tenants as t')
    .leftJoin('subscriptions as s', 's.tenant_id', 't.id')
    .where('t.id', '=', tenantId)
    .select(['t.plan', 's.status', 's.provider', 's.interval', 's.currency', 's.seats', 's.pending_plan', 's.payer'])
    .select(({ ref }) => [
      's.pending_interval',
      stamp(ref('s.current_period_end')).as('current_period_end'),
      stamp(ref('s.grace_ends_at')).as('grace_ends_at'),
      stamp(ref('s.pending_at')).as('pending_at'),
      sql<boolean>`exists (select 1 from managed_teams m where m.tenant_id = t.id)`.as('is_managed'),
    ])
    .executeTakeFirstOrThrow()
  const { is_managed, payer, seats, ...rest } = row
  const offers = is_managed ? [] : prices.map(({ stripe_price: _, ...offer }) => offer)
  return {
    ...(rest as Pick<z.input<typeof BillingView>, 'plan' | 'interval' | 'pending_plan' | 'pending_interval'>),
    currency: rest.currency,
    current_period_end: rest.current_period_end,
    grace_ends_at: rest.grace_ends_at,
    pending_at: rest.pending_at,
    status: (rest.status ?? 'none') as z.input<typeof BillingView>['status'],
    provider: (rest.provider ?? provider) as z.input<typeof BillingView>['provider'],
    seats: seats ?? 1,
    payer: { type: is_managed ? 'reseller' : 'team', ...payerOf(is_managed ? {} : (payer ?? {})) },
    prices: offers,
  }
}

export const InvoiceView = z
  .object({
    id: z.uuid(),
    number: text.nullable().meta({ description: '`null` while it is a draft.' }),
    status: z.enum(invoiceStatuses),
    reason: text.meta({ description: 'Why it was issued, such as `start`, `change` or `renewal`.' }),
    plan: text.nullable(),
    interval: text.nullable(),
    currency: text,
    subtotal: amount,
    tax: amount,
    total: amount,
    amount_paid: amount,
    lines: z.array(
      z.object({
        description: text,
        quantity: z.int(),
        amount: amount.meta({ description: 'Without tax, for the whole quantity; a credit is negative.' }),
        period_start: time,
        period_end: time,
      }),
    ),
    payer: z.object({
      name: text.nullable(),
      email: text.nullable(),
      address: text.nullable(),
      country: text.nullable(),
    }),
    period_start: time,
    period_end: time,
    issued_at: time.nullable(),
    due_at: time.nullable(),
    paid_at: time.nullable(),
    hosted_url: text.nullable().meta({ description: 'The page of the invoice at the payment provider.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Invoice' })

export const selectInvoices = (db: Db, tenantId: string) =>
  queries(db)
    .selectFrom('invoices as i')
    .where('i.tenant_id', '=', tenantId)
    .select(['i.id', 'i.number', 'i.status', 'i.reason', 'i.plan', 'i.interval', 'i.currency', 'i.subtotal', 'i.tax'])
    .select(['i.total', 'i.amount_paid', 'i.lines', 'i.payer', 'i.hosted_url'])
    .select(({ ref }) => [
      stamp(ref('i.period_start')).as('period_start'),
      stamp(ref('i.period_end')).as('period_end'),
      stamp(ref('i.issued_at')).as('issued_at'),
      stamp(ref('i.due_at')).as('due_at'),
      stamp(ref('i.paid_at')).as('paid_at'),
      stamp(ref('i.created_at')).as('created_at'),
      stamp(ref('i.updated_at')).as('updated_at'),
    ])

type SelectedInvoice = Awaited<ReturnType<ReturnType<typeof selectInvoices>['executeTakeFirstOrThrow']>>

export const viewInvoice = ({ status, payer, ...row }: SelectedInvoice): z.input<typeof InvoiceView> => ({
  ...row,
  status: status as z.input<typeof InvoiceView>['status'],
  payer: payerOf(payer),
})
