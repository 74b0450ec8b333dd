import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#control-plane/base/secrets.ts'

/** Mails that a person can unsubscribe from. */
export type Subscription = 'digest' | 'monthly report' | 'hand-over mail'

const sign = (secretKey: string, what: Subscription, userId: string) =>
  createHmac('sha256', secretKey).update(`vedette ${what} leave\0${userId}`).digest()

/** A token that ends one person's subscription and allows nothing else. It never expires: mail may be read late. */
export const leaveToken = ({ secretKey }: Keyring, what: Subscription, userId: string) =>
  `${userId}.${sign(secretKey, what, userId).toString('base64url')}`

/** The person whose subscription a token ends; null for an invalid token. */
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

const topics = {
  digest: 'digest',
  'monthly report': 'monthly-report',
  'hand-over mail': 'on-call-handover',
} as const satisfies Record<Subscription, string>

/** The unsubscribe links of a mail: a page for people, and an endpoint for mail programs. */
export function leaveLinks(config: Keyring & { baseUrl: string }, what: Subscription, userId: string) {
  const token = leaveToken(config, what, userId)
  const page = what === 'digest' ? 'unsubscribe' : `unsubscribe/${topics[what]}`
  return {
    unsubscribe_url: `${config.baseUrl}/${page}#${token}`,
    one_click_url: `${config.baseUrl}/api/v1/${topics[what]}/unsubscribe?token=${token}`,
  }
}
