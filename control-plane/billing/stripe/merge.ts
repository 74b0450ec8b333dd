import type { InvoiceStatus } from '#contract/billing.ts'
import type { Collection } from '#control-plane/billing/plan-in-force.ts'
import type { StripeSubscription } from './objects.ts'

/*
 * Events arrive late, twice and in any order. These pure rules decide what an object changes, so that the end is the
 * same whatever the order.
 */

/** What of a subscription was stored last. Times in seconds of Stripe's clock. */
export interface KnownSubscription {
  id: string
  /** When the subscription was created: a customer may have several in turn. */
  createdS: number
  /** When the state that is stored was true. */
  seenS: number
  collection: Collection
}

/**
 * - `newer`: its state replaces what is stored.
 * - `stale`: something newer is stored.
 * - `doubt`: both are of the same second; only the present object decides.
 *
 * Of two subscriptions the one that was created later counts; one that was never paid counts for nothing.
 */
export function orderOf(stored: KnownSubscription | null, given: KnownSubscription): 'newer' | 'stale' | 'doubt' {
  if (!stored) return 'newer'
  if (stored.id === given.id) {
    if (given.seenS === stored.seenS) return 'doubt'
    return given.seenS > stored.seenS ? 'newer' : 'stale'
  }
  const weightOf = ({ collection, createdS }: KnownSubscription) => (collection === 'none' ? -1 : createdS)
  const difference = weightOf(given) - weightOf(stored)
  return difference > 0 || (difference === 0 && given.id > stored.id) ? 'newer' : 'stale'
}

/** What a status of Stripe means for the plan. One that was never paid is none. */
export function collectionOf({
  status,
  cancellation_details,
}: Pick<StripeSubscription, 'status' | 'cancellation_details'>): Collection {
  switch (status) {
    case 'trialing':
    case 'active':
    case 'past_due':
    case 'unpaid':
      return status
    case 'canceled':
      // ended for want of a payment: the grace period goes on
      return cancellation_details?.reason === 'payment_failed' ? 'unpaid' : 'canceled'
    case 'paused':
      return 'canceled'
    default:
      return 'none'
  }
}

/** The version of an invoice. */
export interface InvoiceVersion {
  status: InvoiceStatus
  attempts: number
  seenS: number
}

/** An invoice never goes back: paid and void are final. */
const ranks: Record<InvoiceStatus, number> = { draft: 0, open: 1, uncollectible: 2, void: 3, paid: 4 }

/** Whether the state of an event replaces the one that is stored. */
export function isNewerInvoice(stored: InvoiceVersion, given: InvoiceVersion): boolean {
  const difference =
    ranks[given.status] - ranks[stored.status] || given.attempts - stored.attempts || given.seenS - stored.seenS
  return difference > 0
}
