import type { z } from 'zod'
import type { BoundedRunner } from '#bounded/runner.ts'
import type { MailData, MailType } from '#contract/mails.ts'
import type { ChannelType } from '#contract/plans.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import type { Language } from '#locales/languages.ts'

/** An event as receivers get it. `text` is its only serialisation: it is signed, and sent again byte for byte. */
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
  /** POST unless named. */
  method?: 'POST' | 'PUT' | 'PATCH' | 'GET'
  url: string
  headers: Record<string, string>
  body: string
}

export interface OutgoingMail {
  recipients: string[]
  /** For recipients who are no members of the team; null: the language that the members among them share. */
  language: Language | null
  timezone: string
  /** The mail for one recipient, with the recipient's own links. */
  mailFor(recipient: string): { type: MailType; data: MailData }
}

/** The addresses of vendors whose address is not configured for each channel. */
export interface Receivers {
  pagerduty: string
  telegram: string
}

export const publicReceivers: Receivers = {
  pagerduty: 'https://events.pagerduty.com',
  telegram: 'https://api.telegram.org',
}

/** Where the templates of a team are tried and filled. */
export interface Templating {
  bounded: Pick<BoundedRunner, 'run'>
  tenantId: string
}

/** The dependencies of a message besides its text and the configuration of its channel. */
export interface Sending {
  channelId: string
  attempt: Attempt
  receivers: Receivers
  /** The base URL of links and the key that signs them. */
  home: Pick<Keyring, 'secretKey'> & { baseUrl: string }
  templating: Templating
}

/** A type of channel: its configuration, and how its messages are written. */
export interface ChannelKind<Config extends z.ZodType = z.ZodType> {
  type: ChannelType
  config: Config
  /** Stricter rules for fields that an API client sends, in addition to those for stored fields. */
  sent?: z.ZodType
  /** Fields that are stored encrypted and shown as eight asterisks. */
  secrets: readonly string[]
  /** Fields that are maps of texts, whose values are stored encrypted and shown as eight asterisks. */
  secretMaps?: readonly string[]
  /** Fields that are addresses to which requests are sent. What follows their origin may be a template. */
  urls: readonly string[]
  /** Adds to the fields that an API client sends those that follow from them. */
  complete?(sent: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** What is wrong with a new configuration besides the shape of its fields, by field. */
  validate?(config: z.output<Config>, templating: Templating): Promise<Record<string, string[]>>
  write(
    message: Message,
    config: z.output<Config>,
    sending: Sending,
  ): Outgoing | OutgoingMail | Promise<Outgoing | OutgoingMail>
}

/** A message that a channel cannot be sent as it is configured. The message is shown to the team. */
export class UnwritableMessage extends Error {
  override readonly name = 'UnwritableMessage'
}

export const channelKind = <Config extends z.ZodType>(kind: ChannelKind<Config>) => kind

export const post = (url: string, body: unknown): Outgoing => ({
  url,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})
