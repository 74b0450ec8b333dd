import { template } from './template.ts'

export const recipientConfirm = template({
  type: 'recipient_confirm',
  tone: 'neutral',
  link: '{{ confirm_url }}',
  leaveLink: '{{ unsubscribe_url }}',
  en: {
    subject: 'Do you want mail from {{ team_name }}? – {{ brand_name }}',
    heading: 'Do you want mail from {{ team_name }}?',
    paragraphs: [
      'The team {{ team_name }} wants to send notifications about its monitoring to this address. You get none unless you confirm.',
    ],
    button: 'Confirm',
    note: 'If you do not want them, you need not do anything. Keep this mail: its other link ends the notifications at any time.',
    leave: 'No notifications from this team',
  },
  de: {
    subject: 'Möchten Sie Mails von {{ team_name }}? – {{ brand_name }}',
    heading: 'Möchten Sie Mails von {{ team_name }}?',
    paragraphs: [
      'Das Team {{ team_name }} möchte Benachrichtigungen über seine Überwachung an diese Adresse senden. Ohne Ihre Bestätigung kommt keine.',
    ],
    button: 'Bestätigen',
    note: 'Wenn Sie keine möchten, brauchen Sie nichts zu tun. Bewahren Sie diese Mail auf: Ihr anderer Link beendet die Benachrichtigungen jederzeit.',
    leave: 'Keine Benachrichtigungen von diesem Team',
  },
})
