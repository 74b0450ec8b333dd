import { isKindName, kinds } from '#checks/index.ts'
import type { Language } from '#contract/languages.ts'

export const nameOfKind = (kind: string, language: Language): string =>
  isKindName(kind) ? kinds[kind].title[language] : kind
