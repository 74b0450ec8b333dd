import type { z } from 'zod'
import type { MailData, MailType } from '#contract/mails.ts'
import type { channelTypes } from '#contract/plans.ts'
import type { MailLanguage } from '#control-plane/alerting/mail/words.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'

export type ChannelType = (typeof channelTypes)[number]

/** What is told: an event as its receivers know it. `text` is the one spelling of it, signed and sent again byte for byte. */
export interface Message {
  event: string
  payload: Record<string, unknown>
  text: string
}

export interface Attempt {
  /** The same for every attempt to deliver the same message. */
  id: string
  /** Seconds since 1970. */
  at: number
}

export interface Outgoing {
  url: string
  headers: Record<string, string>
  body: string
}

export interface OutgoingMail {
  recipients: string[]
  /** Of recipients who are no members of the team; null: what those who are members share. */
  language: MailLanguage | null
  timezone: string
  /** The links in it are the recipient’s own. */
  mailFor(recipient: string): { type: MailType; data: MailData }
}

/** Where the receivers that are always the same are reached. */
export interface Receivers {
  pagerduty: string
  telegram: string
}

export const publicReceivers: Receivers = {
  pagerduty: 'https://events.pagerduty.com',
  telegram: 'https://api.telegram.org',
}

/** What a message is written with beside itself and the configuration of its channel. */
export interface Sending {
  channelId: string
  attempt: Attempt
  receivers: Receivers
  /** What links are made of and signed with. */
  home: Pick<Keyring, 'secretKey'> & { baseUrl: string }
}

/** A type of channel: what it is configured with, and how a message looks there. */
export interface ChannelKind<Config extends z.ZodType = z.ZodType> {
  type: ChannelType
  config: Config
  /** What is asked of members as they are sent, beyond what is asked of those that are stored. */
  sent?: z.ZodType
  /** Members of the configuration that are stored encrypted and shown as eight asterisks. */
  secrets: readonly string[]
  /** Members that are addresses we call. */
  urls: readonly string[]
  write(message: Message, config: z.output<Config>, sending: Sending): Outgoing | OutgoingMail
}

export const channelKind = <Config extends z.ZodType>(kind: ChannelKind<Config>) => kind

export const post = (url: string, body: unknown): Outgoing => ({
  url,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})
