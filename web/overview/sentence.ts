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
  const { total, down, warning } = counts
  const words = (key: string, values: Record<string, number>) => t(`sentence.${key}`, { ...values, ns: 'overview' })
  const parts: SentencePart[] = []
  if (down > 0) parts.push({ text: words('down', { down, total }), status: 'down' })
  if (warning > 0) parts.push({ text: words('warnings', { count: warning }), status: 'warning' })
  if (parts.length > 0) return parts
  // where none is up, that none is down says nothing
  if (counts.up > 0) return [{ text: words('well', { count: total }) }]
  const status = (['pending', 'maintenance', 'paused'] as const).find(each => counts[each] === total)
  return [status ? { text: words(status, { count: total }), status } : { text: words('none-up', { count: total }) }]
}

export const sentenceOf = (counts: Counts, t: TFunction): string =>
  sentencePartsOf(counts, t)
    .map(({ text }) => text)
    .join(', ')
