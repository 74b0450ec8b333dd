import type { Interval, PriceList, ProviderName } from '#contract/billing.ts'
import type { Plan } from '#contract/plans.ts'
import { Sentence } from '#contract/sentence.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import type { Payer } from '#control-plane/db/model/shapes.ts'
import type { Services } from '#control-plane/http/services.ts'
import type { AuditActor } from '#control-plane/outbox/audit.ts'
import type { Pending } from './pending.ts'

/** In whose name, for whom and when billing is changed. */
export interface BillingContext {
  services: Services
  tenant: { id: string; name: string }
  now: Date
  actor: AuditActor
}

export interface PlanRequest {
  plan: Exclude<Plan, 'free'>
  interval: Interval
  isNow: boolean
}

/**
 * Who collects payments. Each call commits by itself. Calls to a provider outside go out before the transaction, and
 * repeating a call has no second effect there.
 */
export interface Provider {
  name: ProviderName
  change(context: BillingContext, request: PlanRequest): Promise<void>
  /** Removes what is pending. */
  keep(context: BillingContext, what: Pending): Promise<void>
  cancel(context: BillingContext, isNow: boolean): Promise<void>
  updatePayer(context: BillingContext, payer: Payer): Promise<void>
  /** The address of a page on which the first payment is made. */
  checkout(context: BillingContext, request: Omit<PlanRequest, 'isNow'>, returnUrl: string): Promise<string>
  /** The address of a page with invoices and means of payment. */
  portal(context: BillingContext, returnUrl: string): Promise<string>
}

export const pricesOf = ({ config }: Pick<Services, 'config'>): PriceList => config.billing?.prices ?? []

export const lacking = (what: string) =>
  new Refusal(
    422,
    'provider_lacks',
    new Sentence('{what} is offered only where payments are collected by Stripe.', { what }),
  )
