import { sql } from 'kysely'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { isWaitingSql } from './history-waits.ts'
import { RegionView } from './view.ts'

export const listRegions = endpoint({
  method: 'GET',
  path: '/regions',
  summary: 'List the regions that can run checks',
  access: { tenant: 'monitors:read' },
  query: offsetQuery(),
  returns: offsetPage(RegionView),

  async handle({ em, query, now, url }) {
    const silentSince = sql`${now.toISOString()}::timestamptz - interval '20 seconds'`
    const rows = await queries(em)
      .selectFrom('regions as r')
      .leftJoin('history_waits as w', join => join.onRef('w.region', '=', 'r.name').on(isWaitingSql('w')))
      .leftJoin('agents as a', join => join.onRef('a.region', '=', 'r.name').on('a.revoked_at', 'is', null))
      .where('r.retired_at', 'is', null)
      .groupBy(['r.name', 'w.since'])
      .orderBy('r.name')
      .select(({ ref }) => [
        'r.name',
        sql<boolean>`coalesce(bool_or(${ref('a.last_seen_at')} > ${silentSince}), false)`.as('is_reporting'),
        stamp(ref('w.since')).as('history_waits_since'),
      ])
      .execute()
    return partOf(rows, query, url)
  },
})
