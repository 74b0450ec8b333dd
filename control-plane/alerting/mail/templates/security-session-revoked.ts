import { notice } from './template.ts'

export const sessionRevoked = notice('security_session_revoked', 'neutral', {
  en: { subject: 'Sessions of yours were ended', says: 'one or more of your sessions were ended from another device.' },
  de: {
    subject: 'Sitzungen wurden beendet',
    says: 'eine oder mehrere Ihrer Sitzungen wurden von einem anderen Gerät aus beendet.',
  },
})
