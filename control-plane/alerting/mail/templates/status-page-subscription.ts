import { maintenanceWords } from '#contract/status-page.ts'
import { template } from './template.ts'

const phases: Record<string, Record<string, string>> = {
  en: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
    ...maintenanceWords.en,
  },
  de: {
    ...maintenanceWords.de,
    investigating: 'In Untersuchung',
    identified: 'Ursache erkannt',
    monitoring: 'Beobachtung',
    resolved: 'Behoben',
  },
}
const impacts: Record<string, Record<string, string>> = {
  en: { none: '', minor: 'minor', major: 'major', critical: 'critical' },
  de: { none: '', minor: 'gering', major: 'erheblich', critical: 'kritisch' },
}

export const statusPageSubscription = template({
  type: 'status_page_subscription',
  tone: 'neutral',
  link: '{{ incident_url }}',
  leaveLink: '{{ unsubscribe_url }}',
  derive: (data, language) => ({
    phase_word: phases[language]?.[String(data.phase)] ?? data.phase,
    impact_word: impacts[language]?.[String(data.impact)] ?? data.impact,
    components_text: Array.isArray(data.components) ? data.components.join(', ') : '',
  }),
  en: {
    subject: '{{ phase_word }}: {{ title }} – {{ page_name }}',
    heading: '{{ title }}',
    paragraphs: ['{{ body }}'],
    details: [
      ['State', '{{ phase_word }}'],
      ['Impact', '{{ impact_word }}'],
      ['Concerns', '{{ components_text }}'],
      ['When', '{{ updated_at | moment: timezone }}'],
      ['Start', '{{ starts_at | moment: timezone }}'],
      ['End', '{{ ends_at | moment: timezone }}'],
    ],
    button: '{% if starts_at %}Open the status page{% else %}Read the whole incident{% endif %}',
    leave: 'No more updates of this page',
  },
  de: {
    subject: '{{ phase_word }}: {{ title }} – {{ page_name }}',
    heading: '{{ title }}',
    paragraphs: ['{{ body }}'],
    details: [
      ['Stand', '{{ phase_word }}'],
      ['Auswirkung', '{{ impact_word }}'],
      ['Betrifft', '{{ components_text }}'],
      ['Wann', '{{ updated_at | moment: timezone }}'],
      ['Beginn', '{{ starts_at | moment: timezone }}'],
      ['Ende', '{{ ends_at | moment: timezone }}'],
    ],
    button: '{% if starts_at %}Statusseite öffnen{% else %}Die ganze Störung lesen{% endif %}',
    leave: 'Keine Meldungen dieser Seite mehr',
  },
})
