import { template } from './template.ts'

export const emailChangedNotify = template({
  type: 'email_changed_notify',
  tone: 'warning',
  link: '{{ revert_url }}',
  en: {
    subject: 'Your account has another address now – {{ brand_name }}',
    heading: 'Your account has another address now',
    paragraphs: [
      'Hello {{ user_name }},',
      'the address of your account at {{ brand_name }} was changed. No more mail comes to this one.',
    ],
    details: [
      ['New address', '{{ new_email }}'],
      ['When', '{{ occurred_at | moment }}'],
      ['IP address', '{{ ip_address }}'],
    ],
    button: 'This was not me',
    note: 'The button gives your account this address back, ends all sessions and the password, and sends you a link to set a new one. It works for 72 hours.',
  },
  de: {
    subject: 'Ihr Konto hat jetzt eine andere Adresse – {{ brand_name }}',
    heading: 'Ihr Konto hat jetzt eine andere Adresse',
    paragraphs: [
      'Guten Tag {{ user_name }},',
      'die Adresse Ihres Kontos bei {{ brand_name }} wurde geändert. An diese hier kommen keine Mails mehr.',
    ],
    details: [
      ['Neue Adresse', '{{ new_email }}'],
      ['Wann', '{{ occurred_at | moment }}'],
      ['IP-Adresse', '{{ ip_address }}'],
    ],
    button: 'Das war ich nicht',
    note: 'Der Knopf gibt Ihrem Konto diese Adresse zurück, beendet alle Sitzungen und das Passwort und schickt Ihnen einen Link für ein neues. Er gilt 72 Stunden.',
  },
})
