import { z } from 'zod'
import { responseSpread } from '#analytics/queries/response-spread.ts'
import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { periodOf, periodQuery } from './period.ts'
import { findUptimeCheck } from './read-judged.ts'
import { Spread, viewSpread } from './spread.ts'

const time = z.string().meta({ format: 'date-time' })

export const monitorPerformance = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/performance',
  summary: 'Get the response times of a monitor',
  description:
    'In all and by region, with phases. ' +
    'Of the uptime check of the monitor. `total_checks` counts every result; the times are those of results that are ' +
    'up or warning, as a failed one has none. Percentiles are right within 2.5 %. At most 90 days.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: periodQuery,
  returns: ok({
    data: Spread.extend({
      monitor_id: z.uuid(),
      check_id: z.uuid().nullable(),
      from: time,
      to: time,
      regions: z.array(Spread.extend({ region: z.string() })),
    }).meta({ id: 'MonitorPerformance' }),
  }),

  async handle({ em, tenant, params, query, now, services }) {
    const period = periodOf(query, { now, defaultDays: 1, maxDays: 90 })
    const monitor = await findMonitor(em, tenant, params.monitor)
    const check = await findUptimeCheck(em, tenant, monitor.id)
    const [from, to] = [new Date(period.from), new Date(period.to)]
    const rows = check
      ? await responseSpread(services.clickhouse, { tenant: tenant.id, monitor: monitor.id, check, from, to, now })
      : []
    return {
      data: {
        monitor_id: monitor.id,
        check_id: check,
        from: stamp(from),
        to: stamp(to),
        ...viewSpread(rows),
        regions: rows.map(row => ({ region: row.region, ...viewSpread([row]) })),
      },
    }
  },
})
