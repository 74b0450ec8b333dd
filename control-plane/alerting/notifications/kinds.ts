import type { Language } from '#locales/languages.ts'
import { named, texts } from '#locales/texts.ts'

/** What a kind of check is called within a sentence. */
export const nameOfKind = (kind: string, language: Language): string =>
  named(texts('notifications', language).kinds, kind)
