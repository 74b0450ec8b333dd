import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { fromWebhooks, selectWebhooks, viewWebhook, type WebhookRow, WebhookView } from './row.ts'

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/reseller/webhooks',
  summary: 'List webhooks, oldest first',
  access: { reseller: 'webhooks:read' },
  query: offsetQuery(),
  returns: offsetPage(WebhookView),

  async handle({ em, tenant, query, url }) {
    const [{ total } = { total: 0 }] = await em.execute<{ total: number }[]>(
      `select count(*)::int as total ${fromWebhooks} where c.tenant_id = ?`,
      [tenant.id],
    )
    const rows = await em.execute<WebhookRow[]>(
      `select ${selectWebhooks} ${fromWebhooks} where c.tenant_id = ? order by c.created_at, c.id limit ? offset ?`,
      [tenant.id, query.per_page, (query.page - 1) * query.per_page],
    )
    return { data: rows.map(viewWebhook), ...offsetParts(query, total, url) }
  },
})
