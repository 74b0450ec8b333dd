import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { teamOf } from '#control-plane/alerting/notifications/values.ts'

interface Wording {
  tone: MessageTemplate['tone']
  en: string
  de: string
}

const phasesInGerman: Record<string, string> = {
  investigating: 'wird untersucht',
  identified: 'Ursache gefunden',
  monitoring: 'wird beobachtet',
  resolved: 'behoben',
}

const ofPage = ({ tone, en, de }: Wording): MessageTemplate => ({
  tone,
  derive: data => ({ team: teamOf(data) }),
  en: {
    subject: en,
    heading: en,
    paragraphs: [],
    details: [
      ['Team', '{{ team }}'],
      ['Page', '{{ status_page_url }}'],
    ],
  },
  de: {
    subject: de,
    heading: de,
    paragraphs: [],
    details: [
      ['Team', '{{ team }}'],
      ['Seite', '{{ status_page_url }}'],
    ],
  },
})

const ofPost = ({ tone, en, de }: Wording): MessageTemplate => ({
  tone,
  derive: data => ({ team: teamOf(data), phase_de: phasesInGerman[String(data.phase)] ?? data.phase }),
  en: {
    subject: en,
    heading: en,
    paragraphs: ['{{ body }}'],
    details: [
      ['Team', '{{ team }}'],
      ['Page', '{{ status_page_name }} – {{ status_page_url }}'],
      ['Phase', '{{ phase }}'],
      ['Start', '{{ started_at | moment }}'],
      ['End', '{{ resolved_at | moment }}'],
    ],
  },
  de: {
    subject: de,
    heading: de,
    paragraphs: ['{{ body }}'],
    details: [
      ['Team', '{{ team }}'],
      ['Seite', '{{ status_page_name }} – {{ status_page_url }}'],
      ['Stand', '{{ phase_de }}'],
      ['Beginn', '{{ started_at | moment }}'],
      ['Ende', '{{ resolved_at | moment }}'],
    ],
  },
})

export const statusPageTemplates: Record<string, MessageTemplate> = {
  'status_page.published': ofPage({
    tone: 'neutral',
    en: 'Status page published: {{ status_page_name }}',
    de: 'Statusseite veröffentlicht: {{ status_page_name }}',
  }),
  'status_page.incident_posted': ofPost({
    tone: 'neutral',
    en: 'Published on {{ status_page_name }}: {{ title }}',
    de: 'Veröffentlicht auf {{ status_page_name }}: {{ title }}',
  }),
  'status_page.incident_updated': ofPost({
    tone: 'neutral',
    en: 'Update on {{ status_page_name }}: {{ title }}',
    de: 'Aktualisiert auf {{ status_page_name }}: {{ title }}',
  }),
}
