import type { MailType } from '#contract/mails.ts'
import type { Scope, Voice } from '#control-plane/alerting/mail/voice.ts'

export type Tone = 'bad' | 'good' | 'warning' | 'neutral'

/** By the key of a button's label, the field with its address. */
export type Buttons = Readonly<Record<string, string>>

/** What the data decides about a message. What is left out, its texts say: `subject`, `heading`, `note`. */
export interface Said {
  /** The message in one line: the subject of a mail, and of other messages the text that phones show. */
  subject?: string
  heading?: string
  paragraphs?: string[]
  buttons?: Buttons
  /** Small print at the end. */
  note?: string
}

export interface List {
  /** The field with the rows, each a text, or `text` and `detail`. Its title has the same key in `lists`. */
  of: string
  /** The details are sentences rather than figures. */
  isProse?: boolean
  /** How many rows are shown; fifty by default. */
  most?: number
  /** The field with the number of all rows, if there are more of them than rows. */
  count?: string
}

/**
 * What mails and notifications to channels are made of: keys of texts and fields, in no language. The texts stand in
 * `locales/LANGUAGE`, under the name of the mail or the event. What comes out empty is left out.
 */
export interface MessageTemplate {
  tone: Tone
  /** Texts that several messages share, by the name of their group. */
  groups?: readonly string[]
  /** Its subject is its heading and the name of the brand. */
  isBranded?: boolean
  /** Moments are shown in the time zone of its field `timezone`, not in the reader's. */
  hasTimezone?: boolean
  /** Keys of texts, and fields in braces; `text` by default, where there is one. */
  paragraphs?: readonly string[]
  /** Fields that are shown with a label, which has the same key in `details` or the shared `labels`. */
  details?: readonly string[]
  lists?: readonly List[]
  buttons?: Buttons
  /** Further values for the texts: counts, translations, shortened texts. */
  derive?(data: Scope, voice: Voice): Record<string, unknown>
  /** Further texts. `scope` has the data and what `derive` made of it. */
  say?(scope: Scope, voice: Voice): Said
}

export interface MailTemplate extends MessageTemplate {
  /** The field with the address of the unsubscribe link, whose label is the text `leave`. */
  leave?: string
  /** Whether the subject begins with the brand’s `alert_prefix`. */
  isAlert?: boolean
}

export type MailTemplates = Partial<Record<MailType, MailTemplate>>
