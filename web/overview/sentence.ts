import type { TFunction } from 'i18next'
import type { Schemas } from '../api.ts'

type Counts = Schemas['DashboardStats']['monitors']

/** The statuses of monitors, the worst first. */
export const countedStatuses = ['down', 'warning', 'up', 'maintenance', 'paused', 'pending'] as const
type CountedStatus = (typeof countedStatuses)[number]

export interface SentencePart {
  text: string
  /** The monitors it speaks of; without one, all of them. */
  status?: CountedStatus
}

/** How the monitors are, in parts of a sentence such as "3 of 42 down, 1 warning". */
export function sentencePartsOf(counts: Counts, t: TFunction): SentencePart[] {
  const { total, down, warning, up, pending } = counts
  const words = (key: string, values: Record<string, number>) => t(`sentence.${key}`, { ...values, ns: 'overview' })
  const parts: SentencePart[] = []
  if (down > 0) parts.push({ text: words('down', { down, total }), status: 'down' })
  if (warning > 0) parts.push({ text: words('warnings', { count: warning }), status: 'warning' })
  if (parts.length > 0) return parts
  // that none is down says nothing of those that are not watched, or of which nothing is known
  if (up > 0 && up === total) return [{ text: words('well', { count: total }) }]
  if (up > 0) {
    parts.push({ text: words('up', { up, total }), status: 'up' })
    if (pending > 0) parts.push({ text: words('unknown', { count: pending }), status: 'pending' })
    return parts
  }
  const status = (['pending', 'maintenance', 'paused'] as const).find(each => counts[each] === total)
  return [status ? { text: words(status, { count: total }), status } : { text: words('none-up', { count: total }) }]
}

export const sentenceOf = (counts: Counts, t: TFunction): string =>
  sentencePartsOf(counts, t)
    .map(({ text }) => text)
    .join(', ')
