import { notice } from './template.ts'

export const passkeyAdded = notice('security_passkey_added', 'warning', {
  en: { subject: 'Your account has a new passkey', says: 'from now on a new passkey opens your account.' },
  de: { subject: 'Ihr Konto hat einen neuen Passkey', says: 'ab jetzt öffnet ein neuer Passkey Ihr Konto.' },
})
