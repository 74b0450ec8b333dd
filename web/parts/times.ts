import { numberFormat, relativeFormat, timeFormat } from './formats.ts'

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

export type TimeStyle = 'short' | 'long' | 'date' | 'time'

const styles: Record<TimeStyle, Intl.DateTimeFormatOptions> = {
  short: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  long: { dateStyle: 'medium', timeStyle: 'long' },
  date: { dateStyle: 'medium' },
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
}

/** A moment in a zone. `short` has the year where it is not the one of `now`. */
export function absoluteTime(
  at: number,
  {
    language,
    zone,
    style = 'short',
    now = Date.now(),
  }: { language: string; zone: string; style?: TimeStyle; now?: number },
): string {
  const yearOf = (moment: number) => timeFormat('en', { year: 'numeric', timeZone: zone }).format(moment)
  const year = style === 'short' && yearOf(at) !== yearOf(now) ? ({ year: 'numeric' } as const) : {}
  return timeFormat(language, { ...styles[style], ...year, timeZone: zone }).format(at)
}

const parts = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** A span of time in its two largest units, such as "2 h 5 min"; less than ten seconds with decimals, or "340 ms". */
export function duration(ms: number, language: string): string {
  const unit = (value: number, name: string, digits = 0) =>
    numberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value)
  if (ms < 1_000) return unit(Math.round(ms), 'millisecond')
  if (ms < 10_000) return unit(ms / 1_000, 'second', 1)
  let rest = Math.round(ms / 1_000)
  const first = parts.findIndex(([, seconds]) => rest >= seconds)
  return parts
    .slice(first, first + 2)
    .flatMap(([name, seconds]) => {
      const count = Math.floor(rest / seconds)
      rest -= count * seconds
      return count > 0 ? [unit(count, name)] : []
    })
    .join(' ')
}
