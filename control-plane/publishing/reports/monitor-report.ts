import { z } from 'zod'
import { historyWaitsField } from '#control-plane/engine/agents/history-waits.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { Budget } from '#control-plane/monitoring/objectives/view.ts'
import { ImportedUptime } from '#control-plane/monitoring/statistics/imported-uptime.ts'
import { FormulaVersion } from '#control-plane/monitoring/statistics/uptime-formula.ts'
import { daysDescription, daysQuery, requestedDays } from './period.ts'
import { readMonitorReport } from './read-monitor.ts'

const ms = z.number().nullable()
const figures = {
  uptime_pct: z.number().nullable(),
  downtime_s: z.int(),
  maintenance_s: z.int(),
  no_data_s: z.int(),
  avg_response_ms: ms,
  p50_response_ms: ms,
  p95_response_ms: ms,
  p99_response_ms: ms,
  total_checks: z.int(),
}

const MonitorReport = z
  .object({
    monitor_id: z.uuid(),
    from: z.iso.date(),
    to: z.iso.date(),
    formula_version: FormulaVersion,
    daily: z.array(z.object({ date: z.iso.date(), ...figures })),
    overall: z.object({
      ...figures,
      incidents_count: z.int().meta({ description: 'Incidents that lasted in these days, also those begun before.' }),
    }),
    imported: ImportedUptime.nullable().meta({
      description: 'What was imported of the past of the monitor, of the days without results of our own.',
    }),
    slo: Budget.nullable().meta({
      description: 'The objective of the monitor, in the window that ends with the days.',
    }),
    history_waits_since: historyWaitsField,
  })
  .meta({ id: 'MonitorReport' })

export const monitorReport = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/report',
  summary: 'Get the daily report of a monitor',
  description: `Uptime, response times, results and incidents. ${daysDescription}`,
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: z.object(daysQuery),
  returns: ok({ data: MonitorReport }),

  async handle({ em, tenant, params, query, now, services }) {
    const days = requestedDays(query, now)
    const { report } = await readMonitorReport(em, services, { tenant, monitorId: params.monitor, days, now })
    return { data: report }
  },
})
