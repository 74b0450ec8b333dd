import { createHmac } from 'node:crypto'
import type { Attempt } from './kind.ts'
import { signingKey } from './webhook-secret.ts'

/** The signature of the specification: hex HMAC-SHA256 of the bytes that are sent. */
export const signBody = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex')

/** Standard Webhooks: the secret is text, or base64 after `whsec_`. */
function signStandard(secret: string, { id, at }: Attempt, body: string): string {
  return `v1,${createHmac('sha256', signingKey(secret)).update(`${id}.${at}.${body}`).digest('base64')}`
}

/**
 * The signature headers of one attempt. After a change of the secret the former one signs as well, in
 * `webhook-signature`, which may have several.
 */
export function signatureHeaders(secrets: readonly string[], attempt: Attempt, body: string): Record<string, string> {
  const headers: Record<string, string> = { 'webhook-id': attempt.id, 'webhook-timestamp': String(attempt.at) }
  const [newest] = secrets
  if (newest) {
    headers['X-Webhook-Signature'] = signBody(newest, body)
    headers['webhook-signature'] = secrets.map(secret => signStandard(secret, attempt, body)).join(' ')
  }
  return headers
}
