import type { Context } from 'koa'
import { fill, type Text } from '#contract/sentence.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import type { FieldErrors, Refusal } from '#control-plane/base/refusal.ts'
import { type Language, languageOfTag, languages } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'

/** One of our sentences in a language; undefined where that has no translation of it. */
export function translated(text: Text, language: Language): string | undefined {
  if (language === 'en') return String(text)
  const [template, values] = typeof text === 'string' ? [text, {}] : [text.template, text.values]
  const known = texts('refusals', language)
  return Object.hasOwn(known, template) ? fill(known[template] ?? '', values) : undefined
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
export function inLanguageOf(context: Context, refusal: Refusal, errors: FieldErrors | undefined): object {
  context.vary('Accept-Language')
  const language = languageOf(context)
  const used = new Set<Language>()
  const say = (text: Text): string => {
    const known = translated(text, language)
    used.add(known === undefined ? 'en' : language)
    return known ?? String(text)
  }
  const message = say(refusal.text)
  const said = errors && Object.fromEntries(Object.entries(errors).map(([field, found]) => [field, found.map(say)]))
  context.set('Content-Language', [...used].join(', '))
  return { ...refusal.toJSON(), message, ...(said && { errors: said }) }
}
