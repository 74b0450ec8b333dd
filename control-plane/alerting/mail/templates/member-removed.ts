import { template } from './template.ts'

export const memberRemoved = template({
  type: 'member_removed',
  tone: 'neutral',
  en: {
    subject: 'You are no longer a member of {{ team_name }} – {{ brand_name }}',
    heading: 'You are no longer a member of {{ team_name }}',
    paragraphs: [
      'Hello {{ user_name }},',
      'you were removed from the team {{ team_name }}. Your account remains; sessions and keys in that team have ended.',
    ],
  },
  de: {
    subject: 'Sie gehören nicht mehr zu {{ team_name }} – {{ brand_name }}',
    heading: 'Sie gehören nicht mehr zu {{ team_name }}',
    paragraphs: [
      'Guten Tag {{ user_name }},',
      'Sie wurden aus dem Team {{ team_name }} entfernt. Ihr Konto bleibt bestehen; Sitzungen und Schlüssel in diesem Team sind beendet.',
    ],
  },
})
