import { z } from 'zod'
import type { ZodOpenApiObject } from 'zod-openapi'
import { aliases, canonicalName, events, isAlias, subscribable } from '#contract/events.ts'

const Headers = z.object({
  'webhook-id': z.string().meta({
    param: { id: 'WebhookId' },
    description: 'The same however often this message is sent: what you have seen before, you may leave.',
    example: 'msg_0b9f4e0a3a8e',
  }),
  'webhook-timestamp': z.string().meta({
    param: { id: 'WebhookTimestamp' },
    description: 'When this attempt was made, in seconds since 1970. Refuse what is older than five minutes.',
    example: '1768465800',
  }),
  'webhook-signature': z
    .string()
    .optional()
    .meta({
      param: { id: 'WebhookSignature' },
      description:
        'Standard Webhooks, where the channel has a secret: `v1,` and base64 HMAC-SHA256 of ' +
        '`{webhook-id}.{webhook-timestamp}.{body}`. For a day after a change of the secret there are two, separated ' +
        'by a space. Only this signature protects from replays: it covers id and time.',
    }),
  'X-Webhook-Signature': z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .meta({
      param: { id: 'XWebhookSignature' },
      description:
        'Where the channel has a secret: hex HMAC-SHA256 of the raw body, with the newest secret. ' +
        'It covers neither id nor time: check `webhook-signature` to refuse replays.',
    }),
})

const ManagedTenant = z
  .object({
    managed_tenant_id: z.uuid(),
    name: z.string(),
    label: z.string().nullable(),
    public_id: z.string(),
    external_ref: z.string().nullable(),
    metadata: z.unknown(),
  })
  .meta({ id: 'WebhookManagedTenant', description: 'The team it is about, when it was forwarded to its reseller.' })

const responses = {
  '2XX': { id: 'WebhookTaken', description: 'Taken. A kilobyte of the answer is kept in the log.' },
  default: {
    id: 'WebhookNotTaken',
    description:
      'Any other answer, a redirect too, and no complete answer within ten seconds, is a failure: ' +
      'the same body is sent again, under the same id, after 10, 60 and 300 seconds.',
  },
}

/** What receivers are sent: every event and every alias, from the catalogue. */
export function describeWebhooks(): NonNullable<ZodOpenApiObject['webhooks']> {
  const described = subscribable.map(name => {
    const { description, schema, example } = events.get(canonicalName(name))!
    const fields = schema instanceof z.ZodObject ? schema.shape : {}
    const body = z.looseObject({
      event: z.literal(name),
      timestamp: z.string().meta({ format: 'date-time', description: 'When it happened.' }),
      ...fields,
      _managed_tenant: ManagedTenant.optional(),
    })
    const operation = {
      operationId: `on${name
        .split(/[._]/)
        .map(word => word.charAt(0).toUpperCase() + word.slice(1))
        .join('')}`,
      summary: description,
      ...(isAlias(name) && { description: `The same as ${aliases[name]}, for those who subscribed to this name.` }),
      tags: ['webhooks'],
      security: [],
      requestParams: { header: Headers },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: body,
            example: { event: name, timestamp: '2026-01-15T08:30:00.000000Z', ...example },
          },
        },
      },
      responses,
    }
    return [name, { post: operation }] as const
  })
  return Object.fromEntries(described)
}
