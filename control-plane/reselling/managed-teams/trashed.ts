import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { fromTeams, selectTeams, type TeamRow } from './row.ts'
import { graceDays, TeamView, viewTeam } from './view.ts'

export const listTrashedTeams = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/trashed',
  summary: 'List deleted teams that can still be restored, the latest first',
  access: { reseller: 'teams:read' },
  query: offsetQuery(250),
  returns: offsetPage(TeamView),

  async handle({ query, em, tenant: reseller, now, url }) {
    const where = `m.reseller_id = ? and m.deleted_at > ?::timestamptz - interval '${graceDays} days'`
    const [count] = await em.execute<{ total: number }[]>(
      `select count(*)::int as total from managed_teams m where ${where}`,
      [reseller.id, now],
    )
    const rows = await em.execute<TeamRow[]>(
      `select ${selectTeams} from ${fromTeams} where ${where} order by m.deleted_at desc, m.id desc limit ? offset ?`,
      [reseller.id, now, query.per_page, (query.page - 1) * query.per_page],
    )
    return { data: rows.map(row => viewTeam(row, now)), ...offsetParts(query, count?.total ?? 0, url) }
  },
})
