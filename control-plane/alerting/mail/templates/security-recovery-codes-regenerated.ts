import { notice } from './template.ts'

export const recoveryCodesRegenerated = notice('security_recovery_codes_regenerated', 'warning', {
  en: {
    subject: 'Your recovery codes are new',
    says: 'your account has new recovery codes. The earlier ones are void.',
  },
  de: {
    subject: 'Ihre Wiederherstellungscodes sind neu',
    says: 'Ihr Konto hat neue Wiederherstellungscodes. Die früheren gelten nicht mehr.',
  },
})
