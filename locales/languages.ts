import { readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { addLocales } from '#contract/figures.ts'
import { localesFolder } from '#contract/locales-config.ts'

/** A language of the texts, such as `de`: a folder here, or in the folder that the setting LOCALES_FOLDER adds. */
export type Language = string

const roots = [new URL('./', import.meta.url), ...(localesFolder ? [pathToFileURL(`${localesFolder}/`)] : [])]

/** The folder of each language. */
export const folders: ReadonlyMap<Language, URL> = new Map(
  roots.flatMap(root =>
    readdirSync(root, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => [name, new URL(`${name}/`, root)] as const),
  ),
)

/** English first, with which the others are compared. */
export const languages: readonly [Language, ...Language[]] = [
  'en',
  ...[...folders.keys()].filter(language => language !== 'en').sort(),
]

addLocales(languages)

export const isLanguage = (text: string | null | undefined): text is Language => folders.has(text ?? '')

/** The language of a tag such as `de-AT`; English where we do not have it. */
export function languageOfTag(tag: string): Language {
  const language = tag.toLowerCase().split('-')[0]
  return isLanguage(language) ? language : 'en'
}

/** What a language calls itself. */
export const nameOf = (language: Language): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
