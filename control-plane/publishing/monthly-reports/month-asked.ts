import type { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { type Month, monthAt, monthNamed } from '#control-plane/identity/digest/month.ts'
import { readersZone } from '#control-plane/identity/users/zone.ts'
import { monthName } from './view.ts'

export const monthQuery = { month: monthName.optional(), timezone: readersZone }

/** The month asked for, by default the one that ended last in this zone; 422 for one that is not over. */
export function monthAsked(
  { month: name }: { month?: z.output<typeof monthName> | undefined },
  zone: string,
  now: Date,
): Month {
  const month = name === undefined ? monthAt(now, zone, -1) : monthNamed(name, zone)
  if (month.to > now) throw invalid({ month: ['Is not over yet.'] }, 'month_not_over')
  return month
}

/** As `monthAsked`, also of the month that is not over: so far. By default that one. */
export function monthSoFar(
  { month: name }: { month?: z.output<typeof monthName> | undefined },
  zone: string,
  now: Date,
): Month & { isSoFar: boolean } {
  const month = name === undefined ? monthAt(now, zone) : monthNamed(name, zone)
  if (month.from > now) throw invalid({ month: ['Must not be in the future.'] }, 'month_not_over')
  return month.to > now ? { ...month, to: now, isSoFar: true } : { ...month, isSoFar: false }
}
