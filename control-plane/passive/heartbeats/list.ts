import { sql } from 'kysely'
import { amongTexts, countRows, rows } from '#control-plane/db/queries.ts'
import { states } from '#control-plane/engine/state/rules.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { monitorStatuses, statesOf } from '#control-plane/monitoring/monitors/own.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { type CronMonitorRow, CronMonitorView, fromCronMonitors, selectCronMonitors, viewCronMonitor } from './view.ts'

export const listCronMonitors = endpoint({
  method: 'GET',
  path: '/cron-monitors',
  summary: 'List cron monitors, newest first',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: offsetQuery().extend({
    status: commaList(monitorStatuses).optional(),
    state: commaList(states).optional(),
  }),
  compress: false,
  returns: offsetPage(CronMonitorView),

  async handle({ em, tenant, query, url, services, now }) {
    const wanted = [query.status && statesOf(query.status), query.state].filter(states => states !== undefined)
    const inStates = wanted.map(states => sql`and s.state = ${amongTexts(states)}`)
    const found = sql`${fromCronMonitors} where m.tenant_id = ${tenant.id} ${sql.join(inStates, sql` `)}`
    const monitors = await rows(em)<CronMonitorRow>`
      select ${selectCronMonitors} ${found} order by m.created_at desc, m.id desc
      limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`
    const total = await countRows(em)`${found}`
    const origin = await keptOriginOf(services, tenant.id)
    return {
      data: monitors.map(row => viewCronMonitor(row, { origin, now })),
      ...offsetParts(query, total, url),
    }
  },
})
