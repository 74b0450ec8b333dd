import { notice } from './template.ts'

export const accountDeleted = notice('security_account_deleted', 'warning', {
  en: {
    subject: 'Your account was deleted',
    says: 'your account and all data about you were erased for good. This is the last mail to this address.',
    note: 'Nothing of it can be brought back.',
  },
  de: {
    subject: 'Ihr Konto wurde gelöscht',
    says: 'Ihr Konto und alle Daten über Sie wurden endgültig gelöscht. Dies ist die letzte Mail an diese Adresse.',
    note: 'Nichts davon lässt sich wiederherstellen.',
  },
})
