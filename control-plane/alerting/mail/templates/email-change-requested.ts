import { template } from './template.ts'

export const emailChangeRequested = template({
  type: 'email_change_requested',
  tone: 'warning',
  link: '{{ revert_url }}',
  en: {
    subject: 'Another address was asked for, for your account – {{ brand_name }}',
    heading: 'Another address was asked for, for your account',
    paragraphs: [
      'Hello {{ user_name }},',
      'your account at {{ brand_name }} is to get another address. It changes once the new address is confirmed.',
      'If you asked for it, you need not do anything here.',
    ],
    details: [
      ['New address', '{{ new_email }}'],
      ['When', '{{ occurred_at | moment }}'],
      ['IP address', '{{ ip_address }}'],
    ],
    button: 'This was not me',
    note: 'The button cancels the change, ends all sessions and the password, and sends you a link to set a new one. It works for 72 hours after the change.',
  },
  de: {
    subject: 'Für Ihr Konto wurde eine andere Adresse angefordert – {{ brand_name }}',
    heading: 'Für Ihr Konto wurde eine andere Adresse angefordert',
    paragraphs: [
      'Guten Tag {{ user_name }},',
      'Ihr Konto bei {{ brand_name }} soll eine andere Adresse bekommen. Sie gilt, sobald die neue Adresse bestätigt ist.',
      'Wenn Sie das angefordert haben, brauchen Sie hier nichts zu tun.',
    ],
    details: [
      ['Neue Adresse', '{{ new_email }}'],
      ['Wann', '{{ occurred_at | moment }}'],
      ['IP-Adresse', '{{ ip_address }}'],
    ],
    button: 'Das war ich nicht',
    note: 'Der Knopf bricht die Änderung ab, beendet alle Sitzungen und das Passwort und schickt Ihnen einen Link für ein neues. Er gilt bis 72 Stunden nach der Änderung.',
  },
})
