import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#control-plane/base/secrets.ts'

/** What an acknowledge link grants: to acknowledge one incident, for those who read one channel, or for one recipient of it. */
export interface AcknowledgeGrant {
  incidentId: string
  channelId: string
  /** The address the link was mailed to; null: whoever reads the channel. */
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
/** As many bytes as make whole base64 characters: a token has one spelling. */
const wholeBytes = macAt + macBytes
export const tokenShape = new RegExp(`^[\\w-]{${(wholeBytes * 4) / 3}}$`)

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
const macOf = (key: string, grant: Buffer) =>
  createHmac('sha256', key).update('vedette acknowledge link\0').update(grant).digest().subarray(0, macBytes)

/** What stands for an address where the address itself must not stand. */
export const recipientMark = (key: string, channelId: string, address: string): Buffer =>
  createHmac('sha256', key)
    .update(`vedette channel recipient\0${channelId}\0${address.toLowerCase()}`)
    .digest()
    .subarray(0, recipientBytes)

/** The same for the same grant, so that a message sent again is the same message. */
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

/** What a token grants; null for one that was not made here. Whether it has expired is for the caller to see. */
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
