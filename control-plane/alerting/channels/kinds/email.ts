import { z } from 'zod'
import { meantBy } from '#contract/events.ts'
import { type MailData, type MailType, mails } from '#contract/mails.ts'
import { Recipient } from './fields.ts'
import { channelKind, type Message } from './kind.ts'
import { wordsOf } from './words.ts'

export const email = channelKind({
  type: 'email',
  config: z.object({
    recipients: z
      .array(Recipient)
      .min(1)
      .max(50)
      .refine(all => new Set(all.map(each => each.toLowerCase())).size === all.length, 'Names an address twice.'),
  }),
  secrets: [],
  urls: [],
  write: (message, { recipients }) => ({ recipients, ...mailOf(message) }),
})

/**
 * The mail that has words for this; of a team a reseller manages, and of what is only a test, it is told as any other event. So are changes
 * of DNS: `dns_changed` may be named among suppressed types, but has no feed, and resellers hear the `dns.*` events.
 */
function mailOf(message: Message): { type: MailType; data: MailData } {
  const { payload } = message
  const type = payload._managed_tenant || payload.test === true ? 'event' : typeOf(meantBy(message.event))
  const known = type === 'event' ? undefined : mails[type].schema.safeParse({ ...payload, warning: message.event.replace('warning.', '') }).data
  if (known) return { type, data: known }
  const { title, lines, tone } = wordsOf(message)
  return { type: 'event', data: { title, lines: lines.map(([label, value]) => ({ label, value })), tone } }
}

function typeOf(event: string): MailType {
  if (event.startsWith('warning.')) return 'warning'
  if (event === 'incident.created') return 'incident_created'
  if (event === 'incident.resolved') return 'incident_resolved'
  return event === 'certificate.renewed' ? 'certificate_renewed' : 'event'
}
