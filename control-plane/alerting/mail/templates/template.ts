import type { Language } from '#contract/languages.ts'
import type { MailType } from '#contract/mails.ts'

/**
 * The texts of a mail or a notification in one language. Each is a Liquid template of plain text. Empty results are
 * left out.
 */
export interface Words {
  /** The message in one line: the subject of a mail, and of other messages the text that phones show. */
  subject: string
  heading: string
  paragraphs: readonly string[]
  details?: readonly (readonly [label: string, value: string])[]
  lists?: readonly List[]
  button?: string
  secondButton?: string
  thirdButton?: string
  /** Small print at the end. */
  note?: string
  /** The label of the unsubscribe link. */
  leave?: string
}

export interface List {
  title: string
  /** The field of the data with the rows. */
  of: string
  row: string
  detail: string
  none?: string
  /** The details are sentences rather than figures. */
  isProse?: boolean
  /** How many rows are shown; fifty by default. */
  most?: number
  /** The field of the data with the number of all rows, if the data has only some of them. */
  count?: string
}

export type Tone = 'bad' | 'good' | 'warning' | 'neutral'

/** The part of a template that mails and notifications to channels share. */
export interface MessageTemplate {
  tone: Tone
  /** The addresses of the buttons, as Liquid. */
  link?: string
  secondLink?: string
  thirdLink?: string
  /** Further values for the texts: counts, translations, shortened texts. */
  derive?(data: Readonly<Record<string, unknown>>, language: Language): Record<string, unknown>
  en: Words
  de: Words
}

export interface Template extends MessageTemplate {
  type: MailType
  /** The address of the unsubscribe link, as Liquid. */
  leaveLink?: string
  /** Whether the subject begins with the brand’s `alert_prefix`. */
  isAlert?: boolean
}

/** An incident in a list: the monitor's name is added unless the title contains it. */
export const named =
  '{% if title contains monitor_name %}{{ title }}{% else %}{{ monitor_name }}: {{ title }}{% endif %}'

/** The name of a monitor in a list, with a word where it was deleted since. */
export const monitorNamed = {
  en: '{{ monitor_name }}{% if is_removed %} (deleted){% endif %}',
  de: '{{ monitor_name }}{% if is_removed %} (gelöscht){% endif %}',
} as const

export const template = (given: Template): Template => given

/** The end of all notices about an account. */
const endings = {
  en: {
    details: [
      ['Account', '{{ user_email }}'],
      ['When', '{{ occurred_at | moment }}'],
      ['IP address', '{{ ip_address }}'],
    ],
    note: 'If that was not you, change your password at once and tell an administrator of your team.',
  },
  de: {
    details: [
      ['Konto', '{{ user_email }}'],
      ['Wann', '{{ occurred_at | moment }}'],
      ['IP-Adresse', '{{ ip_address }}'],
    ],
    note: 'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und sagen Sie einem Administrator Ihres Teams Bescheid.',
  },
} as const

interface NoticeWords {
  subject: string
  says: string
  details?: Words['details']
  lists?: Words['lists']
  note?: string
}

/** A notice to a user about their account: one sentence, then account, time and IP address. */
export function notice(type: MailType, tone: Tone, words: { en: NoticeWords; de: NoticeWords }): Template {
  const complete = (language: 'en' | 'de'): Words => {
    const { subject, says, details = [], lists = [], note = endings[language].note } = words[language]
    return {
      subject: `${subject} – {{ brand_name }}`,
      heading: subject,
      paragraphs: [language === 'en' ? 'Hello {{ user_name }},' : 'Guten Tag {{ user_name }},', says],
      details: [...details, ...endings[language].details],
      lists,
      note,
    }
  }
  return { type, tone, en: complete('en'), de: complete('de') }
}
