import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type SecretKind, secretKinds } from './caller.ts'

const secretBytes = 32
/** How a key is spelled, wherever it stands. */
export const secretPattern = `(${secretKinds.join('|')})-([\\w-]{43})([0-9a-z]{7})`
const secretShape = new RegExp(`^${secretPattern}$`)

const checksum = (text: string) => crc32(text).toString(36).padStart(7, '0')

/**
 * A new token: its prefix, 32 random bytes, and a checksum that distinguishes typing errors from guesses. Only its hash
 * is stored.
 */
export function mintSecret(kind: SecretKind): { plain: string; hash: Buffer } {
  const secret = randomBytes(secretBytes).toString('base64url')
  const plain = `${kind}-${secret}${checksum(`${kind}-${secret}`)}`
  return { plain, hash: hashSecret(plain) }
}

/** How a token of a link or of a secret address is spelled. */
export const linkTokenShape = /^[\w-]{43}$/

/** A new token for a link or a secret address: 32 random bytes. Only its hash is stored. */
export function mintLinkToken(): { plain: string; hash: Buffer } {
  const plain = randomBytes(secretBytes).toString('base64url')
  return { plain, hash: hashSecret(plain) }
}

/** SHA-256 is enough for 256 random bits; the lookup by unique index compares no secret byte by byte. */
export const hashSecret = (plain: string): Buffer => hash('sha256', plain, 'buffer')
/** The same as text, to look up many at once. */
export const hashSecretHex = (plain: string): string => hash('sha256', plain, 'hex')

/** How a token is shown after its creation: enough to distinguish two tokens. */
export const maskedSecret = (kind: SecretKind, tail: string) => `${kind}-********${tail}`
export const tailOf = (plain: string) => plain.slice(-4)

/** The kind of a well-formed token, or null. Needs no database. */
export function kindOfSecret(plain: string): SecretKind | null {
  const match = secretShape.exec(plain)
  if (!match) return null
  const [, kind, secret, sum] = match
  if (checksum(`${kind}-${secret}`) !== sum) return null
  return secretKinds.find(known => known === kind) ?? null
}
