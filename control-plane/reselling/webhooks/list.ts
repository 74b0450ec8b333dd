import { queries, total } from '#control-plane/db/queries.ts'
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
    const count = await queries(em)
      .selectFrom('notification_channels as c')
      .innerJoin('notification_rules as r', 'r.channel_id', 'c.id')
      .where('c.tenant_id', '=', tenant.id)
      .where('c.type', '=', 'webhook')
      .where('r.is_webhook', '=', true)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await em.execute<WebhookRow[]>(
      `select ${selectWebhooks} ${fromWebhooks} where c.tenant_id = ? order by c.created_at, c.id limit ? offset ?`,
      [tenant.id, query.per_page, (query.page - 1) * query.per_page],
    )
    return { data: rows.map(viewWebhook), ...offsetParts(query, count.total, url) }
  },
})
