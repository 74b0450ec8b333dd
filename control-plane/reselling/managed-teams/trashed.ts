import { sql } from 'kysely'
import { queries, rows, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { fromTeams, selectTeams, type TeamRow, withHidden } from './row.ts'
import { graceDays, TeamView, viewTeam } from './view.ts'

export const listTrashedTeams = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/trashed',
  summary: 'List deleted teams that can still be restored, newest first',
  access: { reseller: 'teams:read' },
  query: offsetQuery(250),
  returns: offsetPage(TeamView),

  async handle({ query, em, tenant: reseller, now, url }) {
    const trashed = queries(em)
      .selectFrom('managed_teams as m')
      .where('m.reseller_id', '=', reseller.id)
      .where('m.deleted_at', '>', sql<string>`${now.toISOString()}::timestamptz - ${`${graceDays} days`}::interval`)
    const count = await trashed.select(total).executeTakeFirstOrThrow()
    const teams = await rows(em)<TeamRow>`select ${selectTeams} from ${fromTeams} ${withHidden}
      where m.reseller_id = ${reseller.id} and m.deleted_at > ${now}::timestamptz - ${graceDays} * interval '1 day'
      order by m.deleted_at desc, m.id desc limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`
    return { data: teams.map(row => viewTeam(row, now)), ...offsetParts(query, count.total, url) }
  },
})
