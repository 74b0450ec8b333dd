import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { daysAfter } from '#contract/time.ts'
import { hashSecret } from '#control-plane/people/tokens/secret.ts'

/** How long an invitation stands. */
export const lifeDays = 7
export const endOfLife = (now: Date) => daysAfter(now, lifeDays)

export const InvitationToken = z.string().regex(/^[\w-]{43}$/, 'Must be the token of an invitation.')

/** Only the hash is stored. */
export function mintInvitation(baseUrl: string) {
  const plain = randomBytes(32).toString('base64url')
  return { hash: hashSecret(plain), shown: { plain_text_token: plain, accept_url: `${baseUrl}/invitation#${plain}` } }
}
