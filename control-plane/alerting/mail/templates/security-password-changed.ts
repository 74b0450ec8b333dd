import { notice } from './template.ts'

export const passwordChanged = notice('security_password_changed', 'warning', {
  en: { subject: 'Your password was changed', says: 'your account has a new password. All other sessions and your personal tokens have ended.' },
  de: { subject: 'Ihr Passwort wurde geändert', says: 'Ihr Konto hat ein neues Passwort. Alle anderen Sitzungen und Ihre persönlichen Token sind beendet.' },
})
