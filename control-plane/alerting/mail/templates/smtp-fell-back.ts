import { template } from './template.ts'

export const smtpFellBack = template({
  type: 'smtp_fell_back',
  tone: 'warning',
  isAlert: true,
  en: {
    subject: 'Your mail server did not take our mail',
    heading: 'Your mail server did not take our mail',
    paragraphs: ['Mail of the team {{ team_name }} goes by our own server until yours answers again.'],
    facts: [
      ['Server', '{{ host }}'],
      ['Reason', '{{ reason }}'],
      ['When', '{{ occurred_at | moment }}'],
    ],
  },
  de: {
    subject: 'Ihr Mailserver hat unsere Mail nicht angenommen',
    heading: 'Ihr Mailserver hat unsere Mail nicht angenommen',
    paragraphs: ['Mails des Teams {{ team_name }} gehen über unseren eigenen Server, bis Ihrer wieder antwortet.'],
    facts: [
      ['Server', '{{ host }}'],
      ['Grund', '{{ reason }}'],
      ['Wann', '{{ occurred_at | moment }}'],
    ],
  },
})
