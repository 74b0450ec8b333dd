import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { tenantTotals } from '#analytics/queries/tenant-totals.ts'
import { severities } from '#contract/check.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import { shownStatus } from '#control-plane/monitoring/monitors/row.ts'
import { dayMs, uptimeFormula, uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readTotalTime } from '#control-plane/monitoring/statistics/total-time.ts'
import { runIn } from '#control-plane/tenancy/plans/run.ts'
import { CachedCounts } from './cached-counts.ts'

const statuses = ['up', 'down', 'warning', 'paused', 'maintenance', 'pending'] as const
const countsOf = <Name extends string>(names: readonly Name[]) =>
  z.object({ total: z.int(), ...(Object.fromEntries(names.map(name => [name, z.int()])) as Record<Name, z.ZodInt>) })
const pct = z.number().nullable()

const DashboardStats = z
  .object({
    monitors: countsOf(statuses),
    open_incidents: countsOf(severities),
    unacknowledged_incidents: z.int(),
    uptime_24h: pct,
    uptime_7d: pct,
    uptime_30d: pct,
    formula_version: z.int(),
    avg_response_ms: z.number().nullable(),
    checks_24h: z.int(),
  })
  .meta({ id: 'DashboardStats' })

interface OverDays {
  uptimes: (number | null)[]
  avgResponseMs: number | null
  checks: number
}

const cachedCountsOf = perServices(() => new CachedCounts<OverDays>())

export const dashboardStats = endpoint({
  method: 'GET',
  path: '/dashboard/stats',
  summary: 'Get the dashboard statistics of a team',
  description:
    'Uptime is that of the judged time of all monitors together. Monitors without a result are pending. Response ' +
    'times are of the last 24 hours. Monitors and incidents are counted now; sums over days may be a minute old in ' +
    'large teams.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  returns: ok({ data: DashboardStats }),

  async handle({ em, tenant, now, services }) {
    const monitors = await em.execute<{ status: string; count: number }[]>(
      `select coalesce(${shownStatus}, 'pending') as status, count(*)::int as count
       from monitors m where m.tenant_id = ? group by 1`,
      [tenant.id],
    )
    const incidents = await queries(em)
      .selectFrom('incidents')
      .where('tenant_id', '=', tenant.id)
      .where('resolved_at', 'is', null)
      .groupBy('severity')
      .select([
        'severity',
        sql<number>`count(*)::int`.as('count'),
        sql<number>`(count(*) filter (where acknowledged_at is null))::int`.as('fresh'),
      ])
      .execute()
    const {
      uptimes: [uptime24h, uptime7d, uptime30d],
      avgResponseMs,
      checks,
    } = await cachedCountsOf(services).of(tenant.id, () => countOverDays(services, em, tenant, now))
    return {
      data: {
        monitors: counted(
          statuses,
          monitors.map(row => [row.status, row.count]),
        ),
        open_incidents: counted(
          severities,
          incidents.map(row => [row.severity, row.count]),
        ),
        unacknowledged_incidents: incidents.reduce((sum, row) => sum + row.fresh, 0),
        uptime_24h: uptime24h ?? null,
        uptime_7d: uptime7d ?? null,
        uptime_30d: uptime30d ?? null,
        formula_version: uptimeFormula,
        avg_response_ms: avgResponseMs,
        checks_24h: checks,
      },
    }
  },
})

async function countOverDays(
  { clickhouse }: Services,
  em: EntityManager,
  tenant: { id: string },
  now: Date,
): Promise<OverDays> {
  const at = now.getTime()
  const windows = [1, 7, 30].map(days => ({ from: at - days * dayMs, to: at }))
  const [times, [total]] = await Promise.all([
    readTotalTime(runIn(em), tenant, windows),
    tenantTotals(clickhouse, { tenant: tenant.id, from: new Date(at - dayMs), to: now, now }),
  ])
  return {
    uptimes: times.map(uptimePct),
    avgResponseMs: total?.avg_response_ms ?? null,
    checks: total?.total_checks ?? 0,
  }
}

function counted<Name extends string>(names: readonly Name[], rows: readonly (readonly [string, number])[]) {
  const counts = Object.fromEntries(
    names.map(name => [name, rows.find(([known]) => known === name)?.[1] ?? 0]),
  ) as Record<Name, number>
  return { total: rows.reduce((sum, [, count]) => sum + count, 0), ...counts }
}
