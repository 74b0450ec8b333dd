import { Liquid, type Template } from 'liquidjs'
import { isTimezone } from '#control-plane/identity/users/input.ts'

export const mailLanguages = ['en', 'de'] as const
export type MailLanguage = (typeof mailLanguages)[number]

/** The language of a mail to a person with this language setting: English if it is not supported. */
export const mailLanguageOf = (language: string): MailLanguage =>
  mailLanguages.find(known => known === language.toLowerCase().split('-')[0]) ?? 'en'

const names: Record<MailLanguage, { roles: Record<string, string>; severities: Record<string, string> }> = {
  en: {
    roles: { owner: 'owner', admin: 'administrator', member: 'member', viewer: 'viewer' },
    severities: { critical: 'critical', major: 'major', minor: 'minor' },
  },
  de: {
    roles: { owner: 'Inhaber', admin: 'Administrator', member: 'Mitglied', viewer: 'Beobachter' },
    severities: { critical: 'kritisch', major: 'schwer', minor: 'leicht' },
  },
}
const locales: Record<MailLanguage, string> = { en: 'en-GB', de: 'de-DE' }

/** The field of a scope with the reader’s time zone, in which moments are shown unless a template names another. */
export const readerTimezone = 'reader_timezone'
/** With the name of the zone: the reader may be elsewhere than the monitor. */
const moment = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const
/** For lists below a text that names the zone. */
const brief = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const

const clocks = new Map<string, Intl.DateTimeFormat>()
/** Formats are cached for each zone: creating one takes longer than all else in a message. */
function clockOf(locale: string, options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${Object.keys(options).join(' ')}`
  const known = clocks.get(key)
  if (known) return known
  const clock = new Intl.DateTimeFormat(locale, { ...options, timeZone: isTimezone(timeZone) ? timeZone : 'UTC' })
  if (clocks.size > 2_000) clocks.clear()
  clocks.set(key, clock)
  return clock
}

/** An engine for plain texts. They are escaped where the layout puts them into HTML, and not here. */
function engineFor(language: MailLanguage): Liquid {
  const engine = new Liquid({ strictFilters: true, ownPropertyOnly: true, parseLimit: 10_000, memoryLimit: 10_000_000 })
  const locale = locales[language]
  const show = (options: Intl.DateTimeFormatOptions, at: unknown, timeZone: unknown): string => {
    const date = new Date(String(at))
    return Number.isNaN(date.getTime()) ? '' : clockOf(locale, options, String(timeZone)).format(date)
  }
  engine.registerFilter('moment', function (at: unknown, timeZone?: unknown) {
    return show(moment, at, timeZone ?? this.context.getSync([readerTimezone]) ?? 'UTC')
  })
  engine.registerFilter('brief', (at: unknown, timeZone: unknown) => show(brief, at, timeZone))
  engine.registerFilter('month', (at: unknown, timeZone: unknown) =>
    show({ month: 'long', year: 'numeric' }, at, timeZone),
  )
  engine.registerFilter('percent', (value: number) =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 }).format(value / 100),
  )
  engine.registerFilter('money', (minor: number, currency: string) => {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
    return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
  })
  engine.registerFilter('span', (seconds: number) => spanOf(seconds))
  engine.registerFilter('role', (role: string) => names[language].roles[role] ?? role)
  engine.registerFilter('severity', (severity: string) => names[language].severities[severity] ?? severity)
  return engine
}

function spanOf(seconds: number): string {
  const [days, hours, minutes, rest] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
    Math.floor(seconds % 60),
  ]
  const parts = [
    days && `${days} d`,
    hours && `${hours} h`,
    minutes && `${minutes} min`,
    !days && !hours && rest && `${rest} s`,
  ].filter(Boolean)
  return parts.join(' ') || '0 s'
}

const engines = { en: engineFor('en'), de: engineFor('de') }
const parsed = { en: new Map<string, Template[]>(), de: new Map<string, Template[]>() }

/** Fills one text of a template. Only templates are parsed as Liquid, never the values. */
export function fill(language: MailLanguage, text: string, scope: object): string {
  const known = parsed[language].get(text) ?? engines[language].parse(text)
  parsed[language].set(text, known)
  const filled: unknown = engines[language].renderSync(known, scope)
  return String(filled).trim()
}

const longest = 300
const longestLink = 2_000
const mostRows = 50

/** Texts of users as single lines: without line breaks, and without characters that change the direction of text. */
export function clean(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    const line = value
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .trim()
    return cut(line, name.endsWith('_url') ? longestLink : longest)
  }
  if (Array.isArray(value)) return value.slice(0, mostRows).map(each => clean(each))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, clean(each, key)]))
  return value
}

export const cut = (text: string, most: number) =>
  text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`
