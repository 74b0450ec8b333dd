import { template } from './template.ts'

export const signUpKnown = template({
  type: 'sign_up_known',
  tone: 'neutral',
  link: '{{ sign_in_url }}',
  en: {
    subject: 'You have an account already – {{ brand_name }}',
    heading: 'You have an account already',
    paragraphs: [
      'This address was used to sign up at {{ brand_name }}, but it has an account already. Nothing has changed.',
      'If you do not remember the password, set a new one: {{ reset_url }}',
    ],
    button: 'Sign in',
    note: 'If you did not sign up, you need not do anything.',
  },
  de: {
    subject: 'Sie haben schon ein Konto – {{ brand_name }}',
    heading: 'Sie haben schon ein Konto',
    paragraphs: [
      'Mit dieser Adresse wollte sich jemand bei {{ brand_name }} anmelden, sie hat aber schon ein Konto. Geändert hat sich nichts.',
      'Wenn Sie das Passwort nicht mehr wissen, legen Sie ein neues fest: {{ reset_url }}',
    ],
    button: 'Zur Anmeldung',
    note: 'Wenn Sie sich nicht angemeldet haben, brauchen Sie nichts zu tun.',
  },
})
