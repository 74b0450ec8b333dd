import type { Language } from '#contract/languages.ts'
import { asRecord, type Scope } from '#control-plane/alerting/mail/content.ts'
import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { listed, teamOf, textOf, textsOf } from '#control-plane/alerting/notifications/values.ts'

const nothing: Record<Language, string> = { en: 'none', de: 'keine' }

function deriveDns(data: Scope, language: Language): Record<string, unknown> {
  const changes = Array.isArray(data.changes) ? data.changes.map(asRecord) : []
  const shown = (value: unknown) =>
    listed(textsOf(Array.isArray(value) ? value : [value]), language) || nothing[language]
  const servers = asRecord(data.nameserver_change)
  return {
    team: teamOf(data),
    types: listed([...new Set(changes.map(({ type }) => textOf(type)))], language),
    rows: changes.map(({ type, old, new: now }) => ({ text: textOf(type), detail: `${shown(old)} → ${shown(now)}` })),
    servers: listed(textsOf(data.nameservers), language),
    servers_before: listed(textsOf(servers.old), language),
    servers_now: listed(textsOf(servers.new), language),
    seen_from: listed(textsOf(data.regions), language),
  }
}

export const dnsRecordsChanged: MessageTemplate = {
  tone: 'warning',
  link: '{{ details_url }}',
  derive: deriveDns,
  en: {
    subject: 'DNS records of {{ zone }} have changed: {{ types }}',
    heading: 'DNS records of {{ zone }} have changed',
    paragraphs: [],
    details: [
      ['Team', '{{ team }}'],
      ['Monitor', '{{ monitor_name }}'],
      ['Address', '{{ monitor_url }}'],
      ['When', '{{ timestamp | moment }}'],
      ['Name servers', '{{ servers }}'],
      ['Seen from', '{{ seen_from }}'],
    ],
    lists: [{ title: 'Before → now', of: 'rows', row: '{{ text }}', detail: '{{ detail }}', isProse: true, most: 10 }],
    button: 'Open the monitor',
    note: 'If nobody in your team made this change, find out who can change the zone.',
  },
  de: {
    subject: 'DNS-Records von {{ zone }} haben sich geändert: {{ types }}',
    heading: 'DNS-Records von {{ zone }} haben sich geändert',
    paragraphs: [],
    details: [
      ['Team', '{{ team }}'],
      ['Monitor', '{{ monitor_name }}'],
      ['Adresse', '{{ monitor_url }}'],
      ['Wann', '{{ timestamp | moment }}'],
      ['Nameserver', '{{ servers }}'],
      ['Gesehen von', '{{ seen_from }}'],
    ],
    lists: [
      { title: 'Vorher → jetzt', of: 'rows', row: '{{ text }}', detail: '{{ detail }}', isProse: true, most: 10 },
    ],
    button: 'Monitor öffnen',
    note: 'Wenn das niemand aus Ihrem Team war, prüfen Sie, wer die Zone ändern kann.',
  },
}

export const nameserverChanged: MessageTemplate = {
  tone: 'warning',
  link: '{{ details_url }}',
  derive: deriveDns,
  en: {
    subject: 'The name servers of {{ zone }} have changed: {{ servers_now }}',
    heading: 'The name servers of {{ zone }} have changed',
    paragraphs: ['Whoever runs the name servers decides where the domain and its mail lead.'],
    details: [
      ['Team', '{{ team }}'],
      ['Monitor', '{{ monitor_name }}'],
      ['Address', '{{ monitor_url }}'],
      ['When', '{{ timestamp | moment }}'],
      ['Before', '{{ servers_before }}'],
      ['Now', '{{ servers_now }}'],
      ['Seen from', '{{ seen_from }}'],
    ],
    button: 'Open the monitor',
    note: 'If nobody in your team made this change, contact the registrar of the domain at once.',
  },
  de: {
    subject: 'Die Nameserver von {{ zone }} haben sich geändert: {{ servers_now }}',
    heading: 'Die Nameserver von {{ zone }} haben sich geändert',
    paragraphs: ['Wer die Nameserver betreibt, bestimmt, wohin die Domain und ihre Mails führen.'],
    details: [
      ['Team', '{{ team }}'],
      ['Monitor', '{{ monitor_name }}'],
      ['Adresse', '{{ monitor_url }}'],
      ['Wann', '{{ timestamp | moment }}'],
      ['Vorher', '{{ servers_before }}'],
      ['Jetzt', '{{ servers_now }}'],
      ['Gesehen von', '{{ seen_from }}'],
    ],
    button: 'Monitor öffnen',
    note: 'Wenn das niemand aus Ihrem Team war, wenden Sie sich sofort an den Registrar der Domain.',
  },
}

const deriveCertificate = (data: Scope, language: Language) => ({
  team: teamOf(data),
  issuer_before: textOf(data.previous_issuer) === textOf(data.issuer) ? '' : textOf(data.previous_issuer),
  seen_from: listed(textsOf(data.regions), language),
})

export const certificateRenewed: MessageTemplate = {
  tone: 'good',
  link: '{{ details_url }}',
  derive: deriveCertificate,
  en: {
    subject:
      'The certificate of {{ monitor_name }} was renewed{% if valid_to %} and is valid until {{ valid_to | moment }}{% endif %}',
    heading: 'The certificate of {{ monitor_name }} was renewed',
    paragraphs: [],
    details: [
      ['Team', '{{ team }}'],
      ['Address', '{{ monitor_url }}'],
      ['Issuer', '{{ issuer }}'],
      ['Issuer before', '{{ issuer_before }}'],
      ['Valid until', '{{ valid_to | moment }}'],
      ['The one before', '{% if previous_valid_to %}valid until {{ previous_valid_to | moment }}{% endif %}'],
      ['Fingerprint', '{{ fingerprint }}'],
      ['Seen from', '{{ seen_from }}'],
    ],
    button: 'Open the monitor',
    note: 'If neither your team nor your provider renewed it, find out who requested it.',
  },
  de: {
    subject:
      'Das Zertifikat von {{ monitor_name }} wurde erneuert{% if valid_to %} und gilt bis {{ valid_to | moment }}{% endif %}',
    heading: 'Das Zertifikat von {{ monitor_name }} wurde erneuert',
    paragraphs: [],
    details: [
      ['Team', '{{ team }}'],
      ['Adresse', '{{ monitor_url }}'],
      ['Aussteller', '{{ issuer }}'],
      ['Aussteller zuvor', '{{ issuer_before }}'],
      ['Gültig bis', '{{ valid_to | moment }}'],
      ['Das vorige', '{% if previous_valid_to %}gültig bis {{ previous_valid_to | moment }}{% endif %}'],
      ['Fingerabdruck', '{{ fingerprint }}'],
      ['Gesehen von', '{{ seen_from }}'],
    ],
    button: 'Monitor öffnen',
    note: 'Wenn weder Ihr Team noch Ihr Anbieter es erneuert hat, prüfen Sie, wer es angefordert hat.',
  },
}
