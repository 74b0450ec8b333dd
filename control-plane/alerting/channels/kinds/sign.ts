import { createHmac } from 'node:crypto'
import type { Attempt } from './kind.ts'
import { signingKey } from './webhook-secret.ts'

/** The specification's signature: hex HMAC-SHA256 of the very bytes that are sent. */
export const signBody = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex')

/** Standard Webhooks: the secret is text, or base64 after `whsec_`. */
function signStandard(secret: string, { id, at }: Attempt, body: string): string {
  return `v1,${createHmac('sha256', signingKey(secret)).update(`${id}.${at}.${body}`).digest('base64')}`
}

/** The headers of one attempt. While a secret is being changed the former one still signs, where more than one signature fits. */
export function signatureHeaders(secrets: readonly string[], attempt: Attempt, body: string): Record<string, string> {
  const headers: Record<string, string> = { 'webhook-id': attempt.id, 'webhook-timestamp': String(attempt.at) }
  const [newest] = secrets
  if (newest) {
    headers['X-Webhook-Signature'] = signBody(newest, body)
    headers['webhook-signature'] = secrets.map(secret => signStandard(secret, attempt, body)).join(' ')
  }
  return headers
}
