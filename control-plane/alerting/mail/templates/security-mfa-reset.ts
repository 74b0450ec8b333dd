import { notice } from './template.ts'

export const mfaReset = notice('security_mfa_reset', 'warning', {
  en: {
    subject: 'Your second factor was reset',
    says: 'an administrator took the second factor off your account. Please set up a new one.',
  },
  de: {
    subject: 'Ihr zweiter Faktor wurde zurückgesetzt',
    says: 'ein Administrator hat den zweiten Faktor Ihres Kontos entfernt. Bitte richten Sie einen neuen ein.',
  },
})
