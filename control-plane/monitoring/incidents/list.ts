import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { kindNames } from '#checks/index.ts'
import { severities } from '#contract/check.ts'
import { ordered } from '#control-plane/db/by-name.ts'
import { amongTexts, rows } from '#control-plane/db/queries.ts'
import { besideMonitorRecord, monitorRecordSql } from '#control-plane/engine/monitor-record.ts'
import { pageOf, readByCursor } from '#control-plane/http/cursor-page.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, cursorQuery, flag, moment } from '#control-plane/http/page.ts'
import { cursorPage } from '#control-plane/http/reply.ts'
import { sorting } from '#control-plane/http/sort.ts'
import { type IncidentRow, incidentStatuses, selectIncidents } from './row.ts'
import { IncidentView, viewIncident } from './view.ts'

/** The fields to sort by. An open incident sorts as the last resolved, a critical one as the most severe. */
const sorts = {
  started_at: { key: sql`i.started_at`, type: sql`timestamptz` },
  updated_at: { key: sql`i.updated_at`, type: sql`timestamptz` },
  resolved_at: { key: sql`coalesce(i.resolved_at, 'infinity'::timestamptz)`, type: sql`timestamptz` },
  severity: { key: sql`array_position(array['minor', 'major', 'critical']::varchar[], i.severity)`, type: sql`int` },
} as const
const sortNames = ['started_at', 'severity', 'updated_at', 'resolved_at'] as const
const { query: sortQuery, orderOf } = sorting(sortNames, sortNames)

const filters = z.object({
  severity: commaList(severities).optional(),
  status: commaList(incidentStatuses).optional(),
  check_type: commaList(kindNames).optional(),
  monitor_id: z.uuid().optional(),
  tag: z.string().max(100).optional(),
  acknowledged: flag.optional(),
  snoozed: flag.optional(),
  archived: flag
    .default(false)
    .meta({ description: 'Archived incidents are listed only when asked for, and then alone.' }),
  since: moment.optional(),
  search: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: 'Part of the title or of the name of the monitor, or the number, as in `#7`.' }),
})
const query = cursorQuery.extend(filters.shape).extend(sortQuery)

type Row = IncidentRow & { cursor_key: string | number }

export const listIncidents = endpoint({
  method: 'GET',
  path: '/incidents',
  summary: 'List incidents, newest first',
  access: { tenant: 'incidents:read', reseller: 'incidents:read' },
  query,
  returns: cursorPage(IncidentView),

  async handle({ query, tenant, em, now, url, services }) {
    const { name, direction: sorted } = orderOf(query)
    const read = readByCursor({ services, tenant, url }, query, `${name}:${sorted}`)
    const { place, isBackwards } = read
    const { key, type } = sorts[name]
    const isDescending = (sorted === 'desc') !== isBackwards
    const wanted = [...conditions(query, tenant, now), sql`i.tenant_id = ${tenant.id}`]
    if (place) {
      const is = isDescending ? sql`<` : sql`>`
      wanted.push(sql`(${key}, i.id) ${is} (${place.key}::${type}, ${place.id}::uuid)`)
    }

    const to = isDescending ? ordered.desc : ordered.asc
    const order = sql`order by ${key} ${to}, i.id ${to}`
    // the page is cut before its columns are computed; one more row than requested shows whether there is a next page
    const found = await rows(em)<Row>`select ${selectIncidents(now)}, (${key})::text as cursor_key
      from (
        select i.* from incidents i where ${sql.join(wanted, sql` and `)} ${order} limit ${read.limit}
      ) i ${besideMonitorRecord} ${order}`
    const { rows: shown, ...page } = pageOf(read, found, row => ({ key: row.cursor_key, id: row.id }))
    return { data: shown.map(viewIncident), ...page }
  },
})

function conditions(query: z.output<typeof filters>, tenant: { id: string }, now: Date): RawBuilder<unknown>[] {
  const found = [query.archived ? sql`i.archived_at is not null` : sql`i.archived_at is null`]
  const anyOf = (column: string, values: readonly string[] | undefined) => {
    if (values) found.push(sql`${sql.ref(column)} = ${amongTexts(values)}`)
  }
  anyOf('i.severity', query.severity)
  anyOf('i.status', query.status)
  anyOf('i.check_type', query.check_type)
  if (query.monitor_id) found.push(sql`i.monitor_id = ${query.monitor_id}`)
  if (query.tag !== undefined)
    found.push(sql`exists (select 1 from ${monitorRecordSql('i.monitor_id')} m where m.tags @> ${[query.tag]}::text[])`)
  if (query.acknowledged !== undefined) found.push(sql`(i.acknowledged_at is not null) = ${query.acknowledged}`)
  if (query.snoozed !== undefined) found.push(sql`coalesce(i.snoozed_until > ${now}, false) = ${query.snoozed}`)
  if (query.since) found.push(sql`i.started_at >= ${query.since}`)
  if (query.search) found.push(matching(query.search, tenant))
  return found
}

/** The largest number of an incident that the column can have. */
const largestNumber = 2_147_483_647

/** The monitors with such a name are found once, so that the incidents are read in the order of their index. */
function matching(search: string, tenant: { id: string }): RawBuilder<unknown> {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const number = Number(/^#?(\d{1,10})$/.exec(search)?.[1] ?? Number.NaN)
  const isNumber = number <= largestNumber
  return sql`(i.title ilike ${pattern} or i.monitor_id in (
    select m.id from monitors m where m.tenant_id = ${tenant.id} and m.name ilike ${pattern}
    union all
    select r.id from removed_monitors r where r.tenant_id = ${tenant.id} and r.name ilike ${pattern}
  )${isNumber ? sql` or i.number = ${number}` : sql``})`
}
