import { template } from './template.ts'

export const signUpConfirm = template({
  type: 'sign_up_confirm',
  tone: 'neutral',
  link: '{{ confirm_url }}',
  en: {
    subject: 'Confirm your sign-up – {{ brand_name }}',
    heading: 'Confirm your sign-up',
    paragraphs: ['This address was used to sign up at {{ brand_name }}. Choose a password, and your team is ready.'],
    details: [['Valid until', '{{ expires_at | moment }}']],
    button: 'Choose a password',
    note: 'If you did not sign up, you need not do anything: without the link there is no account.',
  },
  de: {
    subject: 'Anmeldung bestätigen – {{ brand_name }}',
    heading: 'Anmeldung bestätigen',
    paragraphs: [
      'Mit dieser Adresse hat sich jemand bei {{ brand_name }} angemeldet. Legen Sie ein Passwort fest, dann ist Ihr Team bereit.',
    ],
    details: [['Gültig bis', '{{ expires_at | moment }}']],
    button: 'Passwort festlegen',
    note: 'Wenn Sie sich nicht angemeldet haben, brauchen Sie nichts zu tun: Ohne den Link gibt es kein Konto.',
  },
})
