import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** Texts of an area are loaded with it. */
const files = import.meta.glob<{ default: Record<string, string> }>('./words/*/*.json')

export async function loadWords(language: Language): Promise<void> {
  document.documentElement.lang = language
  await i18next
    .use(initReactI18next)
    .use({
      type: 'backend',
      read: async (lng: string, namespace: string) =>
        (await files[`./words/${lng}/${namespace}.json`]?.())?.default ?? {},
    })
    .init({
      lng: language,
      fallbackLng: false,
      // keys are flat: `nav.label` is one key
      keySeparator: false,
      nsSeparator: false,
      ns: ['shell', 'parts'],
      defaultNS: 'shell',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}

/** The language of the browser, as far as there is one of ours. */
export const browserLanguage = (): Language =>
  languages.find(language => navigator.languages.some(wanted => wanted.split('-')[0] === language)) ?? 'en'
