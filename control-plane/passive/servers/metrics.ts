import { z } from 'zod'
import { serverSeries } from '#analytics/queries/server-series.ts'
import { serverHoursBefore } from '#analytics/server-hours.ts'
import { Sentence } from '#contract/sentence.ts'
import { isServerMetric, serverMetricNames, serverMetrics } from '#contract/server-agent.ts'
import { stamp } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, moment } from '#control-plane/http/page.ts'
import { ok } from '#control-plane/http/reply.ts'
import { bucketNames, buckets, maxPoints, readSpan } from '#control-plane/monitoring/results/series.ts'
import { agentAccess } from './access.ts'
import { findAgent } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
const earliest = Date.UTC(2000, 0, 1)
const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const getAgentMetrics = endpoint({
  method: 'GET',
  path: '/agent-monitors/{agent_monitor}/metrics',
  summary: 'Get the metrics of a server over time',
  description: 'Mean and highest value of each bucket; buckets without values have no point. Cores are averaged.',
  access: agentAccess.read,
  query: z.object({
    from: moment.optional().meta({ description: 'By default a day before `to`.' }),
    to: moment.optional().meta({ description: 'By default now.' }),
    resolution: z
      .enum(bucketNames)
      .meta({ id: 'Resolution' })
      .optional()
      .meta({ description: 'By default what fits the span.' }),
    metrics: commaList(serverMetricNames).optional().meta({ description: 'By default all.' }),
  }),
  returns: ok({
    data: z.array(
      z
        .object({
          metric: z.enum(serverMetricNames),
          unit: z.string(),
          label: z.string().nullable().meta({ description: 'The mount, interface, device or sensor.' }),
          points: z.array(z.object({ at: time, mean: z.number(), highest: z.number() })),
        })
        .meta({ id: 'ServerSeries' }),
    ),
    meta: z.object({ from: time, to: time, resolution: z.enum(bucketNames) }),
  }),

  async handle({ em, tenant, params, query, now, services }) {
    const { id } = await findAgent(em, tenant, params.agent_monitor)
    const metrics = query.metrics && query.metrics.length > 0 ? [...new Set(query.metrics)] : serverMetricNames
    const { from, to, bucket } = readSpan(
      { from: query.from, to: query.to, bucket: query.resolution } as Parameters<typeof readSpan>[0],
      now,
      metrics.length,
    )
    const meta = { from: stamp(from), to: stamp(to), resolution: bucket }
    const [since, until] = [Math.max(from.getTime(), earliest), Math.min(to.getTime(), now.getTime() + dayMs)]
    if (since >= until) return { data: [], meta }
    const rows = await serverSeries(services.clickhouse, {
      tenant: tenant.id,
      monitor: id,
      metrics: [...metrics],
      from: new Date(since),
      to: new Date(until),
      computed: new Date(buckets[bucket].stepMs >= hourMs ? serverHoursBefore(now.getTime()) : earliest),
      bucket_s: buckets[bucket].stepMs / 1_000,
      most: maxPoints + 1,
    })
    if (rows.length > maxPoints)
      throw invalid({
        resolution: [
          new Sentence(
            'An answer has at most {n} points: take a coarser resolution, a shorter span or fewer metrics.',
            { n: maxPoints },
          ),
        ],
      })
    const series = Map.groupBy(rows, row => `${row.metric} ${row.of}`)
    return {
      data: [...series.values()].flatMap(points => {
        const { metric, of } = points[0]!
        if (!isServerMetric(metric)) return []
        const unit = serverMetrics[metric].unit
        return [
          {
            metric,
            unit,
            label: of || null,
            points: points.map(({ start_ms, mean, highest }) => ({ at: stamp(new Date(start_ms)), mean, highest })),
          },
        ]
      }),
      meta,
    }
  },
})
