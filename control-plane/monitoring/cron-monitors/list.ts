import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { monitorStatuses } from '#control-plane/monitoring/monitors/own.ts'
import { shownStatus } from '#control-plane/monitoring/monitors/row.ts'
import { type CronMonitorRow, CronMonitorView, fromCronMonitors, selectCronMonitors, viewCronMonitor } from './view.ts'

export const listCronMonitors = endpoint({
  method: 'GET',
  path: '/cron-monitors',
  summary: 'List cron monitors, newest first',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: offsetQuery().extend({ status: commaList(monitorStatuses).optional() }),
  compress: false,
  returns: offsetPage(CronMonitorView),

  async handle(context) {
    const { em, tenant, query, url } = context
    const where = `where m.tenant_id = ?${query.status ? ` and ${shownStatus} = any(array[?]::varchar[])` : ''}`
    const values: unknown[] = query.status ? [tenant.id, query.status] : [tenant.id]
    const rows = await em.execute<CronMonitorRow[]>(
      `select ${selectCronMonitors} ${fromCronMonitors} ${where}
       order by m.created_at desc, m.id desc limit ? offset ?`,
      [...values, query.per_page, (query.page - 1) * query.per_page],
    )
    const [count] = await em.execute<{ total: number }[]>(
      `select count(*)::int as total ${fromCronMonitors} ${where}`,
      values,
    )
    return { data: rows.map(row => viewCronMonitor(row, context)), ...offsetParts(query, count?.total ?? 0, url) }
  },
})
