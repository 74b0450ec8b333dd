import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#control-plane/base/secrets.ts'

/** What comes by mail until somebody has had enough of it. */
export type Subscription = 'digest' | 'monthly report'

const sign = (secretKey: string, what: Subscription, userId: string) =>
  createHmac('sha256', secretKey).update(`vedette ${what} leave\0${userId}`).digest()

/** Lets whoever holds it end what one person gets, and do nothing else. It does not expire: the mail it stands in may be read late. */
export const leaveToken = ({ secretKey }: Keyring, what: Subscription, userId: string) =>
  `${userId}.${sign(secretKey, what, userId).toString('base64url')}`

/** Whose it ends; null for one that we did not make, or not for this. */
export function leaverOf(
  { secretKey, previousSecretKeys = [] }: Keyring,
  what: Subscription,
  token: string,
): string | null {
  const [, userId, given] = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/.exec(token) ?? []
  if (userId === undefined || given === undefined) return null
  const mac = Buffer.from(given, 'base64url')
  return [secretKey, ...previousSecretKeys].some(key => timingSafeEqual(sign(key, what, userId), mac)) ? userId : null
}

const rooms = { digest: 'digest', 'monthly report': 'monthly-report' } as const satisfies Record<Subscription, string>

/** How a mail says that no more of it is wanted: a page for people, and what mail programs call by themselves. */
export function leaveLinks(config: Keyring & { baseUrl: string }, what: Subscription, userId: string) {
  const token = leaveToken(config, what, userId)
  const page = what === 'digest' ? 'unsubscribe' : `unsubscribe/${rooms[what]}`
  return {
    unsubscribe_url: `${config.baseUrl}/${page}#${token}`,
    one_click_url: `${config.baseUrl}/api/v1/${rooms[what]}/unsubscribe?token=${token}`,
  }
}
