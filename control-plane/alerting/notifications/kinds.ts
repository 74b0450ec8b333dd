import { isKindName, kinds } from '#checks/index.ts'
import type { MailLanguage } from '#control-plane/alerting/mail/words.ts'

export const nameOfKind = (kind: string, language: MailLanguage): string =>
  isKindName(kind) ? kinds[kind].title[language] : kind
