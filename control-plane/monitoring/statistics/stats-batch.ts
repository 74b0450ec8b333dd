import { z } from 'zod'
import { RecentTimes } from '#analytics/queries/response-times.ts'
import type { Db } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import { dayMs, uptimePct } from './judged-time.ts'
import { monitorIds, namedMonitors, ownersOfNamed } from './named-monitors.ts'
import { readJudgedTime } from './read-judged.ts'

export const MonitorStats = z.object({
  monitor_id: z.uuid(),
  uptime_30d: z.number().nullable(),
  avg_response_ms: z.number().nullable(),
  total_checks: z.int(),
})

export const statsBatch = endpoint({
  method: 'POST',
  path: '/monitors/stats-batch',
  summary: 'Read uptime and response time of many monitors',
  description: [
    'Of up to 200 monitors, over thirty days.',
    namedMonitors,
    'total_checks counts the results of all checks from all regions, avg_response_ms those of the uptime check;',
    'both may be five seconds old, and late results are counted within five minutes.',
  ].join(' '),
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  reads: true,
  body: z.object({ monitor_ids: monitorIds }),
  returns: ok({
    data: z.array(MonitorStats),
  }),

  async handle(context) {
    const { body, now, services } = context
    const named = await ownersOfNamed(context, body.monitor_ids)
    return { data: await readStats(services, { ...named, now }, body.monitor_ids) }
  },
})

/** What is known of monitors over thirty days, in the order of `ids`. `owners`: the tenant of each. */
export async function readStats(
  services: Services,
  { db, owners, now }: { db: Db; owners: Map<string, string>; now: Date },
  ids: readonly string[],
): Promise<z.input<typeof MonitorStats>[]> {
  const window = { from: now.getTime() - 30 * dayMs, to: now.getTime() }
  const [judged, recentTimes] = await Promise.all([
    readJudgedTime(db, [...new Set(owners.values())], [...owners.keys()], [window]),
    timesOf(services).of({ owners, from: new Date(window.from), now }),
  ])
  return ids.flatMap(id => {
    const known = judged.get(id)
    if (!known) return []
    const times = recentTimes.get(id) ?? []
    const own = times.find(({ check_id }) => check_id === known.check)
    return {
      monitor_id: id,
      uptime_30d: uptimePct(known.times[0]!),
      avg_response_ms: own && own.timed > 0 ? Math.round(own.time_us / own.timed / 100) / 10 : null,
      total_checks: times.reduce((sum, { total_checks }) => sum + total_checks, 0),
    }
  })
}

/** The response times of this process, cached for all who ask. */
export const timesOf = perServices(services => new RecentTimes(services.clickhouse))
