import type { MailData, MailType } from '#contract/mails.ts'
import { brandOf } from './brand.ts'
import type { EmailMessage } from './email-message.ts'
import type { MailSettings } from './mail-settings.ts'
import { renderMail } from './render.ts'
import { mailLanguageOf } from './words.ts'

interface Draft {
  /** What the mail is known by, however often it is sent. */
  id: string
  tenantId: string
  type: MailType
  to: EmailMessage['to']
  language: string
  /** Of the reader; UTC where it is not known. */
  timezone?: string
}

/** A mail in words, in the looks of the tenant whose it is. */
export const write = (
  { language, timezone = 'UTC', ...draft }: Draft,
  data: MailData,
  { looks }: MailSettings,
): EmailMessage => ({
  ...draft,
  ...renderMail(draft.type, data, { language: mailLanguageOf(language), brand: brandOf(looks), timezone }),
})
