import { z } from 'zod'
import { canonicalName } from '#contract/events.ts'
import { type MailData, type MailType, mails } from '#contract/mails.ts'
import { Recipient, reading } from './fields.ts'
import { channelKind, type Message } from './kind.ts'
import { linksOf, timezoneOf } from './read.ts'

export const email = channelKind({
  type: 'email',
  config: z.object({
    recipients: z
      .array(Recipient)
      .min(1)
      .max(50)
      .refine(all => new Set(all.map(each => each.toLowerCase())).size === all.length, 'Names an address twice.'),
    ...reading,
  }),
  secrets: [],
  urls: [],
  write: (message, { recipients, ...config }, sending) => ({
    recipients,
    language: config.language ?? null,
    timezone: timezoneOf(config, message),
    mailFor: recipient => mailOf(message, linksOf(message, sending, recipient)),
  }),
})

/**
 * The type of mail for an event, with its data. Events of managed teams, tests and changes of DNS are mailed as the
 * general type `event`: `dns_changed` is a type that resellers may suppress, but it is never sent; resellers receive
 * the `dns.*` events.
 */
export function mailOf(
  { event, payload }: Message,
  links: Record<string, string | null>,
): { type: MailType; data: MailData } {
  const linked = { ...payload, ...Object.fromEntries(Object.entries(links).filter(([, url]) => url !== null)) }
  const type = payload._managed_tenant || payload.test === true ? 'event' : typeOf(canonicalName(event))
  const warning = canonicalName(event).replace('warning.', '')
  const known = type === 'event' ? undefined : mails[type].schema.safeParse({ ...linked, warning }).data
  return known ? { type, data: known } : { type: 'event', data: { event, payload: linked } }
}

function typeOf(event: string): MailType {
  if (event.startsWith('warning.')) return 'warning'
  if (event === 'incident.created') return 'incident_created'
  if (event === 'incident.escalated') return 'escalation_notice'
  if (event === 'incident.escalation_exhausted') return 'escalation_exhausted'
  if (event === 'incident.resolved') return 'incident_resolved'
  return event === 'certificate.renewed' ? 'certificate_renewed' : 'event'
}
