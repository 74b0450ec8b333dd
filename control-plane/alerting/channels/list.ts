import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { mayRead } from './input.ts'
import { type ChannelRow, selectChannels } from './row.ts'
import { ChannelView, viewChannel } from './view.ts'

export const listChannels = endpoint({
  method: 'GET',
  path: '/notification-channels',
  summary: 'List notification channels, oldest first',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(ChannelView),

  async handle({ em, tenant, query, url }) {
    const [{ total } = { total: 0 }] = await em.execute<{ total: number }[]>(
      'select count(*)::int as total from notification_channels where tenant_id = ?',
      [tenant.id],
    )
    const rows = await em.execute<ChannelRow[]>(
      // the table's own columns: those of the same name that are shown are text
      `select ${selectChannels} from notification_channels c where c.tenant_id = ? order by c.created_at, c.id limit ? offset ?`,
      [tenant.id, query.per_page, (query.page - 1) * query.per_page],
    )
    return { data: rows.map(row => viewChannel(row, tenant)), ...offsetParts(query, total, url) }
  },
})
