import type { BillingStatus } from '#contract/billing.ts'

/** How long a plan stays in force after a payment failed. */
export const graceDays = 14
/** When the people are reminded of the end of the grace period. */
export const reminderDays = 3

/** What is known of the payments of a subscription. `unpaid`: no further attempt is made to collect. */
export const collections = ['none', 'trialing', 'active', 'past_due', 'unpaid', 'canceled'] as const
export type Collection = (typeof collections)[number]

export interface Payments {
  collection: Collection
  /** The plan that is paid for, while it is paid. */
  plan: string
  /** The moment of the failure that no payment has followed yet. */
  past_due_since: Date | null
}

export interface PlanInForce {
  status: BillingStatus
  /** The plan that applies now. */
  plan: string
  grace_ends_at: Date | null
}

/** What follows from the payments at a moment. Time alone ends a grace period; a payment restores the plan at any time. */
export function planInForce({ collection, plan, past_due_since }: Payments, now: Date, dayMs: number): PlanInForce {
  const endsAt = past_due_since && new Date(past_due_since.getTime() + graceDays * dayMs)
  switch (collection) {
    case 'trialing':
    case 'active':
      return { status: collection, plan, grace_ends_at: null }
    case 'past_due':
    case 'unpaid':
      if (endsAt && now < endsAt)
        return { status: collection === 'unpaid' ? 'grace' : 'past_due', plan, grace_ends_at: endsAt }
      return { status: 'canceled', plan: 'free', grace_ends_at: endsAt }
    case 'canceled':
      return { status: 'canceled', plan: 'free', grace_ends_at: null }
    case 'none':
      return { status: 'none', plan: 'free', grace_ends_at: null }
  }
}
