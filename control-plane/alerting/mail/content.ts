import type { Language } from '#contract/languages.ts'
import type { MessageTemplate, Words } from './templates/template.ts'
import { fill } from './words.ts'

export interface Link {
  label: string
  url: string
}

/** The texts of a message. Each medium escapes and shortens them in its own way. */
export interface Content {
  subject: string
  heading: string
  paragraphs: string[]
  details: { label: string; value: string }[]
  lists: { title: string; isProse: boolean; rows: { text: string; detail: string }[] }[]
  buttons: Link[]
  note: string
}

export type Scope = Readonly<Record<string, unknown>>

const defaultRows = 50
const more: Record<Language, (rest: number) => string> = {
  en: rest => `and ${rest} more`,
  de: rest => `und ${rest} weitere`,
}

/**
 * Fills the texts of a template. `data` is the cleaned data of the message; the template derives further values from
 * it.
 */
export function contentOf(template: MessageTemplate, language: Language, data: Scope): Content {
  const scope = { ...data, ...template.derive?.(data, language) }
  const words = template[language]
  const say = (text: string) => fill(language, text, scope)
  const mark = data.test === true ? '[Test] ' : ''
  const heading = mark + say(words.heading)
  return {
    subject: mark + say(words.subject),
    heading,
    // the title of an incident often repeats the heading
    paragraphs: words.paragraphs.map(say).filter(text => text !== '' && text !== heading),
    details: (words.details ?? [])
      .map(([label, value]) => ({ label: say(label), value: say(value) }))
      .filter(({ value }) => value !== ''),
    lists: listsOf(words, language, scope),
    buttons: [
      linkOf(say, words.button, template.link),
      linkOf(say, words.secondButton, template.secondLink),
      linkOf(say, words.thirdButton, template.thirdLink),
    ].filter(link => link !== null),
    note: say(words.note ?? ''),
  }
}

function listsOf(words: Words, language: Language, scope: Scope): Content['lists'] {
  return (words.lists ?? []).flatMap(list => {
    const say = (text: string, row: object = {}) => fill(language, text, { ...scope, ...row })
    const all = rowsOf(scope[list.of])
    const rows = all
      .slice(0, list.most ?? defaultRows)
      .map(row => ({ text: say(list.row, row), detail: say(list.detail, row) }))
    const rest = Math.max(all.length, Number(scope[list.count ?? ''] ?? 0)) - rows.length
    const kept = { title: say(list.title), isProse: list.isProse === true }
    if (rows.length === 0 && list.none) return [{ ...kept, rows: [{ text: say(list.none), detail: '' }] }]
    if (rest > 0 && rows.length > 0) rows.push({ text: more[language](rest), detail: '' })
    return rows.length > 0 ? [{ ...kept, rows }] : []
  })
}

/** A link with a filled label and address; null if one of them comes out empty. */
export function linkOf(
  say: (text: string) => string,
  label: string | undefined,
  address: string | undefined,
): Link | null {
  const said = label === undefined ? '' : say(label)
  const url = said === '' || address === undefined ? null : absolute(say(address))
  return url === null ? null : { label: said, url }
}

/** An http or https address; null for any other text. */
export function absolute(text: string | null): string | null {
  const url = text ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
/** The rows of a list as records; a plain text becomes `{ text }`. */
const rowsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(row => (typeof row === 'string' ? { text: row } : asRecord(row))) : []
