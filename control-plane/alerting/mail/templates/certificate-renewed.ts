import { template } from './template.ts'

export const certificateRenewed = template({
  type: 'certificate_renewed',
  tone: 'good',
  isAlert: true,
  en: {
    subject: 'The certificate of {{ monitor_name }} was renewed',
    heading: 'The certificate of {{ monitor_name }} was renewed',
    paragraphs: [],
    facts: [
      ['Address', '{{ monitor_url }}'],
      ['Issuer', '{{ issuer }}'],
      ['Valid until', '{{ valid_to | moment }}'],
    ],
  },
  de: {
    subject: 'Das Zertifikat von {{ monitor_name }} wurde erneuert',
    heading: 'Das Zertifikat von {{ monitor_name }} wurde erneuert',
    paragraphs: [],
    facts: [
      ['Adresse', '{{ monitor_url }}'],
      ['Aussteller', '{{ issuer }}'],
      ['Gültig bis', '{{ valid_to | moment }}'],
    ],
  },
})
