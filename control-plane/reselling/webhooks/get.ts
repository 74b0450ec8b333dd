import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findWebhook, viewWebhook, WebhookView } from './row.ts'

export const getWebhook = endpoint({
  method: 'GET',
  path: '/reseller/webhooks/{webhook}',
  summary: 'Get a webhook',
  access: { reseller: 'webhooks:read' },
  returns: ok({ data: WebhookView }),
  handle: async ({ em, tenant, params }) => ({ data: viewWebhook(await findWebhook(em, tenant, params.webhook)) }),
})
