/**
 * How figures are written, for the app, public pages, mails, reports and badges alike: one figure is one text
 * everywhere. English is written as in Britain, times of day have 24 hours in every language. No-break spaces keep a
 * figure and its unit on one line.
 */

const space = '\u00a0'
/** In place of a figure: nothing was measured. */
const nothing = '–'

const locales = new Map([
  ['en', 'en-GB'],
  ['de', 'de-DE'],
])

/** Figures and moments of further languages are written as those do, where the runtime knows how. */
export function addLocales(languages: readonly string[]): void {
  for (const language of Intl.NumberFormat.supportedLocalesOf([...languages]))
    if (!locales.has(language)) locales.set(language, language)
}

/** Of a language or a tag such as `de-AT`; English where there are no texts of it. */
export const localeOf = (language: string): string => locales.get(language.slice(0, 2).toLowerCase()) ?? 'en-GB'

/** More than are in use at once, however many time zones are asked for. */
const mostKept = 2_000

/** Makes each value once: a list needs the same few formats for each of its rows, and making one is slow. */
function once<Value>(made: Map<string, Value>, key: string, make: () => Value): Value {
  const known = made.get(key)
  if (known !== undefined) return known
  if (made.size >= mostKept) made.clear()
  const value = make()
  made.set(key, value)
  return value
}

/** Formats of a language, by their options. */
function formats<Options extends object, Format>(make: new (locale: string, options?: Options) => Format) {
  const made = new Map<string, Format>()
  return (language: string, options?: Options): Format => {
    const locale = localeOf(language)
    return once(made, locale + JSON.stringify(options ?? {}), () => new make(locale, options))
  }
}

export const numberFormat = formats(Intl.NumberFormat)
export const relativeFormat = formats(Intl.RelativeTimeFormat)

/** A number with at most so many decimals, a whole one by default. */
export const number = (value: number, language: string, decimals = 0): string =>
  numberFormat(language, { maximumFractionDigits: decimals }).format(value)

/** Kept apart from the rounding of binary fractions: 99.85 × 100 is a little less than 9985. */
const hair = 1e-6

/**
 * A share in percent: `99.98 %`. At most two decimals, cut off and not rounded: 100 means without any
 * interruption, and what is more than nothing is never 0.
 */
export function percent(value: number | null, language: string): string {
  if (value === null) return nothing
  const cut = Math.floor(value * 100 + hair) / 100
  const shown = value > 0 && value < 100 ? Math.min(99.99, Math.max(0.01, cut)) : cut
  return `${number(shown, language, 2)}${space}%`
}

/** A share that a person has set, such as an objective, with all its digits: `99.999 %`. */
export const target = (value: number, language: string): string => `${number(value, language, 10)}${space}%`

/** The same text with ordinary spaces: for subjects and chats, which keep no lines together. */
export const plain = (text: string): string => text.replaceAll(space, ' ')

/** How long an answer took: `9.4 ms`, `340 ms`, from a second on `1.24 s`. */
export function milliseconds(value: number | null, language: string): string {
  if (value === null) return nothing
  // 999.6 is a second
  if (Math.round(value) >= 1_000) return `${number(value / 1_000, language, 2)}${space}s`
  return `${number(value, language, value < 9.95 ? 1 : 0)}${space}ms`
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/**
 * A span of time in its two largest units: `3 d 4 h`, `2 h 5 min`, `14 min`, `11 s`; below ten seconds with a decimal,
 * `4.2 s`, and below one in milliseconds. What has not passed in full does not count.
 */
export function duration(ms: number, language: string): string {
  if (ms >= 1 && ms < 1_000) return `${number(Math.floor(ms), language)}${space}ms`
  if (ms >= 1_000 && ms < 10_000) return `${number(Math.floor(ms / 100) / 10, language, 1)}${space}s`
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const first = units.findIndex(([, length]) => seconds >= length)
  if (first < 0) return `0${space}s`
  const [[unit, length], next] = [units[first]!, units[first + 1]]
  const parts = [`${number(Math.floor(seconds / length), language)}${space}${unit}`]
  const rest = next ? Math.floor((seconds % length) / next[1]) : 0
  if (next && rest > 0) parts.push(`${rest}${space}${next[0]}`)
  return parts.join(space)
}

/** The same in whole minutes, one at least: for columns of days, where seconds are noise. */
export const minutes = (ms: number, language: string): string =>
  duration(Math.max(1, Math.floor(ms / 60_000)) * 60_000, language)

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** `short` has the year where it is not the present one. */
const styles = {
  /** `23 November 2026 at 17:45 CET`: for a reader who may be elsewhere. */
  full: { day: 'numeric', month: 'long', year: 'numeric', ...clock, timeZoneName: 'short' },
  /** `23 Nov 2026, 17:45:09 CET` */
  long: { day: 'numeric', month: 'short', year: 'numeric', ...clock, second: '2-digit', timeZoneName: 'short' },
  /** `23 Nov, 17:45` */
  short: { day: 'numeric', month: 'short', ...clock },
  /** `23 Nov 2026` */
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  /** `23 Nov` */
  day: { day: 'numeric', month: 'short' },
  /** `November 2026` */
  month: { month: 'long', year: 'numeric' },
  /** `17:45:09` */
  time: { ...clock, second: '2-digit' },
  /** `17:45` */
  minute: clock,
  /** `Mon 23 Nov` */
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  /** `Monday` */
  dayOfWeek: { weekday: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
export type TimeStyle = keyof typeof styles

export interface TimeOptions {
  language: string
  /** Of the reader; an IANA name. */
  zone: string
  style?: TimeStyle
  /** Milliseconds since 1970. */
  now?: number
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(language: string, zone: string, style: TimeStyle | 'year', hasYear = false): Intl.DateTimeFormat {
  const locale = localeOf(language)
  return once(clocks, `${locale} ${zone} ${style} ${hasYear}`, () => {
    const year = hasYear || style === 'year' ? ({ year: 'numeric' } as const) : {}
    return new Intl.DateTimeFormat(locale, { ...(style !== 'year' && styles[style]), ...year, timeZone: zone })
  })
}

/** A moment in the reader's zone. `at`: milliseconds since 1970. */
export function moment(at: number, { language, zone, style = 'short', now = Date.now() }: TimeOptions): string {
  const years = clockOf('en', zone, 'year')
  const hasYear = style === 'short' && years.format(at) !== years.format(now)
  return clockOf(language, zone, style, hasYear).format(at)
}

const days = new Map<string, string>()

/** A day such as `2026-11-23`, or a month such as `2026-11`, by its name: it is the same wherever it begins. */
export const dayText = (day: string, language: string, style: 'date' | 'day' | 'month' | 'weekday' = 'day'): string =>
  once(days, `${language} ${style} ${day}`, () => clockOf(language, 'UTC', style).format(Date.parse(day)))
