import { z } from 'zod'
import { type InvoiceStatus, invoiceStatuses, maxAmount } from '#contract/billing.ts'

/*
 * The parts of Stripe's objects that are used, in the shapes of the pinned version and of later ones, which moved some
 * fields. Only these parts are stored.
 */

const id = z.string().min(1).max(255)
const reference = z.union([id, z.object({ id }).transform(object => object.id)])
const seconds = z.int().min(0).max(253_402_300_799)
const amount = z.int().min(-maxAmount).max(maxAmount)
const currency = z.string().length(3).toLowerCase()
/** An address that is shown to people: https only, others are left out. */
const webAddress = z
  .string()
  .max(2_000)
  .nullish()
  .transform(text => (text && /^https:\/\//.test(text) && URL.canParse(text) ? text : null))

const Item = z.object({
  id,
  price: z.object({ id }),
  quantity: z.int().min(1).max(1_000_000).default(1),
  current_period_start: seconds.optional(),
  current_period_end: seconds.optional(),
})

export const StripeSubscription = z.object({
  id,
  customer: reference,
  created: seconds,
  status: z.string().max(40),
  cancel_at_period_end: z.boolean().default(false),
  currency: currency.optional(),
  current_period_start: seconds.optional(),
  current_period_end: seconds.optional(),
  schedule: reference.nullish(),
  cancellation_details: z.object({ reason: z.string().max(40).nullish() }).nullish(),
  items: z.object({ data: z.array(Item).min(1).max(20) }),
})
export type StripeSubscription = z.output<typeof StripeSubscription>

const InvoiceLine = z.object({
  description: z.string().nullish(),
  amount,
  quantity: z.int().nullish(),
  period: z.object({ start: seconds, end: seconds }),
})

export const StripeInvoice = z.object({
  id,
  customer: reference,
  number: z.string().max(60).nullish(),
  status: z.string().max(40).nullish(),
  created: seconds,
  currency,
  subtotal: amount,
  total: amount,
  tax: amount.nullish(),
  total_taxes: z.array(z.object({ amount })).nullish(),
  amount_paid: amount.default(0),
  attempt_count: z.int().min(0).max(1_000).default(0),
  period_start: seconds,
  period_end: seconds,
  due_date: seconds.nullish(),
  hosted_invoice_url: webAddress,
  billing_reason: z.string().max(60).nullish(),
  subscription: reference.nullish(),
  parent: z.object({ subscription_details: z.object({ subscription: reference.nullish() }).nullish() }).nullish(),
  status_transitions: z.object({ finalized_at: seconds.nullish(), paid_at: seconds.nullish() }).nullish(),
  lines: z.object({ data: z.array(InvoiceLine).max(1_000) }),
})
export type StripeInvoice = z.output<typeof StripeInvoice>

export const StripeCheckout = z.object({
  id,
  customer: reference.nullish(),
  client_reference_id: z.string().max(255).nullish(),
  mode: z.string().max(40),
})

export const StripeSchedule = z.object({
  id,
  status: z.string().max(40),
  phases: z
    .array(
      z.object({
        start_date: seconds,
        end_date: seconds,
        items: z.array(z.object({ price: reference, quantity: z.int().default(1) })).min(1),
      }),
    )
    .max(100),
})
export type StripeSchedule = z.output<typeof StripeSchedule>

/** The frame of every event. `created` is in seconds: two events of one second have no order. */
export const StripeEvent = z.object({
  id: id.regex(/^evt_\w+$/),
  type: z.string().min(1).max(100),
  created: seconds,
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})

const known = {
  'checkout.session.completed': StripeCheckout,
  'customer.subscription.created': StripeSubscription,
  'customer.subscription.updated': StripeSubscription,
  'customer.subscription.deleted': StripeSubscription,
  'customer.subscription.paused': StripeSubscription,
  'customer.subscription.resumed': StripeSubscription,
  'invoice.created': StripeInvoice,
  'invoice.updated': StripeInvoice,
  'invoice.finalized': StripeInvoice,
  'invoice.paid': StripeInvoice,
  'invoice.payment_succeeded': StripeInvoice,
  'invoice.payment_failed': StripeInvoice,
  'invoice.payment_action_required': StripeInvoice,
  'invoice.marked_uncollectible': StripeInvoice,
  'invoice.voided': StripeInvoice,
} as const

/** The parts of an event's object that are kept; null for events that mean nothing to us. */
export const schemaOf = (type: string): z.ZodType<Record<string, unknown>> | null =>
  Object.hasOwn(known, type) ? known[type as keyof typeof known] : null

export const momentOf = (s: number): Date => new Date(s * 1_000)

export const invoiceStatusOf = (status: string | null | undefined): InvoiceStatus =>
  invoiceStatuses.find(name => name === status) ?? 'draft'
