import { Liquid, type Template } from 'liquidjs'
import { duration, moment, numberFormat, percent, plain, type TimeStyle, target } from '#contract/figures.ts'
import type { Language } from '#contract/languages.ts'
import { isTimezone } from '#control-plane/identity/users/input.ts'

const names: Record<Language, { roles: Record<string, string>; severities: Record<string, string> }> = {
  en: {
    roles: { owner: 'owner', admin: 'administrator', member: 'member', viewer: 'viewer' },
    severities: { critical: 'critical', major: 'major', minor: 'minor' },
  },
  de: {
    roles: { owner: 'Inhaber', admin: 'Administrator', member: 'Mitglied', viewer: 'Beobachter' },
    severities: { critical: 'kritisch', major: 'schwer', minor: 'leicht' },
  },
}
/** The field of a scope with the reader’s time zone, in which moments are shown unless a template names another. */
export const readerTimezone = 'reader_timezone'
/** An engine for plain texts. They are escaped where the layout puts them into HTML, and not here. */
function engineFor(language: Language): Liquid {
  const engine = new Liquid({ strictFilters: true, ownPropertyOnly: true, parseLimit: 10_000, memoryLimit: 10_000_000 })
  const show = (style: TimeStyle, at: unknown, timeZone: unknown): string => {
    const ms = new Date(String(at)).getTime()
    const zone = isTimezone(String(timeZone)) ? String(timeZone) : 'UTC'
    return Number.isNaN(ms) ? '' : moment(ms, { language, zone, style })
  }
  // with the name of the zone: the reader may be elsewhere than the monitor
  engine.registerFilter('moment', function (at: unknown, timeZone?: unknown) {
    return show('full', at, timeZone ?? this.context.getSync([readerTimezone]) ?? 'UTC')
  })
  // for lists below a text that names the zone
  engine.registerFilter('brief', (at: unknown, timeZone: unknown) => show('short', at, timeZone))
  engine.registerFilter('month', (at: unknown, timeZone: unknown) => show('month', at, timeZone))
  engine.registerFilter('percent', (value: number) => plain(percent(value, language)))
  engine.registerFilter('target', (value: number) => plain(target(value, language)))
  engine.registerFilter('money', (minor: unknown, currency: unknown) => {
    if (typeof minor !== 'number' || !/^[a-z]{3}$/i.test(String(currency))) return ''
    const format = numberFormat(language, { style: 'currency', currency: String(currency) })
    return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
  })
  engine.registerFilter('span', (seconds: number) => plain(duration(seconds * 1_000, language)))
  engine.registerFilter('role', (role: string) => names[language].roles[role] ?? role)
  engine.registerFilter('severity', (severity: string) => names[language].severities[severity] ?? severity)
  return engine
}

const engines = { en: engineFor('en'), de: engineFor('de') }
const parsed = { en: new Map<string, Template[]>(), de: new Map<string, Template[]>() }

/** Fills one text of a template. Only templates are parsed as Liquid, never the values. */
export function fill(language: Language, text: string, scope: object): string {
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
