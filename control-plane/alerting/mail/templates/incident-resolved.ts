import { template } from './template.ts'

export const incidentResolved = template({
  type: 'incident_resolved',
  tone: 'good',
  isAlert: true,
  en: {
    subject: '{{ monitor_name }} is up again',
    heading: '{{ monitor_name }} is up again',
    paragraphs: ['The incident “{{ title }}” is over.'],
    facts: [
      ['Address', '{{ monitor_url }}'],
      ['From', '{{ started_at | moment }}'],
      ['Until', '{% if resolved_at %}{{ resolved_at | moment }}{% endif %}'],
    ],
  },
  de: {
    subject: '{{ monitor_name }} ist wieder erreichbar',
    heading: '{{ monitor_name }} ist wieder erreichbar',
    paragraphs: ['Die Störung „{{ title }}“ ist vorbei.'],
    facts: [
      ['Adresse', '{{ monitor_url }}'],
      ['Von', '{{ started_at | moment }}'],
      ['Bis', '{% if resolved_at %}{{ resolved_at | moment }}{% endif %}'],
    ],
  },
})
