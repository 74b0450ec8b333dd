import { z } from 'zod'
import { Address, KeptSecret } from './fields.ts'
import { channelKind } from './kind.ts'
import { signatureHeaders } from './sign.ts'

export const formerSecretMs = 86_400_000

export const webhook = channelKind({
  type: 'webhook',
  config: z.object({
    url: Address,
    secret: KeptSecret.nullish().meta({ description: 'Signs each request. A new one takes over at once; the former one signs beside it for a day.' }),
    former: z.object({ secret: z.string(), until: z.number() }).optional().catch(undefined),
  }),
  secrets: ['secret', 'former'],
  urls: ['url'],

  write({ text }, { url, secret, former }, { attempt }) {
    const isValid = former !== undefined && former.until > attempt.at * 1_000
    const secrets = [secret, isValid ? former.secret : null].flatMap(each => each || [])
    return { url, headers: { 'Content-Type': 'application/json', ...signatureHeaders(secrets, attempt, text) }, body: text }
  },
})
