import { z } from 'zod'
import { RecentTimes } from '#analytics/queries/response-times.ts'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { perServices } from '#control-plane/kernel/services.ts'
import { runIn } from '#control-plane/tenancy/plans/run.ts'
import { dayMs, uptimePct } from './judged-time.ts'
import { readJudgedTime } from './read-judged.ts'

const maxMonitors = 200

const ids = z
  .array(z.uuid())
  .min(1)
  .max(1_000)
  .transform(given => [...new Set(given.map(id => id.toLowerCase()))])
  .refine(given => given.length <= maxMonitors, `At most ${maxMonitors} different monitors can be asked for.`)

export const statsBatch = endpoint({
  method: 'POST',
  path: '/monitors/stats-batch',
  summary: 'Read uptime and response time of up to 200 monitors over thirty days',
  description:
    'One entry for each monitor of yours that was named, in that order; a monitor named twice comes once, a foreign one not at all. total_checks counts the looks of all checks from all regions, avg_response_ms those of the uptime check; both may be five seconds old, and what arrives late is counted within five minutes.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  reads: true,
  body: z.object({ monitor_ids: ids }),
  returns: ok({
    data: z.array(z.object({ monitor_id: z.uuid(), uptime_30d: z.number().nullable(), avg_response_ms: z.number().nullable(), total_checks: z.int() })),
  }),

  async handle({ em, tenant, body, now, services }) {
    const window = { from: now.getTime() - 30 * dayMs, to: now.getTime() }
    const [judged, looks] = await Promise.all([
      readJudgedTime(runIn(em), tenant, body.monitor_ids, [window]),
      timesOf(services).of({ tenant: tenant.id, monitors: body.monitor_ids, from: new Date(window.from), now }),
    ])
    return {
      data: body.monitor_ids.flatMap(id => {
        const known = judged.get(id)
        if (!known) return []
        const times = looks.get(id) ?? []
        const own = times.find(({ check_id }) => check_id === known.check)
        return {
          monitor_id: id,
          uptime_30d: uptimePct(known.times[0]!),
          avg_response_ms: own && own.timed > 0 ? Math.round(own.time_us / own.timed / 100) / 10 : null,
          total_checks: times.reduce((sum, { total_checks }) => sum + total_checks, 0),
        }
      }),
    }
  },
})

const timesOf = perServices(services => new RecentTimes(services.clickhouse))
