import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { moment } from '#control-plane/http/page.ts'
import { dayMs } from '#control-plane/monitoring/statistics/judged-time.ts'
import type { Days } from './read-monitor.ts'

const maxDays = 90

export const daysQuery = { from: moment.optional(), to: moment.optional() }
export const daysDescription = 'Days are in UTC, `from` and `to` included: at most 90. Default: the last 30 days.'

const Query = z.object(daysQuery)

/** The days asked for; 422 when there are none, too many, or all in the future. */
export function requestedDays(query: z.output<typeof Query>, now: Date): Days {
  const dayOf = (date: Date) => Math.floor(date.getTime() / dayMs) * dayMs
  const last = dayOf(query.to ?? now)
  const first = query.from ? dayOf(query.from) : Math.min(last, dayOf(now)) - 29 * dayMs
  if (first > last) throw invalid({ to: ['Must not be before from.'] }, 'period_empty')
  if (last - first >= maxDays * dayMs)
    throw invalid({ to: [new Sentence('A report covers at most {n} days.', { n: maxDays })] }, 'period_too_long')
  if (first > now.getTime()) throw invalid({ from: ['Must not be in the future.'] }, 'period_empty')
  return { first, last }
}
