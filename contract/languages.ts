/** The languages of the texts in `locales/`, a folder each; English is the one that others are compared with. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The language of a tag such as `de-AT`; English where we do not have it. */
export const languageOfTag = (tag: string): Language =>
  languages.find(language => language === tag.toLowerCase().split('-')[0]) ?? 'en'
