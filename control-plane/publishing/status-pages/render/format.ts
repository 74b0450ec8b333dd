import type { Locale } from '#control-plane/publishing/status-pages/values.ts'

const languageTags: Readonly<Record<Locale, string>> = { en: 'en-GB', de: 'de-DE' }

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: Locale, timezone: string, form: keyof typeof forms): Intl.DateTimeFormat {
  const key = `${language} ${timezone} ${form}`
  const known = formats.get(key)
  if (known) return known
  // as many as there are zones, at most: a format takes a while to make
  if (formats.size > 2_000) formats.clear()
  const made = new Intl.DateTimeFormat(languageTags[language], { ...forms[form], timeZone: timezone })
  formats.set(key, made)
  return made
}

const forms = {
  moment: { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  date: { day: 'numeric', month: 'short' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** `23 November 2026 at 17:45 CET` */
export const momentText = (ms: number, language: Locale, timezone: string): string =>
  formatOf(language, timezone, 'moment').format(ms)

const dates = new Map<string, string>()

/** `23 Nov` of `2026-11-23`. */
export function dateText(date: string, language: Locale): string {
  const key = language + date
  const known = dates.get(key)
  if (known !== undefined) return known
  // a year in both languages
  if (dates.size > 1_000) dates.clear()
  const text = formatOf(language, 'UTC', 'date').format(Date.parse(`${date}T00:00:00Z`))
  dates.set(key, text)
  return text
}

/** `November 2026` of `2026-11`. */
export const monthText = (month: string, language: Locale): string =>
  formatOf(language, 'UTC', 'month').format(Date.parse(`${month}-01T00:00:00Z`))

const numbers = {
  en: new Intl.NumberFormat(languageTags.en, { maximumFractionDigits: 2 }),
  de: new Intl.NumberFormat(languageTags.de, { maximumFractionDigits: 2 }),
}

/** With at most two digits, cut off: only a time without interruption is 100 %. */
export const percentText = (pct: number, language: Locale): string =>
  `${numbers[language].format(Math.floor(pct * 100) / 100)}\u00a0%`

export const numberText = (value: number, language: Locale): string => numbers[language].format(Math.round(value))

/** `2 h 5 min`; less than a minute is one. */
export function durationText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60]
  const parts = [days && `${days}\u00a0d`, hours && `${hours}\u00a0h`, rest && `${rest}\u00a0min`]
  return parts.filter(Boolean).slice(0, 2).join(' ')
}
