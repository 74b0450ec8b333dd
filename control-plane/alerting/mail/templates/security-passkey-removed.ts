import { notice } from './template.ts'

export const passkeyRemoved = notice('security_passkey_removed', 'warning', {
  en: { subject: 'A passkey of your account was removed', says: 'it no longer opens your account.' },
  de: { subject: 'Ein Passkey Ihres Kontos wurde entfernt', says: 'er öffnet Ihr Konto nicht mehr.' },
})
