import { z } from 'zod'
import { serialise } from '#control-plane/alerting/dispatch/message.ts'
import { Address, KeptSecret } from './fields.ts'
import { channelKind, type Message, type Sending } from './kind.ts'
import { linksOf } from './read.ts'
import { signatureHeaders } from './sign.ts'
import { NewSecret } from './webhook-secret.ts'

/** The message with the links that acknowledge and resolve its incident, where it is about one that is open. */
function textWithLinks(message: Message, sending: Sending): string {
  const { acknowledge_url, resolve_url } = linksOf(message, sending, null)
  return acknowledge_url && resolve_url ? serialise({ ...message.payload, acknowledge_url, resolve_url }) : message.text
}

export const formerSecretMs = 86_400_000

export const webhook = channelKind({
  type: 'webhook',
  config: z.object({
    url: Address,
    secret: KeptSecret.nullish(),
    former: z.object({ secret: z.string(), until: z.number() }).optional().catch(undefined),
  }),
  sent: z.object({ secret: NewSecret.nullish() }),
  secrets: ['secret', 'former'],
  urls: ['url'],

  write(message, { url, secret, former }, sending) {
    const { attempt } = sending
    const text = textWithLinks(message, sending)
    const isValid = former !== undefined && former.until > attempt.at * 1_000
    const secrets = [secret, isValid ? former.secret : null].flatMap(each => each || [])
    return {
      url,
      headers: { 'Content-Type': 'application/json', ...signatureHeaders(secrets, attempt, text) },
      body: text,
    }
  },
})
