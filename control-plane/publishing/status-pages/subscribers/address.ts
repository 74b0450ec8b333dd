import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isAddress } from '#control-plane/alerting/mail/email-message.ts'
import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'

export const subscriberChannels = ['email', 'webhook', 'slack'] as const
export type SubscriberChannel = (typeof subscriberChannels)[number]

const purpose = 'status-page-subscribers'

export const encryptAddress = (keys: Keyring, id: string, address: string): string =>
  encryptSecret(keys, purpose, id, address)
export const decryptAddress = (keys: Keyring, id: string, encrypted: string): string =>
  decryptSecret(keys, purpose, id, encrypted)
export const renewAddress = renewerFor(purpose)

/** Messages to one host share this key, which does not reveal the host. Empty for mail. */
export function hostKey(
  { secretKey }: Pick<Keyring, 'secretKey'>,
  channel: SubscriberChannel,
  address: string,
): string {
  if (channel === 'email') return ''
  return createHmac('sha256', secretKey)
    .update(`vedette subscriber host\0${new URL(address).host}`)
    .digest('hex')
    .slice(0, 32)
}

/** An address in its one spelling; null if it is none of its channel. */
export function addressOf(channel: SubscriberChannel, text: string): string | null {
  const trimmed = text.trim()
  if (channel === 'email') return isAddress(trimmed) ? trimmed : null
  if (trimmed.length > 2_000 || /[\s\\\p{Cc}]/u.test(trimmed)) return null
  const url = URL.parse(trimmed)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href
}

export const addressMessages: Record<SubscriberChannel, string> = {
  email: 'Must be one plain e-mail address.',
  webhook: 'Must be an http or https address.',
  slack: 'Must be the address of an incoming webhook.',
}

/** The channel of an address that names none. */
export const channelOf = (address: string): SubscriberChannel =>
  !/^https?:/i.test(address.trim())
    ? 'email'
    : /^https:\/\/hooks\.slack\.com\//i.test(address.trim())
      ? 'slack'
      : 'webhook'

/** The fields that name a subscriber, with the address in its one spelling. */
export const Subscription = {
  channel: z.enum(subscriberChannels).default('email'),
  address: z.string().min(1).max(2_000).meta({
    description: 'An e-mail address, the address of a webhook, or that of an incoming webhook of Slack.',
  }),
  component_ids: z
    .array(z.uuid().toLowerCase())
    .max(200)
    .default([])
    .meta({ description: 'Only updates that concern one of these components; empty: all updates.' }),
}
