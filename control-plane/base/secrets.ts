import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { maskedSecret } from '#contract/export.ts'

/** The key that encrypts today, and earlier ones that may still open what they closed. `Config` is one. */
export interface Keyring {
  secretKey: string
  previousSecretKeys?: readonly string[]
}

/** What is shown in place of a secret. Sent back, it keeps the secret that is stored. */
export const mask = maskedSecret
export const noStoredValue = 'There is no stored value to keep: send the value itself.'

const version = 'v1'
const ivBytes = 12
const tagBytes = 16
const keys = new Map<string, KeyObject>()

/** Each purpose has a key of its own, so that what was encrypted for one can never be opened as another. */
function keyFor(secretKey: string, purpose: string): KeyObject {
  const name = `${purpose}\0${secretKey}`
  const known = keys.get(name)
  if (known) return known
  // a key object: from plain bytes Node creates one at every use, which takes longer than the encryption
  const derived = createSecretKey(
    Buffer.from(hkdfSync('sha256', secretKey, '', `vedette secrets ${version} ${purpose}`, 32)),
  )
  keys.set(name, derived)
  return derived
}

const keyIdOf = (secretKey: string) => hash('sha256', `vedette key id\0${secretKey}`, 'base64url').slice(0, 8)

/**
 * Encrypts a text for storage: `v1.<key id>.<iv, text and tag>`. `owner` names the row it belongs to
 * and is needed again to decrypt, so that a stored secret cannot be moved to another row.
 */
export function encryptSecret({ secretKey }: Keyring, purpose: string, owner: string, plain: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secretKey, purpose), iv)
  cipher.setAAD(Buffer.from(owner))
  const encrypted = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${version}.${keyIdOf(secretKey)}.${encrypted.toString('base64url')}`
}

/** A stored secret that no key on the ring opens, or that was changed or moved. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret'
}

/**
 * The text again. Throws for another purpose or owner, a key that is not on the ring, and anything that was changed.
 */
export function decryptSecret(
  { secretKey, previousSecretKeys = [] }: Keyring,
  purpose: string,
  owner: string,
  envelope: string,
): string {
  const [given, keyId, text = ''] = envelope.split('.')
  const key = [secretKey, ...previousSecretKeys].find(candidate => keyIdOf(candidate) === keyId)
  if (given !== version || key === undefined)
    throw new UnreadableSecret('A stored secret was encrypted under a key that is not known here.')
  const encrypted = Buffer.from(text, 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(key, purpose), encrypted.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(owner))
    decipher.setAuthTag(encrypted.subarray(-tagBytes))
    return decipher.update(encrypted.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    throw new UnreadableSecret('A stored secret was changed, or belongs to another row or purpose.')
  }
}

/** How the present key marks what it encrypts: what is stored without it is under an earlier one. */
export const presentPrefix = ({ secretKey }: Keyring): string => `${version}.${keyIdOf(secretKey)}.`

/** What does the same for every purpose: a stored secret again, encrypted under the present key. */
export type Renew = (ring: Keyring, owner: string, envelope: string) => string

export const renewerFor =
  (purpose: string): Renew =>
  (ring, owner, envelope) =>
    isUnderOldKey(ring, envelope)
      ? encryptSecret(ring, purpose, owner, decryptSecret(ring, purpose, owner, envelope))
      : envelope

/** Whether it must be encrypted again: the key has been rotated since. */
export const isUnderOldKey = (ring: Keyring, envelope: string) => !envelope.startsWith(presentPrefix(ring))
