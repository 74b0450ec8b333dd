import { notice } from './template.ts'

export const roleChanged = notice('security_role_changed', 'neutral', {
  en: {
    subject: 'Your role was changed',
    says: 'in the team {{ team_name }} your role is now {{ role | role }}.',
    note: 'If you did not expect that, ask an administrator of your team.',
  },
  de: {
    subject: 'Ihre Rolle wurde geändert',
    says: 'im Team {{ team_name }} haben Sie jetzt die Rolle {{ role | role }}.',
    note: 'Wenn Sie das nicht erwartet haben, fragen Sie einen Administrator Ihres Teams.',
  },
})
