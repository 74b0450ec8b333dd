import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { mayRead } from './input.ts'
import { selectChannels } from './row.ts'
import { ChannelView, viewChannel } from './view.ts'

export const listChannels = endpoint({
  method: 'GET',
  path: '/notification-channels',
  summary: 'List notification channels, oldest first',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(ChannelView),

  async handle({ em, tenant, query, url }) {
    const channels = selectChannels(em, tenant)
    const count = await channels.clearSelect().select(total).executeTakeFirstOrThrow()
    const rows = await channels
      .orderBy('c.created_at')
      .orderBy('c.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data: rows.map(row => viewChannel(row, tenant)), ...offsetParts(query, count.total, url) }
  },
})
