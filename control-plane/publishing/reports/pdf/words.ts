import { dayText, duration, milliseconds, moment, number, percent, plain as spaced, target } from '#contract/figures.ts'
import { clean } from '#control-plane/alerting/mail/words.ts'
import type { Language } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'

/** The texts of a language, and how it writes figures and moments: with ordinary spaces, which `unbroken` replaces. */
export function wordsOf(language: Language, timezone: string) {
  const at = (when: string | number | Date) => new Date(when).getTime()
  return {
    ...texts('reports', language),
    percent: (value: number | null) => spaced(percent(value, language)),
    target: (value: number) => spaced(target(value, language)),
    ms: (value: number | null) => spaced(milliseconds(value, language)),
    count: (value: number) => number(value, language),
    span: (seconds: number) => spaced(duration(seconds * 1_000, language)),
    moment: (when: string) => moment(at(when), { language, zone: timezone }),
    monthName: (when: string | Date) => moment(at(when), { language, zone: timezone, style: 'month' }),
    /** Days are named by their date, wherever they begin. */
    date: (day: string) => dayText(day, language, 'date'),
    shortDate: (day: Date) => moment(day.getTime(), { language, zone: 'UTC', style: 'day' }),
  }
}
export type ReportWords = ReturnType<typeof wordsOf>

const units = '(?:%|ms|s|min|h|d)(?!\\p{L})'
const gaps = new RegExp(`(?<=\\d) (?=${units})|(?<=\\d\\s(?:d|h|min)) (?=\\d+\\s${units})`, 'gu')

/** Keeps each figure and its unit, and the two units of a span, on one line. */
export const unbroken = (text: string): string => text.replace(gaps, '\u00a0')

/** A text of a user as one line without control characters and marks of direction, cut to 300 characters. */
export const plain = (text: string): string => String(clean(text))
