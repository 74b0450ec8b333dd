import { createSecretKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

const prefix = 'whsec_'
const shortest = { characters: 16, bytes: 16 }

/** The bytes after `whsec_`; null if that is not base64 of enough bytes. */
function bytesOf(secret: string): Buffer | null {
  const text = secret.slice(prefix.length)
  const bytes = Buffer.from(text, 'base64')
  const isWhole = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')
  return isWhole && bytes.length >= shortest.bytes ? bytes : null
}

/**
 * The signing key of Standard Webhooks: the bytes after `whsec_`, else the text itself, also where `whsec_` has an
 * invalid remainder.
 */
export function signingKey(secret: string): KeyObject | string {
  const bytes = secret.startsWith(prefix) ? bytesOf(secret) : null
  return bytes === null ? secret : createSecretKey(bytes)
}

/** A secret that an API client sends; an empty one is none. Stored secrets are not checked. */
export const NewSecret = z
  .string()
  .max(255)
  .refine(
    text => text === '' || text.length >= shortest.characters,
    `Must have at least ${shortest.characters} characters.`,
  )
  .refine(
    text => text.length < shortest.characters || !text.startsWith(prefix) || bytesOf(text) !== null,
    `After ${prefix} comes base64 of at least ${shortest.bytes} bytes.`,
  )

export const secretDescription =
  `Signs each request. At least ${shortest.characters} characters; after \`${prefix}\`, base64 of at least ` +
  `${shortest.bytes} bytes. Receivers check \`webhook-signature\`, which covers id and time, to stop replays: ` +
  '`X-Webhook-Signature` covers the body alone.'
