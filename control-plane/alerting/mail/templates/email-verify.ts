import { template } from './template.ts'

export const emailVerify = template({
  type: 'email_verify',
  tone: 'neutral',
  link: '{{ verify_url }}',
  en: {
    subject: 'Prove your address – {{ brand_name }}',
    heading: 'Prove your address',
    paragraphs: [
      'Hello {{ user_name }},',
      'an account with this address was made in the team {{ team_name }} at {{ brand_name }}. Prove with its password that it is yours.',
    ],
    details: [['Valid until', '{{ expires_at | moment }}']],
    button: 'This is my account',
    note: 'If you did not expect it, you need not do anything. Whoever made the account cannot prove this address without you.',
  },
  de: {
    subject: 'Adresse bestätigen – {{ brand_name }}',
    heading: 'Adresse bestätigen',
    paragraphs: [
      'Guten Tag {{ user_name }},',
      'im Team {{ team_name }} bei {{ brand_name }} wurde ein Konto mit dieser Adresse angelegt. Bestätigen Sie mit seinem Passwort, dass es Ihres ist.',
    ],
    details: [['Gültig bis', '{{ expires_at | moment }}']],
    button: 'Das ist mein Konto',
    note: 'Wenn Sie das nicht erwarten, brauchen Sie nichts zu tun. Wer das Konto angelegt hat, kann diese Adresse ohne Sie nicht bestätigen.',
  },
})
