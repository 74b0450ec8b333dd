import { template } from './template.ts'

export const subscriptionConfirm = template({
  type: 'subscription_confirm',
  tone: 'neutral',
  link: '{{ confirm_url }}',
  en: {
    subject: 'Do you want the updates of {{ page_name }}?',
    heading: 'Do you want the updates of {{ page_name }}?',
    paragraphs: [
      'This address was entered to get the updates of the status page {{ page_name }}. You get none unless you confirm.',
    ],
    details: [['Status page', '{{ page_url }}']],
    button: 'Confirm',
    note: 'If you do not want them, you need not do anything: the address is deleted after seven days.',
  },
  de: {
    subject: 'Möchten Sie die Meldungen von {{ page_name }}?',
    heading: 'Möchten Sie die Meldungen von {{ page_name }}?',
    paragraphs: [
      'Diese Adresse wurde für die Meldungen der Statusseite {{ page_name }} eingetragen. Ohne Ihre Bestätigung kommt keine.',
    ],
    details: [['Statusseite', '{{ page_url }}']],
    button: 'Bestätigen',
    note: 'Wenn Sie keine möchten, brauchen Sie nichts zu tun: Nach sieben Tagen wird die Adresse gelöscht.',
  },
})
