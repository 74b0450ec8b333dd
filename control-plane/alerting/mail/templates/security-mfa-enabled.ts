import { notice } from './template.ts'

export const mfaEnabled = notice('security_mfa_enabled', 'good', {
  en: { subject: 'Your second factor is on', says: 'from now on your account asks for a code besides the password.' },
  de: {
    subject: 'Ihr zweiter Faktor ist eingeschaltet',
    says: 'ab jetzt fragt Ihr Konto neben dem Passwort nach einem Code.',
  },
})
