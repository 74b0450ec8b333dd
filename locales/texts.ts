import { readFileSync } from 'node:fs'
import { fill } from '#contract/sentence.ts'
import type mails from './en/mails.json'
import type notifications from './en/notifications.json'
import type pages from './en/pages.json'
import type reports from './en/reports.json'
import type statusPages from './en/status-pages.json'
import { folders, type Language } from './languages.ts'

export type PageTexts = typeof pages
export type StatusPageTexts = typeof statusPages

/** The texts of messages, by groups; a message has a group of its name. */
export interface MessageTexts {
  readonly [key: string]: string | MessageTexts
}
type Groups<Known> = Known & Readonly<Record<string, MessageTexts | undefined>>

interface Areas {
  /** By the English template; English itself has no file. */
  causes: Record<'sentences' | 'thresholds', Readonly<Record<string, string>>>
  mails: Groups<typeof mails>
  notifications: Groups<typeof notifications>
  pages: typeof pages
  /** By the English template; English itself has no file. */
  refusals: Readonly<Record<string, string>>
  reports: typeof reports
  'status-pages': typeof statusPages
}

const read = new Map<string, unknown>()

/** The texts of an area in a language: `locales/LANGUAGE/AREA.json`. */
export function texts<Area extends keyof Areas>(area: Area, language: Language): Areas[Area] {
  const file = `${language}/${area}.json`
  if (!read.has(file)) read.set(file, JSON.parse(readFileSync(new URL(`${area}.json`, folders.get(language)), 'utf8')))
  return read.get(file) as Areas[Area]
}

export { fill }

/** The name of a word of the API, such as a role; the word itself where it has none. */
export const named = (names: Readonly<Record<string, string>>, word: string): string => names[word] ?? word

/** The form of a text for a number, its `{count}`: `key_one` or `key_other`, or what else the language distinguishes. */
export function counted<Key extends string>(
  forms: Readonly<Record<`${Key}_other`, string>>,
  key: Key,
  count: number,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const form = `${key}_${new Intl.PluralRules(language).select(count)}`
  const text = (forms as Readonly<Record<string, string>>)[form] ?? forms[`${key}_other`]
  return fill(text, { count, ...values })
}
