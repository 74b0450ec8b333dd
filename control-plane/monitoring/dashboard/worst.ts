import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { among, queries, type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { perServices } from '#control-plane/http/services.ts'
import { dayMs, uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readJudgedTime } from '#control-plane/monitoring/statistics/read-judged.ts'
import { MonitorStats, readStats } from '#control-plane/monitoring/statistics/stats-batch.ts'
import { CachedCounts } from './cached-counts.ts'

const most = 20
const worstIdsOf = perServices(() => new CachedCounts<string[]>())

export const worstMonitors = endpoint({
  method: 'GET',
  path: '/dashboard/worst-monitors',
  summary: 'List the monitors with the lowest uptime of thirty days',
  description:
    'Of all monitors of the team; those that were never down are left out. The lowest uptime comes first, of equals ' +
    'the slower one. Which monitors they are may be a minute old in large teams.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: z.object({ limit: z.coerce.number().int().min(1).max(most).default(5) }),
  returns: ok({ data: z.array(MonitorStats.extend({ name: z.string() })) }),

  async handle({ em, tenant, query, now, services }) {
    const ids = await worstIdsOf(services).of(tenant.id, () => findWorst(em, tenant, now))
    if (ids.length === 0) return { data: [] }
    const named = queries(em).selectFrom('monitors').where('tenant_id', '=', tenant.id).where('id', '=', among(ids))
    const names = new Map((await named.select(['id', 'name']).execute()).map(row => [row.id, row.name]))
    const owners = new Map([...names.keys()].map(id => [id, tenant.id]))
    const stats = await readStats(services, { db: em, owners, now }, [...names.keys()])
    const imperfect = stats.flatMap(row =>
      row.uptime_30d !== null && row.uptime_30d < 100 ? [{ ...row, name: names.get(row.monitor_id) ?? '' }] : [],
    )
    return { data: imperfect.sort(byUptime).slice(0, query.limit) }
  },
})

type Ranked = Pick<z.input<typeof MonitorStats>, 'uptime_30d' | 'avg_response_ms'>
const byUptime = (a: Ranked, b: Ranked) =>
  (a.uptime_30d ?? 100) - (b.uptime_30d ?? 100) || (b.avg_response_ms ?? 0) - (a.avg_response_ms ?? 0)

async function findWorst(em: EntityManager, tenant: { id: string }, now: Date): Promise<string[]> {
  const window = { from: now.getTime() - 30 * dayMs, to: now.getTime() }
  const from = new Date(window.from)
  // monitors that were down at some time: all others are at 100 or without data
  const everDown = await rows(em)<Row<'monitors', 'id'>>`select m.id from monitors m
    where m.tenant_id = ${tenant.id} and (
      exists (
        select from monitor_changes v
        where v.tenant_id = m.tenant_id and v.monitor_id = m.id and v.at > ${from} and v.verdict = 'down'
      ) or (
        select v.verdict from monitor_changes v
        where v.tenant_id = m.tenant_id and v.monitor_id = m.id and v.at <= ${from}
        order by v.at desc limit 1
      ) = 'down'
    )`
  const ids = everDown.map(({ id }) => id)
  const judged = await readJudgedTime(em, [tenant.id], ids, [window])
  return [...judged]
    .flatMap(([id, { times }]) => {
      const pct = uptimePct(times[0]!)
      return pct === null || pct === 100 ? [] : [{ id, pct }]
    })
    .sort((a, b) => a.pct - b.pct)
    .slice(0, 2 * most)
    .map(({ id }) => id)
}
