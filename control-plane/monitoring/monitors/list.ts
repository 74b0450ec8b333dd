import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { lastChecked } from '#analytics/queries/last-checked.ts'
import { RecentValues } from '#analytics/recent-values.ts'
import { kindNames } from '#checks/index.ts'
import { namesOf, ordered } from '#control-plane/db/by-name.ts'
import { amongTexts, fixed, rows } from '#control-plane/db/queries.ts'
import { type State, states } from '#control-plane/engine/state/rules.ts'
import { isInStateSql } from '#control-plane/engine/state/sql.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { commaList, commaText, flag, moment, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { perServices } from '#control-plane/http/services.ts'
import { sorting } from '#control-plane/http/sort.ts'
import { ifReachable } from '#control-plane/monitoring/results/latest.ts'
import { monitorStatuses, statesOf } from './own.ts'
import { joinStates, type MonitorRow, selectMonitors } from './row.ts'
import { MonitorView, viewMonitors } from './view.ts'

const { query: sortQuery, orderOf } = sorting(['created_at', 'name', 'url', 'check_interval', 'status'], ['created_at'])

const filters = z.object({
  is_enabled: flag.optional(),
  status: commaList([...monitorStatuses, 'pending'] as const)
    .optional()
    .meta({ description: '`pending`: without a status, as its state is unknown.' }),
  state: commaList(states).optional(),
  check_type: commaList(kindNames).optional().meta({ description: 'Monitors with a check of one of these kinds.' }),
  tag: commaText.optional().meta({ description: 'Monitors with all of these tags, separated by commas.' }),
  group: z.string().max(100).optional(),
  external_ref: z.string().max(255).optional(),
  search: z.string().trim().max(200).optional().meta({ description: 'Part of the name or of the URL.' }),
  created_after: moment.optional(),
  created_before: moment.optional(),
})

const worstFirst: readonly (readonly State[])[] = [
  ['down'],
  ['degraded'],
  ['unknown'],
  ['maintenance'],
  ['up'],
  ['deleted', 'team_paused', 'disabled', 'on_hold'],
]
/** The place of the state `s` of a monitor, the worst first. */
const stateRank = fixed(sql`case s.state
  ${sql.join(
    worstFirst.flatMap((same, rank) => same.map(state => sql`when ${sql.lit(state)} then ${sql.lit(rank)}`)),
    sql` `,
  )} end`)

export const listMonitors = endpoint({
  method: 'GET',
  path: '/monitors',
  summary: 'List monitors, newest first unless sorted otherwise',
  description:
    'By `status` the worst come first: down, degraded, unknown, in maintenance, up, not watched; those of one status ' +
    'by their names.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: offsetQuery().extend(filters.shape).extend(sortQuery),
  returns: offsetPage(MonitorView),

  async handle(context) {
    const { query, em, tenant, url } = context
    const where = sql.join([sql`m.tenant_id = ${tenant.id}`, ...conditions(query, tenant)], sql` and `)
    const { name, direction } = orderOf(query)
    const to = ordered[direction]
    const order =
      name === 'status'
        ? sql`order by ${stateRank} ${to}, ${namesOf('m.name')}, m.id`
        : sql`order by ${name === 'name' ? namesOf('m.name') : sql.ref(`m.${name}`)} ${to}, m.id ${to}`
    // the page is cut before its columns are computed; an empty page is one row with nothing but the count
    const found = await rows(em)<{ total: number } & (MonitorRow | { id: null })>`
      select counted.total, ${selectMonitors}
      from (select count(*)::int as total from ${fromMonitors} where ${where}) counted
      left join (
        select m.* from ${fromMonitors} ${name === 'status' ? joinStates : sql``} where ${where} ${order}
        limit ${query.per_page} offset ${(query.page - 1) * query.per_page}
      ) m on true left ${joinStates} ${order}`
    const monitors = found.filter(row => row.id !== null)
    return {
      data: await viewMonitors(context, monitors, recentlyChecked(context, monitors)),
      ...offsetParts(query, found[0]?.total ?? 0, url),
    }
  },
})

/** What the conditions are about. */
const fromMonitors = sql`monitors m join tenants t on t.id = m.tenant_id`

const latelyOf = perServices(() => new RecentValues<number>())

/** When each monitor had its last result. It is cached for some seconds, since every list asks for it. */
function recentlyChecked(
  { services, tenant }: Pick<RequestContext, 'services' | 'tenant'>,
  shown: readonly MonitorRow[],
): Promise<Map<string, number>> {
  const ask = async (monitors: string[]) => {
    const last = await lastChecked(services.clickhouse, { tenant: tenant.id, monitors })
    return new Map(last.map(row => [row.monitor_id, row.at_ms]))
  }
  const ids = shown.map(row => row.id)
  return ifReachable(services, latelyOf(services).of(tenant.id, ids, ask))
}

function conditions(query: z.output<typeof filters>, tenant: { id: string }): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = []
  if (query.is_enabled !== undefined) found.push(sql`m.is_enabled = ${query.is_enabled}`)
  if (query.status) found.push(isInStateSql(statesOf(query.status)))
  if (query.state) found.push(isInStateSql(query.state))
  if (query.check_type)
    found.push(
      sql`exists (select 1 from checks c
        where c.tenant_id = ${tenant.id} and c.monitor_id = m.id and c.type = ${amongTexts(query.check_type)})`,
    )
  if (query.tag) found.push(sql`m.tags @> ${query.tag}::text[]`)
  if (query.group !== undefined) found.push(sql`m.group_name = ${query.group}`)
  if (query.external_ref !== undefined) found.push(sql`m.external_ref = ${query.external_ref}`)
  if (query.search) {
    const pattern = `%${query.search.replace(/[\\%_]/g, '\\$&')}%`
    found.push(sql`(m.name ilike ${pattern} or m.url ilike ${pattern})`)
  }
  // as a number of seconds: PostgreSQL has no year 0 to read from text
  if (query.created_after) found.push(sql`m.created_at > to_timestamp(${query.created_after.getTime() / 1_000})`)
  if (query.created_before) found.push(sql`m.created_at < to_timestamp(${query.created_before.getTime() / 1_000})`)
  return found
}
