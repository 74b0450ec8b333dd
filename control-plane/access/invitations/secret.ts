import { z } from 'zod'
import { daysAfter } from '#contract/time.ts'
import { linkTokenShape, mintLinkToken } from '#control-plane/base/token-secret.ts'

/** How long an invitation is open. */
export const lifeDays = 7
export const endOfLife = (now: Date) => daysAfter(now, lifeDays)

export const InvitationToken = z.string().regex(linkTokenShape, 'Must be the token of an invitation.')

/** One token is shown to the inviter; the other is only in the mail, and proves the address. Only hashes are stored. */
export function mintInvitation(origin: string) {
  const [shown, mailed] = [mint(origin), mint(origin)]
  return {
    hashes: [shown.hash.toString('hex'), mailed.hash.toString('hex')] as const,
    shown: { plain_text_token: shown.plain, accept_url: shown.url },
    mailedUrl: mailed.url,
  }
}

function mint(origin: string) {
  const { plain, hash } = mintLinkToken()
  return { plain, hash, url: `${origin}/invitation#${plain}` }
}
