import { BoundedRunner } from '#bounded/runner.ts'
import { events } from '#contract/events.ts'
import type { ChannelType } from '#contract/plans.ts'
import { defaultBody } from '#control-plane/alerting/channels/kinds/custom/presets.ts'
import { kinds } from '#control-plane/alerting/channels/kinds/index.ts'
import type { Message, Outgoing, OutgoingMail, Sending } from '#control-plane/alerting/channels/kinds/kind.ts'
import { publicReceivers } from '#control-plane/alerting/channels/kinds/kind.ts'
import { composeMessage } from '#control-plane/alerting/dispatch/message.ts'

const at = new Date('2026-01-15T08:30:05.123Z')

/** The example of an event, as its receivers get it. */
export const example = (event: string, more: Record<string, unknown> = {}): Message =>
  composeMessage({ event, at, payload: { ...events.get(event)?.example, ...more } })

export const sending: Sending = {
  channelId: '2b1a7f60-93c4-4e8d-8a51-6c0d9e7f3b24',
  attempt: { id: 'msg_0123456789abcdef0123456789abcdef', at: 1_768_465_805 },
  receivers: publicReceivers,
  home: { baseUrl: 'https://status.example.com', secretKey: 'a key for the links of examples, and no other' },
  templating: { bounded: new BoundedRunner(), tenantId: 'examples' },
}

export const configs: Record<ChannelType, Record<string, unknown>> = {
  webhook: { url: 'https://hooks.example.com/in', secret: 'hush' },
  email: { recipients: ['ops@example.com'] },
  slack: { webhook_url: 'https://hooks.slack.example.com/x' },
  discord: { webhook_url: 'https://discord.example.com/x' },
  microsoft_teams: { webhook_url: 'https://teams.example.com/x' },
  pagerduty: { routing_key: 'R0UTINGKEY0123456789' },
  telegram: { bot_token: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11', chat_id: '-1001234' },
  custom: {
    url: 'https://custom.example.com/x',
    method: 'POST',
    headers: {},
    content_type: 'application/json',
    body_template: defaultBody,
    fields: {},
  },
}
export const channelTypes = Object.keys(configs) as ChannelType[]
/** Channels that people read in the receiver's own form; mail is put into words later, for each recipient. */
export const chats = ['slack', 'discord', 'microsoft_teams', 'pagerduty', 'telegram'] as const
export type Chat = (typeof chats)[number]

export const write = (
  type: ChannelType,
  message: Message,
  more: Record<string, unknown> = {},
): Outgoing | OutgoingMail => {
  const made = kinds[type].write(message, { ...configs[type], ...more } as never, sending)
  if (made instanceof Promise) throw new Error('It is filled by a process.')
  return made
}

// biome-ignore lint/suspicious/noExplicitAny: a body is read as its receiver reads it
export const bodyOf = (type: ChannelType, message: Message, more: Record<string, unknown> = {}): any => {
  const outgoing = write(type, message, more)
  if (!('body' in outgoing)) throw new Error(`${type} sends no body.`)
  return JSON.parse(outgoing.body)
}
export function mailOf(message: Message, more: Record<string, unknown> = {}) {
  const outgoing = write('email', message, more)
  if (!('mailFor' in outgoing)) throw new Error('No mail is sent.')
  return outgoing.mailFor('ops@example.com')
}

const job = {
  monitor_name: 'Nightly backup',
  monitor_url: '',
  check_type: 'cron',
  quorum: { policy: { mode: 'direct', count: null } },
  timezone: 'Europe/Berlin',
}
const server = {
  monitor_name: 'web-1',
  title: 'web-1: the agent check fails',
  monitor_url: '',
  check_type: 'agent',
  quorum: { policy: { mode: 'direct', count: null } },
}
const managed = {
  _managed_tenant: {
    managed_tenant_id: 'e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41',
    name: 'Acme',
    label: 'gold',
    public_id: 'mt-1',
    external_ref: null,
    metadata: {},
  },
}
const missed = {
  ...job,
  title: 'Nightly backup has missed a ping',
  code: 'missed',
  cause: 'No ping came: one was due at 2026-01-15 09:30 (Europe/Berlin).',
}
const aWarning = (event: string, details: Record<string, unknown> = {}) => example(event, { details })

/** Messages for people, in groups that belong together. */
export const groups: Record<string, readonly Message[]> = {
  incident: [
    example('incident.created'),
    example('incident.created', {
      ...managed,
      severity: 'minor',
      check_type: 'ssl',
      code: 'certificate_expired',
      cause: 'The certificate expired on 2026-01-14.',
    }),
    example('incident.resolved'),
    example('incident.resolved', { resolution: 'by_hand', title: 'Checkout is broken' }),
    // as it was stored before events said more
    example('incident.created', {
      number: undefined,
      check_type: undefined,
      cause: undefined,
      code: undefined,
      quorum: undefined,
    }),
  ],
  'job-and-server': [
    example('incident.created', missed),
    example('incident.created', {
      ...job,
      title: 'Nightly backup reported a failure',
      code: 'failed',
      cause: 'The job reported a failure (exit code 2).',
    }),
    example('incident.resolved', missed),
    example('incident.created', {
      ...server,
      code: 'no_data',
      cause: 'Nothing was heard of the server for 10 minutes.',
    }),
    example('incident.created', {
      ...server,
      code: 'threshold',
      cause: 'Disk of /var above 95 % for 5 minutes (97.3 %).',
    }),
  ],
  warning: [
    aWarning('warning.ssl_expiring', {
      days_remaining: 7,
      valid_to: '2026-01-22T12:00:00.000000Z',
      issuer: 'Example CA',
    }),
    aWarning('warning.domain_expiring', {
      domain: 'example.com',
      days_remaining: 14,
      expires_at: '2026-01-29T00:00:00.000000Z',
      registrar: 'Registrar Ltd',
    }),
    aWarning('warning.degraded_performance'),
    example('warning.server_resources', {
      ...server,
      check_type: 'agent',
      title: 'Memory above 95 % for 10 minutes (97.1 %).',
      regions: [],
    }),
    example('warning.cleared', { since: '2026-01-12T08:30:00.000000Z' }),
  ],
  change: [
    example('dns.records_changed'),
    example('dns.nameserver_changed', managed),
    example('certificate.renewed', { previous_issuer: 'Former CA' }),
  ],
  suppression: [
    example('monitor.flapping'),
    example('monitor.flapping_resolved'),
    example('storm.detected', {
      monitors_count: 34,
      down_count: 31,
      monitor_names: Array.from({ length: 20 }, (_, index) => `Shop ${index + 1}`),
    }),
    example('storm.detected', {
      host: 'shop.example.com',
      monitors_count: 12,
      down_count: 12,
      monitor_names: ['Shop'],
    }),
    example('storm.resolved'),
  ],
  team: [
    example('team.provisioned'),
    example('team.paused'),
    example('team.trial_ending'),
    example('team.trial_expired'),
    example('tenant.quota_warning', managed),
    example('tenant.quota_exceeded'),
    example('monitor.disabled', managed),
    example('monitor.deleted'),
    example('member.added', managed),
    example('member.erased'),
  ],
}
