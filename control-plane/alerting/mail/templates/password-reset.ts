import { template } from './template.ts'

export const passwordReset = template({
  type: 'password_reset',
  tone: 'neutral',
  link: '{{ reset_url }}',
  en: {
    subject: 'Set a new password – {{ brand_name }}',
    heading: 'Set a new password',
    paragraphs: [
      'Hello {{ user_name }},',
      'a new password was asked for, for your account at {{ brand_name }}. The link works once.',
    ],
    details: [
      ['Valid until', '{{ expires_at | moment }}'],
      ['Asked for from', '{{ ip_address }}'],
    ],
    button: 'Set a new password',
    note: 'If you did not ask for it, you need not do anything: your password stays as it is.',
  },
  de: {
    subject: 'Neues Passwort festlegen – {{ brand_name }}',
    heading: 'Neues Passwort festlegen',
    paragraphs: [
      'Guten Tag {{ user_name }},',
      'für Ihr Konto bei {{ brand_name }} wurde ein neues Passwort angefordert. Der Link gilt einmal.',
    ],
    details: [
      ['Gültig bis', '{{ expires_at | moment }}'],
      ['Angefordert von', '{{ ip_address }}'],
    ],
    button: 'Neues Passwort festlegen',
    note: 'Wenn Sie das nicht angefordert haben, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
  },
})
