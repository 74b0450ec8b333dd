import { notice } from './template.ts'

export const mfaDisabled = notice('security_mfa_disabled', 'warning', {
  en: { subject: 'Your second factor is off', says: 'from now on the password alone opens your account.' },
  de: { subject: 'Ihr zweiter Faktor ist ausgeschaltet', says: 'ab jetzt öffnet das Passwort allein Ihr Konto.' },
})
