import { template } from './template.ts'

export const incidentCreated = template({
  type: 'incident_created',
  tone: 'bad',
  isAlert: true,
  en: {
    subject: '{{ monitor_name }} is down',
    heading: '{{ monitor_name }} is down',
    paragraphs: ['{{ title }}'],
    facts: [
      ['Address', '{{ monitor_url }}'],
      ['Severity', '{{ severity | severity }}'],
      ['Since', '{{ started_at | moment }}'],
    ],
  },
  de: {
    subject: '{{ monitor_name }} ist ausgefallen',
    heading: '{{ monitor_name }} ist ausgefallen',
    paragraphs: ['{{ title }}'],
    facts: [
      ['Adresse', '{{ monitor_url }}'],
      ['Schwere', '{{ severity | severity }}'],
      ['Seit', '{{ started_at | moment }}'],
    ],
  },
})
