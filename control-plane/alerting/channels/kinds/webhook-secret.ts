import { createSecretKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { mask } from '#control-plane/base/secrets.ts'

const prefix = 'whsec_'
/** Shorter ones are taken, as an automation may have one in use, and named in `X-Vedette-Warning`. */
const advised = 16

/** The bytes after `whsec_`; null if that is not base64. */
function bytesOf(secret: string): Buffer | null {
  const text = secret.slice(prefix.length)
  const bytes = Buffer.from(text, 'base64')
  const isWhole = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')
  return isWhole && bytes.length > 0 ? bytes : null
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
  .refine(text => !text.startsWith(prefix) || bytesOf(text) !== null, {
    message: 'After {prefix} comes base64.',
    params: { prefix },
  })

export const secretDescription =
  `Signs each request. At least ${advised} characters are advised: a shorter one is taken, and named in ` +
  `\`X-Vedette-Warning\`. After \`${prefix}\` comes base64. Receivers check \`webhook-signature\`, which covers id ` +
  'and time, to stop replays: `X-Webhook-Signature` covers the body alone.'

export const secretWarning = {
  'X-Vedette-Warning': z
    .string()
    .optional()
    .meta({ description: `Sent when the secret has fewer than ${advised} characters: it is easy to guess.` }),
}

/** Names a secret that is easy to guess in a header of the answer. */
export function warnOfShortSecret(
  { setHeader }: { setHeader(header: 'X-Vedette-Warning', value: string): void },
  field: 'secret' | 'config.secret',
  secret: unknown,
): void {
  if (typeof secret !== 'string' || secret === '' || secret === mask) return
  const size = secret.startsWith(prefix) ? (bytesOf(secret)?.length ?? 0) : secret.length
  if (size < advised) setHeader('X-Vedette-Warning', `${field}: at least ${advised} characters are advised.`)
}
