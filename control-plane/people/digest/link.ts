import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#control-plane/kernel/secrets.ts'

const sign = (secretKey: string, userId: string) => createHmac('sha256', secretKey).update(`vedette digest leave\0${userId}`).digest()

/** Lets whoever holds it end one person’s digest, and do nothing else. It does not expire: the mail it stands in may be read late. */
export const leaveToken = ({ secretKey }: Keyring, userId: string) => `${userId}.${sign(secretKey, userId).toString('base64url')}`

/** Whose digest it ends; null for one that we did not make. */
export function leaverOf({ secretKey, previousSecretKeys = [] }: Keyring, token: string): string | null {
  const [, userId, given] = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/.exec(token) ?? []
  if (userId === undefined || given === undefined) return null
  const mac = Buffer.from(given, 'base64url')
  return [secretKey, ...previousSecretKeys].some(key => timingSafeEqual(sign(key, userId), mac)) ? userId : null
}
