import { template } from './template.ts'

export const emailChangeVerify = template({
  type: 'email_change_verify',
  tone: 'neutral',
  link: '{{ confirm_url }}',
  en: {
    subject: 'Confirm your new address – {{ brand_name }}',
    heading: 'Confirm your new address',
    paragraphs: [
      'Hello {{ user_name }},',
      'this address is to become the one of your account at {{ brand_name }}. Until you confirm it, nothing changes.',
    ],
    details: [['Valid until', '{{ expires_at | moment }}']],
    button: 'Confirm the address',
    note: 'If you did not ask for it, you need not do anything.',
  },
  de: {
    subject: 'Neue Adresse bestätigen – {{ brand_name }}',
    heading: 'Neue Adresse bestätigen',
    paragraphs: [
      'Guten Tag {{ user_name }},',
      'diese Adresse soll die Adresse Ihres Kontos bei {{ brand_name }} werden. Bis Sie das bestätigen, ändert sich nichts.',
    ],
    details: [['Gültig bis', '{{ expires_at | moment }}']],
    button: 'Adresse bestätigen',
    note: 'Wenn Sie das nicht veranlasst haben, brauchen Sie nichts zu tun.',
  },
})
