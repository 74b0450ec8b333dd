import { z } from 'zod'
import { Address, KeptSecret } from './fields.ts'
import { channelKind } from './kind.ts'
import { signatureHeaders } from './sign.ts'
import { NewSecret } from './webhook-secret.ts'

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

  write({ text }, { url, secret, former }, { attempt }) {
    const isValid = former !== undefined && former.until > attempt.at * 1_000
    const secrets = [secret, isValid ? former.secret : null].flatMap(each => each || [])
    return {
      url,
      headers: { 'Content-Type': 'application/json', ...signatureHeaders(secrets, attempt, text) },
      body: text,
    }
  },
})
