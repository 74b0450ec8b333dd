/**
 * A receiver of Vedette's webhooks for Node, without dependencies.
 *
 *   WEBHOOK_SECRET=... [WEBHOOK_SECRET_FORMER=...] [PORT=8000] node receiver.mjs
 *
 * POST /       verifies webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks) and refuses old
 * requests.
 * POST /plain  verifies X-Webhook-Signature alone.
 * While a secret is being rotated, set both: the new one and the former one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const toleranceS = 300
const largest = 1_000_000
const secrets = [process.env.WEBHOOK_SECRET, process.env.WEBHOOK_SECRET_FORMER].filter(Boolean)

/** A Standard Webhooks secret is text, or base64 after `whsec_`. */
const keyOf = secret => (secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret)
/** Lengths are compared in bytes: a letter may be two of them. */
function isSame(one, other) {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export function isStandard(headers, body, secrets, now) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers
  if (!id || !/^\d+$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > toleranceS) return false
  const given = signatures.split(' ').flatMap(part => (part.startsWith('v1,') ? [part.slice(3)] : []))
  const expected = secrets.map(secret =>
    createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64'),
  )
  return given.some(one => expected.some(other => isSame(one, other)))
}

/** Signs the received bytes: a parsed and re-serialized object may differ. */
export function isPlain(headers, body, secrets) {
  const given = headers['x-webhook-signature'] ?? ''
  return secrets.some(secret => isSame(given, createHmac('sha256', secret).update(body).digest('hex')))
}

/** Store these with your own data: a message may arrive more than once. */
const seen = new Set()

const handle = (id, { event }) => console.log(JSON.stringify({ id, event }))

async function receive(request) {
  const { method, url, headers } = request
  if (method !== 'POST') return 405
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > largest) return 413
  }
  const body = Buffer.concat(chunks)
  if (!(url === '/plain' ? isPlain(headers, body, secrets) : isStandard(headers, body, secrets, Date.now()))) return 401
  const id = headers['webhook-id']
  if (!seen.has(id)) {
    handle(id, JSON.parse(body.toString()))
    seen.add(id)
  }
  return 204
}

const server = createServer((request, response) => {
  receive(request).then(
    status => response.writeHead(status).end(),
    () => response.writeHead(500).end(),
  )
})
server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1', () =>
  console.log(JSON.stringify({ port: server.address().port })),
)
