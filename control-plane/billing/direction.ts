import { type Interval, rankOf } from '#contract/billing.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { SubscriptionRow } from './row.ts'

type Present = Pick<SubscriptionRow, 'plan' | 'interval'>

/** A higher plan, or the same for a year instead of a month. */
export const isUpgrade = (from: Present, to: { plan: string; interval: Interval }): boolean =>
  rankOf(to.plan) > rankOf(from.plan) || (to.plan === from.plan && to.interval === 'year' && from.interval === 'month')

/** Whether a change takes effect at once: upgrades do, all else at the end of the period, unless the caller says. */
export function isAtOnce(row: Present, to: { plan: string; interval: Interval }, at: 'now' | 'period_end' | undefined) {
  if (row.plan === to.plan && row.interval === to.interval)
    throw invalid({ plan: ['This is the present plan and interval.'] }, 'same_plan')
  return at === undefined ? isUpgrade(row, to) : at === 'now'
}

/** A subscription that goes on: paid, tried out, or owing. */
export const isLive = ({ collection }: Pick<SubscriptionRow, 'collection'>): boolean =>
  collection === 'trialing' || collection === 'active' || collection === 'past_due' || collection === 'unpaid'
