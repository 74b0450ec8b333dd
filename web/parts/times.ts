import { relativeFormat } from '../../contract/figures.ts'

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

/** How long before or after `now` a moment is, such as "3 minutes ago" or "in 2 days". Milliseconds since 1970. */
export function relativeTime(at: number, now: number, language: string): string {
  const format = relativeFormat(language, { numeric: 'auto' })
  let value = Math.trunc((at - now) / 1_000)
  for (const [unit, most] of steps) {
    if (Math.abs(value) < most) return format.format(value, unit)
    value = Math.trunc(value / most)
  }
  return ''
}
