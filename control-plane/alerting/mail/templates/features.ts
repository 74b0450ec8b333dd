import type { Language } from '#contract/languages.ts'

const names: Record<Language, Record<string, string>> = {
  en: {
    monitors: 'monitors',
    agent_limit: 'servers',
    team_members: 'team members',
    pending_invitations: 'open invitations',
    api_keys: 'API keys',
    status_pages: 'status pages',
    subscribers: 'subscribers of status pages',
    maintenance_windows: 'maintenance windows',
    escalation_policies: 'escalation policies',
  },
  de: {
    monitors: 'Monitore',
    agent_limit: 'Server',
    team_members: 'Mitglieder',
    pending_invitations: 'offene Einladungen',
    api_keys: 'API-Schlüssel',
    status_pages: 'Statusseiten',
    subscribers: 'Abonnenten von Statusseiten',
    maintenance_windows: 'Wartungsfenster',
    escalation_policies: 'Eskalationsrichtlinien',
  },
}

/** What a plan limits, in the words of the reader. */
export const featureName = (language: Language, feature: string): string =>
  names[language][feature] ?? feature.replaceAll('_', ' ')
