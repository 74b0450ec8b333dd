import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { asRecord, isGiven, rowsOf, type Scope, type Voice } from '#control-plane/alerting/mail/voice.ts'
import { listed, teamOf, textOf, textsOf } from '#control-plane/alerting/notifications/values.ts'

function deriveDns(data: Scope, voice: Voice): Record<string, unknown> {
  const changes = rowsOf(data.changes)
  const shown = (value: unknown) =>
    listed(voice, textsOf(Array.isArray(value) ? value : [value])) || voice.say('nothing')
  const servers = asRecord(data.nameserver_change)
  return {
    team: teamOf(data),
    types: listed(voice, [...new Set(changes.map(({ type }) => textOf(type)))]),
    rows: changes.map(({ type, old, new: now }) => ({ text: textOf(type), detail: `${shown(old)} → ${shown(now)}` })),
    servers: listed(voice, textsOf(data.nameservers)),
    servers_before: listed(voice, textsOf(servers.old)),
    servers_now: listed(voice, textsOf(servers.new)),
    seen_from: listed(voice, textsOf(data.regions)),
  }
}

export const changes = {
  'dns.records_changed': {
    tone: 'warning',
    groups: ['dns'],
    details: ['team', 'monitor_name', 'monitor_url', 'timestamp', 'servers', 'seen_from'],
    lists: [{ of: 'rows', isProse: true, most: 10 }],
    buttons: { open_monitor: 'details_url' },
    derive: deriveDns,
  },
  'dns.nameserver_changed': {
    tone: 'warning',
    groups: ['dns'],
    details: ['team', 'monitor_name', 'monitor_url', 'timestamp', 'servers_before', 'servers_now', 'seen_from'],
    buttons: { open_monitor: 'details_url' },
    derive: deriveDns,
  },
  'certificate.renewed': {
    tone: 'good',
    details: [
      ...['team', 'monitor_url', 'issuer', 'issuer_before', 'valid_to', 'previous', 'fingerprint', 'seen_from'],
    ],
    buttons: { open_monitor: 'details_url' },
    derive: (data, voice) => ({
      team: teamOf(data),
      issuer_before: textOf(data.previous_issuer) === textOf(data.issuer) ? '' : textOf(data.previous_issuer),
      previous: isGiven(data.previous_valid_to) ? voice.say('valid_until') : '',
      seen_from: listed(voice, textsOf(data.regions)),
    }),
    say: ({ valid_to }, { say }) => (isGiven(valid_to) ? { subject: say('subject_until') } : {}),
  },
} satisfies Record<string, MessageTemplate>
