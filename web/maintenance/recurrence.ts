import { moment } from '../../contract/figures.ts'
export const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Day = (typeof days)[number]
export const kinds = ['none', 'daily', 'weekly', 'monthly', 'rule'] as const
export type Kind = (typeof kinds)[number]

/** What a form says of recurrence. `rule` is what is sent if the kind is `rule`. */
export interface Recurrence {
  kind: Kind
  days: readonly Day[]
  rule: string
}

const isDay = (text: string): text is Day => days.some(day => day === text)

/** The plain choice that says the same as a rule; rules that none says stay rules. */
export function recurrenceOf(rule: string | null): Recurrence {
  if (rule === null) return { kind: 'none', days: [], rule: '' }
  const parts = rule
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')
    .filter(part => part !== 'INTERVAL=1')
  const [frequency, byDay, ...rest] = parts
  if (rest.length === 0 && byDay === undefined) {
    if (frequency === 'FREQ=DAILY') return { kind: 'daily', days: [], rule }
    if (frequency === 'FREQ=WEEKLY') return { kind: 'weekly', days: [], rule }
    if (frequency === 'FREQ=MONTHLY') return { kind: 'monthly', days: [], rule }
  }
  if (rest.length === 0 && frequency === 'FREQ=WEEKLY' && byDay?.startsWith('BYDAY=')) {
    const named = byDay.slice('BYDAY='.length).split(',')
    if (named.every(isDay)) return { kind: 'weekly', days: days.filter(day => named.includes(day)), rule }
  }
  return { kind: 'rule', days: [], rule }
}

/** As a recurrence rule of RFC 5545. Without days, a week repeats on the day of the first start. */
export function ruleOf({ kind, days: chosen, rule }: Recurrence): string | null {
  if (kind === 'none') return null
  if (kind === 'rule') return rule.trim()
  if (kind !== 'weekly' || chosen.length === 0) return `FREQ=${kind.toUpperCase()}`
  return `FREQ=WEEKLY;BYDAY=${days.filter(day => chosen.includes(day)).join(',')}`
}

// 1 January 2024 was a Monday
const mondayMs = Date.UTC(2024, 0, 1)
const dayMs = 86_400_000

export const dayName = (day: Day, language: string) =>
  moment(mondayMs + days.indexOf(day) * dayMs, { language, zone: 'UTC', style: 'dayOfWeek' })
