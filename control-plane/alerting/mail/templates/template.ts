import type { MailType } from '#contract/mails.ts'

/** What a mail says in one language. Each text is Liquid over the mail’s data and stands for text alone, never for HTML; one that comes out empty is left out. */
export interface Words {
  subject: string
  heading: string
  paragraphs: readonly string[]
  facts?: readonly (readonly [label: string, value: string])[]
  lists?: readonly List[]
  button?: string
  /** In small print, below all else. */
  note?: string
  /** What the link to get no more of it is called. */
  leave?: string
}

interface List {
  title: string
  /** The member of the data that holds the rows. */
  of: string
  row: string
  detail: string
  none?: string
}

export type Tone = 'bad' | 'good' | 'warning' | 'neutral'

export interface Template {
  type: MailType
  tone: Tone
  /** Where the button leads: Liquid as well. */
  link?: string
  /** Where one asks for no more of it. */
  leaveLink?: string
  /** Whether the brand’s `alert_prefix` stands before the subject. */
  isAlert?: boolean
  en: Words
  de: Words
}

export const template = (given: Template): Template => given

/** What all notices about an account end with. */
const endings = {
  en: {
    facts: [
      ['Account', '{{ user_email }}'],
      ['When', '{{ occurred_at | moment }}'],
      ['IP address', '{{ ip_address }}'],
    ],
    note: 'If that was not you, change your password at once and tell an administrator of your team.',
  },
  de: {
    facts: [
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
  facts?: Words['facts']
  lists?: Words['lists']
  note?: string
}

/** A notice about somebody’s account: one sentence, and where and when. */
export function notice(type: MailType, tone: Tone, words: { en: NoticeWords; de: NoticeWords }): Template {
  const complete = (language: 'en' | 'de'): Words => {
    const { subject, says, facts = [], lists = [], note = endings[language].note } = words[language]
    return {
      subject: `${subject} – {{ brand_name }}`,
      heading: subject,
      paragraphs: [language === 'en' ? 'Hello {{ user_name }},' : 'Guten Tag {{ user_name }},', says],
      facts: [...facts, ...endings[language].facts],
      lists,
      note,
    }
  }
  return { type, tone, en: complete('en'), de: complete('de') }
}
