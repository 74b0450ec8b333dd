import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#control-plane/base/secrets.ts'

/**
 * The grant of an acknowledge link: to acknowledge one incident, for all readers of a channel or for one of its
 * recipients.
 */
export interface AcknowledgeGrant {
  incidentId: string
  channelId: string
  /** The address the link was mailed to; null for all readers of the channel. */
  recipient: string | null
  expiresAt: Date
}

export interface OpenedGrant extends Omit<AcknowledgeGrant, 'recipient'> {
  isForOneRecipient: boolean
  /** Whether the link was mailed to this address. */
  isFor(address: string): boolean
}

const idBytes = 16
const recipientBytes = 8
const macBytes = 16
const expiryAt = 2 * idBytes
const recipientAt = expiryAt + 4
const macAt = recipientAt + recipientBytes
/** A multiple of three bytes, so that base64 has no unused bits and each token has one spelling. */
const wholeBytes = macAt + macBytes
export const tokenShape = new RegExp(`^[\\w-]{${(wholeBytes * 4) / 3}}$`)

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
const macOf = (key: string, grant: Buffer) =>
  createHmac('sha256', key).update('vedette acknowledge link\0').update(grant).digest().subarray(0, macBytes)

/** A keyed hash of an address, for places where the address must not be stored. */
export const recipientMark = (key: string, channelId: string, address: string): Buffer =>
  createHmac('sha256', key)
    .update(`vedette channel recipient\0${channelId}\0${address.toLowerCase()}`)
    .digest()
    .subarray(0, recipientBytes)

/** The token of a grant. It is deterministic, so that a retried message is the same message. */
export function acknowledgeToken(
  { secretKey }: Pick<Keyring, 'secretKey'>,
  { incidentId, channelId, recipient, expiresAt }: AcknowledgeGrant,
): string {
  const expiry = Buffer.alloc(4)
  expiry.writeUInt32BE(Math.floor(expiresAt.getTime() / 1_000))
  const mark = recipient === null ? Buffer.alloc(recipientBytes) : recipientMark(secretKey, channelId, recipient)
  const grant = Buffer.concat([bytesOf(incidentId), bytesOf(channelId), expiry, mark])
  return Buffer.concat([grant, macOf(secretKey, grant)]).toString('base64url')
}

/** The grant of a token; null if its signature is wrong. The caller checks whether it has expired. */
export function openAcknowledgeToken(
  { secretKey, previousSecretKeys = [] }: Keyring,
  token: string,
): OpenedGrant | null {
  if (!tokenShape.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const grant = bytes.subarray(0, macAt)
  const key = [secretKey, ...previousSecretKeys].find(candidate =>
    timingSafeEqual(macOf(candidate, grant), bytes.subarray(macAt)),
  )
  if (key === undefined) return null
  const channelId = idOf(grant.subarray(idBytes, expiryAt))
  const mark = grant.subarray(recipientAt)
  return {
    incidentId: idOf(grant.subarray(0, idBytes)),
    channelId,
    expiresAt: new Date(grant.readUInt32BE(expiryAt) * 1_000),
    isForOneRecipient: mark.some(byte => byte !== 0),
    isFor: address => timingSafeEqual(recipientMark(key, channelId, address), mark),
  }
}
