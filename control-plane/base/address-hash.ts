import { createHmac } from 'node:crypto'
import type { Keyring } from './secrets.ts'

const hashOf = (key: string, text: string) =>
  createHmac('sha256', key)
    .update(`vedette address\0${text.normalize('NFC').toLowerCase()}`)
    .digest()

/** A keyed hash of an address, by which an encrypted address is found. */
export const addressHash = ({ secretKey }: Pick<Keyring, 'secretKey'>, address: string): Buffer =>
  hashOf(secretKey, address)

/** The hashes that a stored address can have: under the present key, and under earlier ones. */
export const addressHashes = ({ secretKey, previousSecretKeys = [] }: Keyring, address: string): Buffer[] =>
  [secretKey, ...previousSecretKeys].map(key => hashOf(key, address))
