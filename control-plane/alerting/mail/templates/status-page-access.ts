import { template } from './template.ts'

export const statusPageAccess = template({
  type: 'status_page_access',
  tone: 'neutral',
  link: '{{ access_url }}',
  en: {
    subject: 'Your link to {{ page_name }}',
    heading: 'Your link to {{ page_name }}',
    paragraphs: [
      'Someone asked for access to the status page {{ page_name }} with this address. The link opens it in your browser.',
    ],
    details: [['Valid until', '{{ expires_at | moment }}']],
    button: 'Open the status page',
    note: 'If it was not you, you need not do anything.',
  },
  de: {
    subject: 'Ihr Link zu {{ page_name }}',
    heading: 'Ihr Link zu {{ page_name }}',
    paragraphs: [
      'Mit dieser Adresse wurde Zugang zur Statusseite {{ page_name }} angefordert. Der Link öffnet sie in Ihrem Browser.',
    ],
    details: [['Gültig bis', '{{ expires_at | moment }}']],
    button: 'Statusseite öffnen',
    note: 'Wenn Sie das nicht waren, brauchen Sie nichts zu tun.',
  },
})
