import type { Context } from 'koa'
import { type Language, languageOfTag, languages } from '#contract/languages.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import type { Refusal } from '#control-plane/base/refusal.ts'
import { germanNouns, germanOfRefusals, germanOfSchemas } from './german.ts'
import { germanOfModules } from './german-of-modules.ts'

type Body = ReturnType<Refusal['toJSON']>

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Sentences with placeholders, as a pattern and their German; all others are found by their text. */
const sentences = { ...germanOfSchemas, ...germanOfRefusals, ...germanOfModules }
const holed = Object.entries(sentences)
  .filter(([english]) => english.includes('{'))
  .map(([english, german]) => ({ shape: shapeOf(english), german }))

function shapeOf(english: string): RegExp {
  const parts = english.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? escaped(part) : `(?<${part}>.+)`))
  return new RegExp(`^${parts.join('')}$`, 's')
}

const fill = (german: string, values: Record<string, string>) =>
  german.replaceAll(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole)

/** A longer text is none of our sentences: to compare it with those that have several holes takes long. */
const mostChars = 1_000

/** The German translation of one of our sentences, if there is one. */
export function inGerman(english: string): string | undefined {
  if (english.length > mostChars) return undefined
  const noun = /^([A-Z][a-z ]*) not found\.$/.exec(english)?.[1]
  if (noun !== undefined) return Object.hasOwn(germanNouns, noun) ? `${germanNouns[noun]} nicht gefunden.` : undefined
  if (Object.hasOwn(sentences, english)) return sentences[english]
  for (const { shape, german } of holed) {
    const values = shape.exec(english)?.groups
    if (values) return fill(german, values)
  }
  return undefined
}

/** `Accept-Language` goes before the language of the user. `*`, which programs send by default, is ignored. */
function languageOf(context: Context): Language {
  const header = context.req.headers['accept-language']
  const asked = header === undefined || header.trim() === '*' ? false : context.acceptsLanguages(...languages)
  if (asked) return asked as Language
  const { user } = (context.state.caller as Caller | undefined) ?? {}
  return languageOfTag(user?.language ?? 'en')
}

/**
 * The body of a refusal in the caller's language: its message and the errors of each field. `code` is the same in every
 * language; sentences without a translation stay English.
 */
export function inLanguageOf(context: Context, body: Body): Body {
  context.vary('Accept-Language')
  const languages = new Set<Language>()
  const said = new Map<string, string>()
  const say = (english: string) => {
    const known = said.get(english)
    if (known !== undefined) return known
    const german = inGerman(english)
    languages.add(german === undefined ? 'en' : 'de')
    said.set(english, german ?? english)
    return german ?? english
  }
  if (languageOf(context) === 'en') {
    context.set('Content-Language', 'en')
    return body
  }
  const message = say(body.message)
  const errors =
    body.errors && Object.fromEntries(Object.entries(body.errors).map(([field, found]) => [field, found.map(say)]))
  context.set('Content-Language', [...languages].join(', '))
  return { ...body, message, ...(errors && { errors }) }
}
