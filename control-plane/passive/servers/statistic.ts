import { sql } from 'kysely'
import { z } from 'zod'
import { serverLatest } from '#analytics/queries/server-latest.ts'
import { agent } from '#checks/agent/kind.ts'
import { isServerMetric, serverMetricNames, serverMetrics } from '#contract/server-agent.ts'
import { stamp } from '#contract/time.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { agentAccess } from './access.ts'
import { selectAgents } from './row.ts'
import { AgentMonitorView, ServerHostView, viewAgent } from './view.ts'

const time = z.string().meta({ format: 'date-time' })
const hourMs = 3_600_000

export const monitorAgent = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/agent',
  summary: 'Get the newest values of a server',
  description:
    'With passed thresholds and busiest programs. ' +
    'Values of the hour before its last report. Programs are named without their arguments.',
  tag: 'monitors',
  access: agentAccess.read,
  returns: ok({
    data: z
      .object({
        monitor_id: z.uuid(),
        host: ServerHostView.nullable(),
        last_heard_at: time.nullable(),
        is_silent: z.boolean(),
        metrics: z.array(
          z.object({
            metric: z.enum(serverMetricNames),
            unit: z.string(),
            label: z.string().nullable(),
            value: z.number(),
            at: time,
          }),
        ),
        passed: agent.seen.shape.passed.meta({ description: 'Thresholds that are passed.' }),
        processes: z.array(z.object({ name: z.string(), cpu: z.number(), memory: z.number() })),
        processes_at: time.nullable(),
        thresholds: AgentMonitorView.shape.thresholds,
        no_data_after_minutes: AgentMonitorView.shape.no_data_after_minutes,
      })
      .meta({ id: 'ServerNow' }),
  }),

  async handle({ em, tenant, params, services, now }) {
    const { id } = await findMonitor(em, tenant, params.monitor)
    const [row] = await selectAgents(em, sql`m.tenant_id = ${tenant.id} and m.id = ${id}`)
    if (!row) throw new Refusal(404, 'no_such_check', 'This monitor has no agent check.')
    const { thresholds, no_data_after_minutes } = viewAgent(row)
    const reportedAt = row.last_seen_at === null ? null : Math.min(Date.parse(row.last_seen_at), now.getTime())
    const rows =
      reportedAt === null
        ? []
        : await serverLatest(services.clickhouse, {
            tenant: tenant.id,
            monitor: row.id,
            since: new Date(reportedAt - hourMs),
          })
    return {
      data: {
        monitor_id: row.id,
        host: row.host,
        last_heard_at: row.last_seen_at,
        is_silent: row.reported === 'no_data',
        metrics: rows.flatMap(({ metric, label, last, at_ms }) =>
          isServerMetric(metric)
            ? [
                {
                  metric,
                  unit: serverMetrics[metric].unit,
                  label: label || null,
                  value: last,
                  at: stamp(new Date(at_ms)),
                },
              ]
            : [],
        ),
        passed: row.exceeded,
        processes: row.processes ?? [],
        processes_at: row.processes_at,
        thresholds,
        no_data_after_minutes,
      },
    }
  },
})
