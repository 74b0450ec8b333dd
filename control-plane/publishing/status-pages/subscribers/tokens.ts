import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { type Links, linkOf } from '#control-plane/tenancy/portal-hosts/origin.ts'

const idBytes = 16
/** A multiple of three bytes with the id, so that base64 has no unused bits and each token has one spelling. */
const macBytes = 17
export const manageTokenShape = /^[\w-]{44}$/

const macOf = (key: string, id: Buffer) =>
  createHmac('sha256', key).update('vedette subscription\0').update(id).digest().subarray(0, macBytes)

/**
 * The token in every message to a subscriber: it changes and ends this subscription, and allows nothing else. It never
 * expires, as mail may be read late.
 */
export function manageToken({ secretKey }: Pick<Keyring, 'secretKey'>, subscriberId: string): string {
  const id = Buffer.from(subscriberId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, macOf(secretKey, id)]).toString('base64url')
}

/** The subscriber of a token; null for a forged one. */
export function subscriberOf({ secretKey, previousSecretKeys = [] }: Keyring, token: string): string | null {
  if (!manageTokenShape.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const [id, mac] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)]
  if (![secretKey, ...previousSecretKeys].some(key => timingSafeEqual(macOf(key, id), mac))) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The links of a subscription in its messages: a page for people, and an endpoint for mail programs. */
export function subscriptionLinks(ring: Pick<Keyring, 'secretKey'>, links: Links, subscriberId: string) {
  const token = manageToken(ring, subscriberId)
  return {
    unsubscribe_url: linkOf(links, `${links.baseUrl}/status-subscription/unsubscribe#${token}`),
    one_click_url: linkOf(links, `${links.baseUrl}/api/v1/status-subscriptions/unsubscribe?token=${token}`),
  }
}

/** What a subscriber's webhook verifies signatures with. It is sent with the challenge. */
export const signingSecret = ({ secretKey }: Pick<Keyring, 'secretKey'>, subscriberId: string): string =>
  `whsec_${createHmac('sha256', secretKey).update(`vedette subscriber signature\0${subscriberId}`).digest('base64')}`
