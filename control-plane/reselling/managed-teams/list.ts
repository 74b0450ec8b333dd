import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { plans } from '#contract/plans.ts'
import { namesOf, ordered } from '#control-plane/db/by-name.ts'
import { amongTexts, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, flag, moment, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { sorting } from '#control-plane/http/sort.ts'
import { fromTeams, selectTeams, type TeamRow, withHidden } from './row.ts'
import { TeamView, viewTeam } from './view.ts'

const columns = { name: 'm.name', created_at: 'm.created_at', monitors_count: 'c.monitors' } as const
const { query: sortQuery, orderOf } = sorting(['created_at', 'name', 'monitors_count'], ['created_at'])

/** The greatest offset: more than any reseller's teams, and within PostgreSQL's integers. */
const mostTeams = 2_000_000_000

const filters = z.object({
  search: z.string().trim().max(200).optional().meta({ description: 'Part of the name or label, case-insensitive.' }),
  plan: commaList(plans).optional(),
  status: z
    .enum(['active', 'paused', 'trial'])
    .optional()
    .meta({ description: '`active`: not paused; a team on trial is either.' }),
  has_incidents: flag.optional().meta({ description: 'Whether the team has open incidents.' }),
  trial_expires_before: moment.optional().meta({ description: 'Teams whose trial ends before this moment.' }),
  external_ref: z.string().max(255).optional(),
})

export const listManagedTeams = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams',
  summary: 'List managed teams, by default newest first',
  access: { reseller: 'teams:read' },
  query: offsetQuery(250).extend(filters.shape).extend(sortQuery),
  returns: offsetPage(TeamView),

  async handle({ query, em, tenant: reseller, now, url }) {
    const { name, direction } = orderOf(query)
    const column = columns[name]
    const wanted = conditions(query, now)
    const { from, tenant, whose } = sourceOf(reseller, [column, ...wanted.map(({ of }) => of)])
    const where = sql.join([whose, ...wanted.map(({ condition }) => condition)], sql` and `)
    const [by, as] = [name === 'name' ? namesOf(column) : sql.ref(column), ordered[direction]]
    const start = Math.min((query.page - 1) * query.per_page, mostTeams)
    // one query finds the matching teams for both the total and the page, in the order of an index where there is one
    const found = await rows(em)<Nullable<TeamRow> & { total: number }>`with found as materialized (
        select array_agg(${tenant} order by ${by} ${as}, ${tenant} ${as}) as tenants from ${from} where ${where}
      )
      select coalesce(cardinality(f.tenants), 0) as total, ${selectTeams}
      from found f
      left join unnest(f.tenants[${start + 1}::int:${start + query.per_page}::int])
        with ordinality as page (tenant_id, place) on true
      left join managed_teams m on m.tenant_id = page.tenant_id
      left join tenant_counts c on c.tenant_id = page.tenant_id
      ${withHidden}
      order by page.place`
    const data = found.flatMap(({ total: _, ...row }) => (isTeam(row) ? viewTeam(row, now) : []))
    return { data, ...offsetParts(query, found[0]?.total ?? 0, url) }
  },
})

/** Beyond the last page the only row has the total and no team. */
type Nullable<Row> = { [Name in keyof Row]: Row[Name] | null }
const isTeam = (row: Nullable<TeamRow>): row is TeamRow => row.id !== null

interface Condition {
  /** The table of its columns. */
  of: 'm' | 'c'
  condition: RawBuilder<unknown>
}

/** The tables to search: both only if the filters need both. `asked`: names of tables or of their columns. */
function sourceOf({ id }: { id: string }, asked: readonly string[]) {
  const isAsked = (table: Condition['of']) => asked.some(name => name.startsWith(table))
  if (isAsked('m'))
    return {
      from: isAsked('c') ? fromTeams : sql`managed_teams m`,
      tenant: sql.ref('m.tenant_id'),
      whose: sql`m.reseller_id = ${id} and m.deleted_at is null`,
    }
  return {
    from: sql`tenant_counts c`,
    tenant: sql.ref('c.tenant_id'),
    whose: sql`c.reseller_id = ${id} and c.tenant_id not in (
      select d.tenant_id from managed_teams d where d.reseller_id = ${id} and d.deleted_at is not null)`,
  }
}

function conditions(query: z.output<typeof filters>, now: Date): Condition[] {
  const found: Condition[] = []
  const add = (of: Condition['of'], condition: RawBuilder<unknown>) => found.push({ of, condition })
  if (query.search) add('m', sql`m.search_text like '%' || lower(${query.search.replace(/[\\%_]/g, '\\$&')}) || '%'`)
  if (query.plan) add('m', sql`m.plan = ${amongTexts(query.plan)}`)
  if (query.status === 'active') add('m', sql`m.paused_at is null`)
  if (query.status === 'paused') add('m', sql`m.paused_at is not null`)
  if (query.status === 'trial') add('m', sql`m.trial_ends_at > ${now}`)
  if (query.has_incidents !== undefined)
    add('c', query.has_incidents ? sql`c.open_incidents > 0` : sql`c.open_incidents = 0`)
  // in seconds, because PostgreSQL cannot parse the year 0 from text
  if (query.trial_expires_before) {
    const before = query.trial_expires_before.getTime() / 1_000
    add('m', sql`m.trial_ends_at > ${now} and m.trial_ends_at < to_timestamp(${before})`)
  }
  if (query.external_ref !== undefined) add('m', sql`m.external_ref = ${query.external_ref}`)
  return found
}
