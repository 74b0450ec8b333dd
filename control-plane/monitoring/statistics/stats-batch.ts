import { z } from 'zod'
import { RecentTimes } from '#analytics/queries/response-times.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { perServices } from '#control-plane/http/services.ts'
import { type Run, runIn, runOn } from '#control-plane/tenancy/plans/run.ts'
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
  description: [
    'One entry for each monitor that was named, in that order. A monitor named twice is listed once; a monitor of',
    'another tenant is left out.',
    'A reseller’s token that names no team reads the monitors of all its teams.',
    'total_checks counts the results of all checks from all regions, avg_response_ms those of the uptime check;',
    'both may be five seconds old, and late results are counted within five minutes.',
  ].join(' '),
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  reads: true,
  body: z.object({ monitor_ids: ids }),
  returns: ok({
    data: z.array(
      z.object({
        monitor_id: z.uuid(),
        uptime_30d: z.number().nullable(),
        avg_response_ms: z.number().nullable(),
        total_checks: z.int(),
      }),
    ),
  }),

  async handle({ em, tenant, caller, body, now, services }) {
    const window = { from: now.getTime() - 30 * dayMs, to: now.getTime() }
    const isAcrossTeams = caller.kind === 'rk' && tenant.id === caller.tenant.id
    const run = isAcrossTeams ? runOn(services.platform) : runIn(em)
    const named = body.monitor_ids
    const owners = isAcrossTeams ? await ownersOf(run, tenant.id, named) : new Map(named.map(id => [id, tenant.id]))
    const [judged, recentTimes] = await Promise.all([
      readJudgedTime(run, [...new Set(owners.values())], [...owners.keys()], [window]),
      timesOf(services).of({ owners, from: new Date(window.from), now }),
    ])
    return {
      data: body.monitor_ids.flatMap(id => {
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
      }),
    }
  },
})

/** The response times of this process, cached for all who ask. */
export const timesOf = perServices(services => new RecentTimes(services.clickhouse))

/**
 * A statement over several tenants, so it runs as the platform and not under one tenant's row security. It finds only
 * monitors of the reseller and of its teams that are not deleted, and only monitors that it finds are read.
 */
const owned = `
  select m.id, m.tenant_id from monitors m join tenants n on n.id = m.tenant_id and n.deleted_at is null
  where m.id = any(?::uuid[]) and (m.tenant_id = ? or exists (
    select 1 from managed_teams t where t.tenant_id = m.tenant_id and t.reseller_id = ? and t.deleted_at is null))`

async function ownersOf(run: Run, resellerId: string, monitors: readonly string[]): Promise<Map<string, string>> {
  const rows = await run<Row<'monitors', 'id' | 'tenant_id'>>(owned, [`{${monitors.join()}}`, resellerId, resellerId])
  return new Map(rows.map(({ id, tenant_id }) => [id, tenant_id]))
}
