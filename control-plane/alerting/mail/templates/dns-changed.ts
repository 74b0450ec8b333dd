import { template } from './template.ts'

const detail = '{{ old | join: ", " | default: "—" }} → {{ new | join: ", " | default: "—" }}'

export const dnsChanged = template({
  type: 'dns_changed',
  tone: 'warning',
  isAlert: true,
  en: {
    subject: '{% if nameservers_changed %}The name servers{% else %}DNS records{% endif %} of {{ zone }} have changed',
    heading: '{% if nameservers_changed %}The name servers{% else %}DNS records{% endif %} of {{ zone }} have changed',
    paragraphs: ['If that was not you or somebody you asked to, look into it at once.'],
    facts: [
      ['Monitor', '{{ monitor_name }}'],
      ['Address', '{{ monitor_url }}'],
    ],
    lists: [{ title: 'From and to', of: 'changes', row: '{{ type }}', detail }],
  },
  de: {
    subject: '{% if nameservers_changed %}Die Nameserver{% else %}DNS-Einträge{% endif %} von {{ zone }} haben sich geändert',
    heading: '{% if nameservers_changed %}Die Nameserver{% else %}DNS-Einträge{% endif %} von {{ zone }} haben sich geändert',
    paragraphs: ['Wenn weder Sie das waren noch jemand in Ihrem Auftrag, gehen Sie dem sofort nach.'],
    facts: [
      ['Monitor', '{{ monitor_name }}'],
      ['Adresse', '{{ monitor_url }}'],
    ],
    lists: [{ title: 'Vorher und nachher', of: 'changes', row: '{{ type }}', detail }],
  },
})
