import { notice } from './template.ts'

export const emailChanged = notice('security_email_changed', 'warning', {
  en: {
    subject: 'Your e-mail address was changed',
    says: 'from now on you sign in with this address, and mail comes to it.',
  },
  de: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    says: 'ab jetzt melden Sie sich mit dieser Adresse an und erhalten Mails an sie.',
  },
})
