import { createHmac, hash } from 'node:crypto'
import type { Keyring } from './secrets.ts'

const markBytes = 4

/** What the hashes under a key begin with: those under an earlier key are found by it. */
export const hashMark = ({ secretKey }: Pick<Keyring, 'secretKey'>): Buffer =>
  hash('sha256', `vedette address hash\0${secretKey}`, 'buffer').subarray(0, markBytes)

const hashOf = (secretKey: string, text: string) =>
  Buffer.concat([
    hashMark({ secretKey }),
    createHmac('sha256', secretKey)
      .update(`vedette address\0${text.normalize('NFC').toLowerCase()}`)
      .digest(),
  ])

/** A keyed hash of an address, by which an encrypted address is found. */
export const addressHash = ({ secretKey }: Pick<Keyring, 'secretKey'>, address: string): Buffer =>
  hashOf(secretKey, address)

/** The hashes that a stored address can have: under the present key, and under earlier ones. */
export const addressHashes = ({ secretKey, previousSecretKeys = [] }: Keyring, address: string): Buffer[] =>
  [secretKey, ...previousSecretKeys].map(key => hashOf(key, address))
