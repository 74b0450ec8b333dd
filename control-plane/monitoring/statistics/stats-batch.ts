import { z } from 'zod'
import { responseTimes } from '#analytics/queries/response-times.ts'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { ok } from '#control-plane/kernel/reply.ts'
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
    'One entry for each monitor of yours that was named, in that order; a monitor named twice comes once, a foreign one not at all. total_checks counts the looks of all checks from all regions, avg_response_ms those of the uptime check.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  body: z.object({ monitor_ids: ids }),
  returns: ok({
    data: z.array(z.object({ monitor_id: z.uuid(), uptime_30d: z.number().nullable(), avg_response_ms: z.number().nullable(), total_checks: z.int() })),
  }),

  async handle({ em, tenant, body, now, services }) {
    const window = { from: now.getTime() - 30 * dayMs, to: now.getTime() }
    const [judged, looks] = await Promise.all([
      readJudgedTime(em, tenant, body.monitor_ids, [window]),
      responseTimes(services.clickhouse, { tenant: tenant.id, monitors: body.monitor_ids, from: new Date(window.from), to: now, now }),
    ])
    const looksOf = Map.groupBy(looks, look => look.monitor_id)
    return {
      data: body.monitor_ids.flatMap(id => {
        const known = judged.get(id)
        if (!known) return []
        const looks = looksOf.get(id) ?? []
        return {
          monitor_id: id,
          uptime_30d: uptimePct(known.times[0]!),
          avg_response_ms: looks.find(look => look.check_id === known.check)?.avg_response_ms ?? null,
          total_checks: looks.reduce((sum, look) => sum + look.total_checks, 0),
        }
      }),
    }
  },
})
