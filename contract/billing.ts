import { z } from 'zod'
import { type Plan, plans } from './plans.ts'

export const intervals = ['month', 'year'] as const
export type Interval = (typeof intervals)[number]

/** Where payments are collected: by an operator who marks invoices as paid, or by Stripe. */
export const providers = ['manual', 'stripe'] as const
export type ProviderName = (typeof providers)[number]

/**
 * - `past_due`: a payment is open and is still being collected; `grace`: it is collected no more. In both the plan stays
 *   until the grace period ends.
 * - `canceled`: there was a subscription; the free plan applies.
 */
export const billingStatuses = ['none', 'trialing', 'active', 'past_due', 'grace', 'canceled'] as const
export type BillingStatus = (typeof billingStatuses)[number]

export const invoiceStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export const paidPlans = plans.filter(plan => plan !== 'free')

/** The largest amount of an invoice in minor units, as Stripe has it. */
export const maxAmount = 99_999_999

const amount = z.int().min(0).max(10_000_000)

const Price = z.strictObject({
  plan: z.enum(paidPlans as [Exclude<Plan, 'free'>, ...Exclude<Plan, 'free'>[]]),
  interval: z.enum(intervals),
  /** ISO 4217, in lower case. */
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'Must be a currency of three letters.')
    .transform(text => text.toLowerCase()),
  /** For one interval, without tax, in minor units of the currency. */
  amount,
  /** The amount is for each member of the team. */
  per_seat: z.boolean().default(false),
  tax_percent: z.number().min(0).max(100).default(0),
  /** The id of this price at Stripe. */
  stripe_price: z
    .string()
    .regex(/^price_\w{1,250}$/, 'Must be the id of a price at Stripe.')
    .optional(),
})
export type Price = z.output<typeof Price>

/** What plans cost: one currency, and one price for a plan and an interval. */
export const PriceList = z
  .array(Price)
  .max(plans.length * intervals.length)
  .refine(
    list => new Set(list.map(({ plan, interval }) => `${plan} ${interval}`)).size === list.length,
    'Names a plan and interval twice.',
  )
  .refine(list => new Set(list.map(({ currency }) => currency)).size <= 1, 'Names several currencies.')
  .refine(list => {
    const ids = list.flatMap(({ stripe_price }) => stripe_price ?? [])
    return new Set(ids).size === ids.length
  }, 'Names a price of Stripe twice.')
export type PriceList = z.output<typeof PriceList>

/** Higher plans have a higher rank. */
export const rankOf = (plan: string): number => (plans as readonly string[]).indexOf(plan)
