import { template } from './template.ts'

export const emailChangedNotify = template({
  type: 'email_changed_notify',
  tone: 'warning',
  en: {
    subject: 'Your account has another address now – {{ brand_name }}',
    heading: 'Your account has another address now',
    paragraphs: ['Hello {{ user_name }},', 'the address of your account at {{ brand_name }} was changed. No more mail comes to this one.'],
    facts: [
      ['New address', '{{ new_email }}'],
      ['When', '{{ occurred_at | moment }}'],
      ['IP address', '{{ ip_address }}'],
    ],
    note: 'If that was not you, tell an administrator of your team at once.',
  },
  de: {
    subject: 'Ihr Konto hat jetzt eine andere Adresse – {{ brand_name }}',
    heading: 'Ihr Konto hat jetzt eine andere Adresse',
    paragraphs: ['Guten Tag {{ user_name }},', 'die Adresse Ihres Kontos bei {{ brand_name }} wurde geändert. An diese hier kommen keine Mails mehr.'],
    facts: [
      ['Neue Adresse', '{{ new_email }}'],
      ['Wann', '{{ occurred_at | moment }}'],
      ['IP-Adresse', '{{ ip_address }}'],
    ],
    note: 'Wenn Sie das nicht waren, sagen Sie sofort einem Administrator Ihres Teams Bescheid.',
  },
})
