import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { RegionView } from './view.ts'

export const listRegions = endpoint({
  method: 'GET',
  path: '/regions',
  summary: 'List the regions that monitors can be watched from',
  access: { tenant: 'monitors:read' },
  query: offsetQuery(),
  returns: offsetPage(RegionView),

  async handle({ em, query, now, url }) {
    const rows = await em.execute<{ name: string; is_reporting: boolean }[]>(
      `select r.name, coalesce(bool_or(a.last_seen_at > ?::timestamptz - interval '20 seconds'), false) as is_reporting
       from regions r left join agents a on a.region = r.name and a.revoked_at is null
       where r.retired_at is null
       group by r.name order by r.name`,
      [now.toISOString()],
    )
    return partOf(rows, query, url)
  },
})
