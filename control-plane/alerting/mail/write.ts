import { isAddress, type Letter } from './letter.ts'
import type { MailPayload, WaitingMail } from './queue.ts'
import type { MailStanding } from './standing.ts'

export const isKnownMail = (type: string): boolean => /^[a-z_]{3,60}$/.test(type)

/** A waiting mail in words; null for a recipient that is none. */
export function write({ id, tenantId, type }: WaitingMail, { recipient, data }: MailPayload, _standing: MailStanding): Letter | null {
  if (!isAddress(recipient.email)) return null
  const text = Object.entries(data)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
  return {
    id: `mail ${id}`,
    tenantId,
    type,
    to: [{ name: recipient.name, address: recipient.email }],
    subject: type.replaceAll('_', ' '),
    text,
    html: null,
    headers: {},
  }
}
