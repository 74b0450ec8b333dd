import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { addLocales } from '../contract/figures.ts'
import type { components } from './api-types.d.ts'
import { MissingPart } from './parts/missing-part.ts'

export type Language = components['schemas']['Language']

/** Texts of an area are loaded with it. */
const ours = import.meta.glob<{ default: Record<string, string> }>('../locales/*/app/*.json')
/** The build fills it from the folder of further languages, if it was given one. */
const further: typeof ours = {}
const files = new Map(
  Object.entries({ ...ours, ...further }).map(([path, load]) => [path.split('/').slice(-3).join('/'), load]),
)

/** Those that the app has texts of, English first. */
export const languages = [...new Set(['en', ...[...files.keys()].map(path => path.split('/')[0]).sort()])] as Language[]

addLocales(languages)

/** The language of a tag such as `de-AT`; English where we do not have it. */
export const languageOfTag = (tag: string): Language =>
  languages.find(language => language === tag.toLowerCase().split('-')[0]) ?? 'en'

/** The name of a language in another. */
export const nameOfLanguage = (language: string, inLanguage = language): string =>
  new Intl.DisplayNames(inLanguage, { type: 'language' }).of(language) ?? language

/** Settles once texts can be loaded at all: routes ask for theirs before. */
let begun: Promise<unknown> = Promise.resolve()

export async function loadWords(language: Language): Promise<void> {
  document.documentElement.lang = language
  begun = i18next
    .use(initReactI18next)
    .use({
      type: 'backend',
      read: async (lng: string, namespace: string) =>
        (await files.get(`${lng}/app/${namespace}.json`)?.())?.default ?? {},
    })
    .init({
      lng: language,
      fallbackLng: false,
      // keys are flat: `nav.label` is one key
      keySeparator: false,
      nsSeparator: false,
      ns: ['shell', 'parts'],
      defaultNS: 'shell',
      interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
      react: { useSuspense: true },
    })
  await begun
}

/** Loads the texts of areas. A page must not show the names of texts instead: what cannot be loaded is an error. */
export async function loadAreaWords(...names: string[]): Promise<void> {
  await begun
  await i18next.loadNamespaces(names)
  const missing = names.filter(name => !i18next.hasResourceBundle(i18next.language, name))
  if (missing.length > 0) throw new MissingPart(new Error(missing.join(', ')))
}

/** The language of the browser, as far as there is one of ours. */
export const browserLanguage = (): Language =>
  languages.find(language => navigator.languages.some(wanted => wanted.split('-')[0] === language)) ?? 'en'
