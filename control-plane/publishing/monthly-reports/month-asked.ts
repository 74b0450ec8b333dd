import type { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { type Month, monthAt, monthNamed } from '#control-plane/identity/digest/month.ts'
import { timezone } from '#control-plane/identity/users/input.ts'
import { monthName } from './view.ts'

export const monthQuery = { month: monthName.optional(), timezone: timezone.default('UTC') }

/** The month asked for, by default the one that ended last; 422 for one that is not over. */
export function monthAsked(
  query: { month?: z.output<typeof monthName> | undefined; timezone: string },
  now: Date,
): Month {
  const month = query.month === undefined ? monthAt(now, query.timezone, -1) : monthNamed(query.month, query.timezone)
  if (month.to > now) throw invalid({ month: ['Is not over yet.'] }, 'month_not_over')
  return month
}

/** As `monthAsked`, also of the month that is not over: so far. By default that one. */
export function monthSoFar(
  query: { month?: z.output<typeof monthName> | undefined; timezone: string },
  now: Date,
): Month & { isSoFar: boolean } {
  const month = query.month === undefined ? monthAt(now, query.timezone) : monthNamed(query.month, query.timezone)
  if (month.from > now) throw invalid({ month: ['Must not be in the future.'] }, 'month_not_over')
  return month.to > now ? { ...month, to: now, isSoFar: true } : { ...month, isSoFar: false }
}
