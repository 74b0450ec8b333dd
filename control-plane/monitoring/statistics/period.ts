import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { isoText } from '#control-plane/http/page.ts'
import { dayMs, type Interval } from './judged-time.ts'

/** `from` and `to`: moments, or days in UTC, the last of which is meant whole. */
export const periodQuery = z.object({ from: isoText.optional(), to: isoText.optional() })

interface Bounds {
  now: Date
  defaultDays: number
  maxDays: number
}

/** The time asked for, never beyond now; 422 when it is empty or longer than allowed. */
export function periodOf(query: z.output<typeof periodQuery>, { now, defaultDays, maxDays }: Bounds): Interval {
  const lastDay = query.to !== undefined && isDay(query.to) ? dayMs : 0
  const asked = query.to === undefined ? now.getTime() : Date.parse(query.to) + lastDay
  const to = Math.min(asked, now.getTime())
  const from = query.from === undefined ? to - defaultDays * dayMs : Date.parse(query.from)
  if (from >= asked) throw invalid({ to: ['Must be after from.'] }, 'period_empty')
  if (from >= to) throw invalid({ from: ['Must not be in the future.'] }, 'period_empty')
  if (to - from > maxDays * dayMs)
    throw invalid(
      { to: [new Sentence('At most {n} days can be asked for at once.', { n: maxDays })] },
      'period_too_long',
    )
  return { from, to }
}

const isDay = (text: string) => text.length === 10
