import type { MailData, MailType } from '#contract/mails.ts'
import { languageOfTag } from '#locales/languages.ts'
import { brandOf } from './brand.ts'
import type { EmailMessage } from './email-message.ts'
import type { MailSettings } from './mail-settings.ts'
import { renderMail } from './render.ts'

interface Draft {
  /** The same for each attempt to send the mail. */
  id: string
  tenantId: string
  type: MailType
  to: EmailMessage['to']
  language: string
  /** The reader's; UTC if unknown. */
  timezone?: string
}

/** Renders a mail with the branding of its tenant. */
export const write = (
  { language, timezone = 'UTC', ...draft }: Draft,
  data: MailData,
  { branding }: Pick<MailSettings, 'branding'>,
): EmailMessage => ({
  ...draft,
  ...renderMail(draft.type, data, { language: languageOfTag(language), brand: brandOf(branding), timezone }),
})
