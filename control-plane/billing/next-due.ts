import { reminderDays } from './plan-in-force.ts'
import type { SubscriptionRow } from './row.ts'

/** How long before the end of a period the invoice of the next one is issued. */
export const noticeDays = { month: 7, year: 30 } as const

type Timed = Pick<
  SubscriptionRow,
  | 'provider'
  | 'collection'
  | 'status'
  | 'plan'
  | 'interval'
  | 'current_period_end'
  | 'pending_plan'
  | 'pending_at'
  | 'grace_ends_at'
  | 'grace_reminded_at'
  | 'invoiced_from'
>

/** Whether the next period is to have an invoice, and has none. */
export const isInvoiceMissing = ({ collection, pending_plan, pending_at, current_period_end, invoiced_from }: Timed) =>
  collection === 'active' &&
  current_period_end !== null &&
  !(pending_plan === 'free' && pending_at !== null) &&
  (invoiced_from === null || invoiced_from < current_period_end)

export const invoiceMoment = ({ interval, current_period_end }: Timed, dayMs: number): Date | null =>
  current_period_end && new Date(current_period_end.getTime() - noticeDays[interval ?? 'month'] * dayMs)

export const reminderMoment = ({ grace_ends_at }: Pick<Timed, 'grace_ends_at'>, dayMs: number): Date | null =>
  grace_ends_at && new Date(grace_ends_at.getTime() - reminderDays * dayMs)

/** The next moment at which time alone changes something; null for none. Stripe keeps the time of its own periods. */
export function nextDue(row: Timed, dayMs: number): Date | null {
  const moments: (Date | null)[] = []
  if (row.provider === 'manual') {
    if (row.pending_plan !== null) moments.push(row.pending_at)
    if (row.collection === 'active') moments.push(row.current_period_end)
    if (isInvoiceMissing(row)) moments.push(invoiceMoment(row, dayMs))
  }
  if (row.status === 'past_due' || row.status === 'grace') {
    moments.push(row.grace_ends_at)
    if (row.grace_reminded_at === null) moments.push(reminderMoment(row, dayMs))
  }
  const known = moments.flatMap(moment => (moment ? [moment.getTime()] : []))
  return known.length > 0 ? new Date(Math.min(...known)) : null
}
