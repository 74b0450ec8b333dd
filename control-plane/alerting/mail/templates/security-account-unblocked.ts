import { notice } from './template.ts'

export const accountUnblocked = notice('security_account_unblocked', 'neutral', {
  en: {
    subject: 'Access to your team was restored',
    says: 'an administrator enabled you in the team {{ team_name }} again. You can sign in as before.',
    note: 'If you did not expect that, ask an administrator of your team.',
  },
  de: {
    subject: 'Der Zugang zu Ihrem Team wurde wiederhergestellt',
    says: 'ein Administrator hat Sie im Team {{ team_name }} wieder freigegeben. Sie können sich anmelden wie zuvor.',
    note: 'Wenn Sie das nicht erwartet haben, fragen Sie einen Administrator Ihres Teams.',
  },
})
