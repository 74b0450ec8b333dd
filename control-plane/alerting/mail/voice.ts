import { duration, moment, numberFormat, percent, plain, type TimeStyle, target } from '#contract/figures.ts'
import { isTimezone } from '#control-plane/identity/users/input.ts'
import type { Language } from '#locales/languages.ts'
import { type MessageTexts, texts } from '#locales/texts.ts'

export type Scope = Readonly<Record<string, unknown>>

/** The texts that a message is made of: those of its own name, of the groups it shares, and those of all. */
export interface Source {
  area: 'mails' | 'notifications'
  name: string
  groups?: readonly string[]
  hasTimezone?: boolean
}

/** Says texts in one language. A text has `{fields}` of the message, and `{names}` of values that are given with it. */
export interface Voice {
  language: Language
  /** A text by its key, such as `reasons.dns`. An unknown key is an error. */
  say: (key: string, values?: Scope) => string
  find: (key: string, values?: Scope) => string | undefined
  /** The form of a text for a number, its `{count}`: `key_one`, `key_other` or what else the language has. */
  count: (key: string, number: unknown, values?: Scope) => string
  /** A value in the form of its field; empty where there is none. */
  show: (field: string, value: unknown) => string
  moment: (at: unknown, style?: TimeStyle) => string
  /** Fills a text. */
  fill: (text: string, values?: Scope) => string
}

/** The field of a scope with the reader’s time zone, in which moments are shown unless a template has its own. */
export const readerTimezone = 'reader_timezone'

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== false
export const countOf = (value: unknown): number => Number(value ?? 0)
export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
/** The rows of a list as records; a plain text becomes `{ text }`. */
export const rowsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(row => (typeof row === 'string' ? { text: row } : asRecord(row))) : []

/** The value of a field, such as `brand.support_url`. */
export const valueAt = (scope: Scope, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>((at, name) => (Object.hasOwn(Object(at), name) ? (at as Scope)[name] : undefined), scope)

function textAt(group: MessageTexts | undefined, path: readonly string[]): string | undefined {
  let at: MessageTexts | string | undefined = group
  for (const name of path) at = typeof at === 'object' && Object.hasOwn(at, name) ? at[name] : undefined
  return typeof at === 'string' ? at : undefined
}

const isMoment = /_(?:at|since)$|^(?:from|to|since|until|timestamp|valid_to|previous_valid_to)$/
const percents = new Set(['uptime_pct', 'left_pct'])

/** What a plan limits, in the words of the reader. */
export const featureName = ({ find }: Pick<Voice, 'find'>, feature: string): string =>
  find(`features.${feature}`) ?? feature.replaceAll('_', ' ')

export function voiceOf({ area, name, groups = [], hasTimezone }: Source, language: Language, scope: Scope): Voice {
  const ofArea = texts(area, language)
  const places = [name, ...groups, 'shared'].map(group => ofArea[group])
  if (area === 'mails') places.push(texts('notifications', language).shared)
  const zoneAsked = (hasTimezone ? scope.timezone : undefined) ?? scope[readerTimezone] ?? 'UTC'
  const zone = isTimezone(String(zoneAsked)) ? String(zoneAsked) : 'UTC'

  const showMoment = (at: unknown, style: TimeStyle = 'full'): string => {
    const ms = new Date(String(at)).getTime()
    return Number.isNaN(ms) ? '' : moment(ms, { language, zone, style })
  }
  function show(field: string, value: unknown): string {
    if (isMoment.test(field)) return showMoment(value)
    if (value === undefined || value === null) return ''
    if (typeof value === 'number') {
      if (percents.has(field)) return plain(percent(value, language))
      if (field === 'target_pct') return plain(target(value, language))
      if (field.endsWith('_s')) return plain(duration(value * 1_000, language))
      if (field === 'total') return money(value, scope.currency)
    }
    if (field === 'role') return find(`roles.${String(value)}`) ?? String(value)
    if (field === 'severity') return find(`severities.${String(value)}`) ?? String(value)
    return Array.isArray(value) ? value.join('') : String(value)
  }
  function money(minor: number, currency: unknown): string {
    if (!/^[a-z]{3}$/i.test(String(currency))) return ''
    const format = numberFormat(language, { style: 'currency', currency: String(currency) })
    return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
  }
  const fill = (text: string, values: Scope = {}): string =>
    text
      .replace(/\{([\w.]+)\}/g, (_, field: string) =>
        Object.hasOwn(values, field) ? String(values[field] ?? '') : show(field, valueAt(scope, field)),
      )
      .trim()
  function find(key: string, values?: Scope): string | undefined {
    const path = key.split('.')
    for (const place of places) {
      const text = textAt(place, path)
      if (text !== undefined) return fill(text, values)
    }
    return undefined
  }
  function say(key: string, values?: Scope): string {
    const text = find(key, values)
    if (text === undefined) throw new Error(`There is no text ${key} of ${name} in ${area}.`)
    return text
  }
  const count: Voice['count'] = (key, number, values) => {
    const all = { count: number, ...values }
    const form = new Intl.PluralRules(language).select(Number(number))
    return find(`${key}_${form}`, all) ?? say(`${key}_other`, all)
  }
  return { language, say, find, count, show, moment: showMoment, fill }
}
