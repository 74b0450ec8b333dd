import { z } from 'zod'
import { malformed, Refusal } from '#control-plane/base/refusal.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { handleEvent } from './handle-event.ts'
import { momentOf, StripeEvent, schemaOf } from './objects.ts'
import { isSignedByStripe } from './signature.ts'

export const takeStripeEvent = endpoint({
  method: 'POST',
  path: '/billing/webhooks/stripe',
  operation: 'billing.takeStripeEvent',
  summary: 'Receive an event of Stripe',
  description:
    'For Stripe alone: the body must be signed (`Stripe-Signature`) with the signing secret, at most five minutes ' +
    'ago. An answer of 200 means that the event is stored. The same event again changes nothing.',
  access: 'public',
  rate: 'payment-events',
  detached: true,
  accepts: {
    types: { 'application/json': StripeEvent },
    limit: 524_288,
    signature: 'Stripe-Signature',
  },
  mayFindNothing: true,
  returns: ok({ received: z.boolean() }),

  async handle({ rawBody, services, now }) {
    const secrets = services.config.billing?.stripe?.webhookSecrets ?? []
    if (!isSignedByStripe(rawBody.signature, rawBody.content, secrets, now.getTime()))
      throw new Refusal(400, 'bad_signature', 'The signature is missing, too old, or not ours.')
    const event = parseEvent(rawBody.content)
    const object = schemaOf(event.type)?.safeParse(event.data.object)
    if (object?.success === false)
      services.log.error(
        { event: event.id, type: event.type, issues: object.error.issues },
        'Stripe event of unknown shape',
      )
    const kept = object?.success ? JSON.stringify(object.data) : null
    await rows(services.platform)`
      insert into billing_events (id, type, occurred_at, object, next_at)
      values (${event.id}, ${event.type}, ${momentOf(event.created)}, ${kept}, clock_timestamp() + interval
      '10 seconds') on conflict do nothing`
    // stored: whatever fails now is done by the worker
    await handleEvent(services, event.id).catch((error: unknown) =>
      services.log.warn({ err: error, event: event.id }, 'payment event waits for the worker'),
    )
    return { received: true }
  },
})

function parseEvent(content: Buffer) {
  let json: unknown
  try {
    json = JSON.parse(content.toString('utf8'))
  } catch {
    throw malformed('The body is not valid JSON.')
  }
  const event = StripeEvent.safeParse(json)
  if (!event.success) throw malformed('The body is not an event of Stripe.')
  return event.data
}
