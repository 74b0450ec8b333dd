import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { selectWebhooks, viewWebhook, WebhookView } from './row.ts'

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/reseller/webhooks',
  summary: 'List webhooks, oldest first',
  access: { reseller: 'webhooks:read' },
  query: offsetQuery(),
  returns: offsetPage(WebhookView),

  async handle({ em, tenant, query, url }) {
    const webhooks = selectWebhooks(em, tenant)
    const count = await webhooks.clearSelect().select(total).executeTakeFirstOrThrow()
    const rows = await webhooks
      .orderBy('c.created_at')
      .orderBy('c.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data: rows.map(viewWebhook), ...offsetParts(query, count.total, url) }
  },
})
