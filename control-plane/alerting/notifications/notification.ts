import { canonicalName } from '#contract/events.ts'
import { type Content, contentOf } from '#control-plane/alerting/mail/content.ts'
import type { Tone } from '#control-plane/alerting/mail/templates/template.ts'
import { asRecord, readerTimezone } from '#control-plane/alerting/mail/voice.ts'
import { clean } from '#control-plane/alerting/mail/words.ts'
import type { Language } from '#locales/languages.ts'
import { templateOf } from './templates/index.ts'

/** The language and time zone of a message's readers. */
export interface Reader {
  language: Language
  timezone: string
}

/** An event as texts, the same for all media that people read. */
export interface Notification extends Content {
  tone: Tone
}

/** `links`: members that the texts use as addresses, such as `details_url`. */
export function notificationOf(
  { event, payload }: { event: string; payload: Readonly<Record<string, unknown>> },
  { language, timezone }: Reader,
  links: Readonly<Record<string, string | null>>,
): Notification {
  const template = templateOf(event)
  const scope = {
    ...asRecord(clean({ ...payload, ...links })),
    event: canonicalName(event),
    [readerTimezone]: timezone,
  }
  return { ...contentOf(template, language, scope), tone: template.tone }
}
