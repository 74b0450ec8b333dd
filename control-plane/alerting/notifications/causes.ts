import { fill } from '#contract/sentence.ts'
import type { Language } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'

/** Turns a stored cause into one language. */
type Translate = (english: string) => string

const byLanguage = new Map<Language, Translate>()

/**
 * A cause of an incident or a warning in a language. Causes are stored, and sent by agents, as English sentences: they
 * are compared with the templates of `locales/LANGUAGE/causes.json`. A sentence without translation stays English.
 */
export function causeIn(language: Language, english: string): string {
  if (language === 'en') return english
  const translate = byLanguage.get(language) ?? translatorInto(language)
  byLanguage.set(language, translate)
  return translate(english)
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A template as a pattern: `{n}` and `{m}` are whole numbers, other places any text. */
const shapeOf = (template: string, other: string) =>
  template
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 === 0 ? escaped(part) : `(?<${part}>${/^[nm]$/.test(part) ? '-?\\d+' : other})`))
    .join('')

const ownLength = (template: string) => template.replaceAll(/\{\w+\}/g, '').length
/** Templates with more text of their own come first: one that is mostly places fits nearly any sentence. */
const inOrder = (templates: object): [template: string, text: string][] =>
  Object.entries(templates).sort(([a], [b]) => ownLength(b) - ownLength(a))

function translatorInto(language: Language): Translate {
  const { sentences, thresholds } = texts('causes', language)
  const shapes = inOrder(sentences)
    .filter(([template]) => template.includes('{'))
    .map(([template, text]) => ({ shape: new RegExp(`^${shapeOf(template, '.*')}$`), text }))
  // the parts of a sentence about thresholds, which names several; those with a space at their begin stand anywhere
  const parts = inOrder(thresholds).map(([part, text]) => ({
    shape: new RegExp(
      `${part.startsWith(' ') ? '' : '(?<=^|, )'}${shapeOf(part, '\\S+')}${/\w$/.test(part) ? '\\b' : ''}`,
      'gi',
    ),
    text,
  }))
  return function translate(english: string): string {
    if (isThreshold.test(english))
      return parts.reduce(
        (said, { shape, text }) => said.replace(shape, (...found) => fill(text, found.at(-1))),
        english,
      )
    if (Object.hasOwn(sentences, english)) return sentences[english] ?? english
    for (const { shape, text } of shapes) {
      const values = shape.exec(english)?.groups
      // a cause may end with another: why the target of a redirect could not be reached
      if (values)
        return fill(text, Object.fromEntries(Object.entries(values).map(([name, each]) => [name, translate(each)])))
    }
    return english
  }
}

const isThreshold = /^.+ above .+ for \d+ minutes? \(.+\)(?: and \d+ more)?\.$/
