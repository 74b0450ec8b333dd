import { template } from './template.ts'

/** A text by the reason for which the server refused mail. */
const cases = (reasons: Record<string, string>) =>
  `{% case reason %}${Object.entries(reasons)
    .map(([reason, words]) => `{% when "${reason}" %}${words}`)
    .join('')}{% else %}{{ reason }}{% endcase %}`

export const smtpFellBack = template({
  type: 'smtp_fell_back',
  tone: 'warning',
  isAlert: true,
  en: {
    subject: 'Your mail server did not take our mail',
    heading: 'Your mail server did not take our mail',
    paragraphs: ['Mail of the team {{ team_name }} goes by our own server until yours answers again.'],
    details: [
      ['Server', '{{ host }}'],
      [
        'Reason',
        cases({
          blocked: 'It is not at a public address.',
          dns: 'Its name has no address.',
          connect: 'It could not be reached.',
          timeout: 'It did not answer in time.',
          tls: 'It offers no TLS that can be trusted.',
          auth: 'It refused the user name or password.',
          sender: 'It refused the sender.',
          recipient: 'It refused the recipients.',
          refused: 'It refused the message.',
          protocol: 'It spoke no SMTP.',
        }),
      ],
      ['When', '{{ occurred_at | moment }}'],
    ],
    note: 'Correct the settings of the mail server and send a test mail.',
  },
  de: {
    subject: 'Ihr Mailserver hat unsere Mail nicht angenommen',
    heading: 'Ihr Mailserver hat unsere Mail nicht angenommen',
    paragraphs: ['Mails des Teams {{ team_name }} gehen über unseren eigenen Server, bis Ihrer wieder antwortet.'],
    details: [
      ['Server', '{{ host }}'],
      [
        'Grund',
        cases({
          blocked: 'Er hat keine öffentliche Adresse.',
          dns: 'Sein Name hat keine Adresse.',
          connect: 'Er war nicht zu erreichen.',
          timeout: 'Er hat nicht rechtzeitig geantwortet.',
          tls: 'Er bietet kein vertrauenswürdiges TLS.',
          auth: 'Er hat Benutzername oder Passwort abgelehnt.',
          sender: 'Er hat den Absender abgelehnt.',
          recipient: 'Er hat die Empfänger abgelehnt.',
          refused: 'Er hat die Nachricht abgelehnt.',
          protocol: 'Er sprach kein SMTP.',
        }),
      ],
      ['Wann', '{{ occurred_at | moment }}'],
    ],
    note: 'Berichtigen Sie die Einstellungen des Mailservers, und senden Sie eine Testmail.',
  },
})
