import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#control-plane/base/secrets.ts'

/** What a link does with its incident. The token of one purpose is worthless for the other. */
export type LinkPurpose = 'acknowledge' | 'resolve'

/** The grant of a link: for one incident, for all readers of a channel or for one of its recipients. */
export interface LinkGrant {
  incidentId: string
  channelId: string
  /** The address the link was mailed to; null for all readers of the channel. */
  recipient: string | null
  expiresAt: Date
}

/** The grant of a link that was mailed to a member of the team by an escalation policy. */
export interface PersonalGrant {
  incidentId: string
  userId: string
  expiresAt: Date
}

export interface OpenedGrant extends Omit<LinkGrant, 'recipient'> {
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
type Label = `vedette ${LinkPurpose} link${'' | ' of a person'}`
const macOf = (key: string, label: Label, grant: Buffer) =>
  createHmac('sha256', key).update(`${label}\0`).update(grant).digest().subarray(0, macBytes)

/** A keyed hash of an address, for places where the address must not be stored. */
export const recipientMark = (key: string, channelId: string, address: string): Buffer =>
  createHmac('sha256', key)
    .update(`vedette channel recipient\0${channelId}\0${address.toLowerCase()}`)
    .digest()
    .subarray(0, recipientBytes)

/** The token of a grant. It is deterministic, so that a retried message is the same message. */
export function linkToken(
  { secretKey }: Pick<Keyring, 'secretKey'>,
  purpose: LinkPurpose,
  { incidentId, channelId, recipient, expiresAt }: LinkGrant,
): string {
  const mark = recipient === null ? Buffer.alloc(recipientBytes) : recipientMark(secretKey, channelId, recipient)
  return signed(secretKey, `vedette ${purpose} link`, { incidentId, holderId: channelId, expiresAt, mark })
}

/** The same for a member of the team. */
export const personalToken = (
  { secretKey }: Pick<Keyring, 'secretKey'>,
  purpose: LinkPurpose,
  { incidentId, userId, expiresAt }: PersonalGrant,
): string =>
  signed(secretKey, `vedette ${purpose} link of a person`, {
    incidentId,
    holderId: userId,
    expiresAt,
    mark: Buffer.alloc(recipientBytes),
  })

interface Parts {
  incidentId: string
  holderId: string
  expiresAt: Date
  mark: Buffer
}

function signed(key: string, label: Label, { incidentId, holderId, expiresAt, mark }: Parts): string {
  const expiry = Buffer.alloc(4)
  expiry.writeUInt32BE(Math.floor(expiresAt.getTime() / 1_000))
  const grant = Buffer.concat([bytesOf(incidentId), bytesOf(holderId), expiry, mark])
  return Buffer.concat([grant, macOf(key, label, grant)]).toString('base64url')
}

/** The parts of a token and the key that signed it; null if the signature is wrong. */
function verified({ secretKey, previousSecretKeys = [] }: Keyring, label: Label, token: string) {
  if (!tokenShape.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const grant = bytes.subarray(0, macAt)
  const key = [secretKey, ...previousSecretKeys].find(candidate =>
    timingSafeEqual(macOf(candidate, label, grant), bytes.subarray(macAt)),
  )
  if (key === undefined) return null
  return {
    key,
    incidentId: idOf(grant.subarray(0, idBytes)),
    holderId: idOf(grant.subarray(idBytes, expiryAt)),
    expiresAt: new Date(grant.readUInt32BE(expiryAt) * 1_000),
    mark: grant.subarray(recipientAt),
  }
}

/** The grant of a member's token; null if its signature is wrong. The caller checks whether it has expired. */
export function readPersonalToken(keys: Keyring, purpose: LinkPurpose, token: string): PersonalGrant | null {
  const parts = verified(keys, `vedette ${purpose} link of a person`, token)
  return parts && { incidentId: parts.incidentId, userId: parts.holderId, expiresAt: parts.expiresAt }
}

/** The grant of a token; null if its signature is wrong. The caller checks whether it has expired. */
export function readLinkToken(keys: Keyring, purpose: LinkPurpose, token: string): OpenedGrant | null {
  const parts = verified(keys, `vedette ${purpose} link`, token)
  if (!parts) return null
  const { key, incidentId, holderId: channelId, expiresAt, mark } = parts
  return {
    incidentId,
    channelId,
    expiresAt,
    isForOneRecipient: mark.some(byte => byte !== 0),
    isFor: address => timingSafeEqual(recipientMark(key, channelId, address), mark),
  }
}
