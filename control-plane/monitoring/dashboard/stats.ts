import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { tenantTotals } from '#analytics/queries/tenant-totals.ts'
import { severities } from '#contract/check.ts'
import { isStoreUnavailable } from '#control-plane/base/away.ts'
import { queries } from '#control-plane/db/queries.ts'
import { historyWaitsField, historyWaitsUntil } from '#control-plane/engine/agents/history-waits.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import { countByStatus, countedStatuses } from '#control-plane/monitoring/monitors/count-by-status.ts'
import { dayMs, uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readTotalTime } from '#control-plane/monitoring/statistics/total-time.ts'
import { FormulaVersion, formulaOf } from '#control-plane/monitoring/statistics/uptime-formula.ts'
import { CachedCounts } from './cached-counts.ts'

const countsOf = <Name extends string>(names: readonly Name[]) =>
  z.object({ total: z.int(), ...(Object.fromEntries(names.map(name => [name, z.int()])) as Record<Name, z.ZodInt>) })
const pct = z.number().nullable()

const DashboardStats = z
  .object({
    monitors: countsOf(countedStatuses),
    open_incidents: countsOf(severities),
    unacknowledged_incidents: z.int(),
    uptime_24h: pct,
    uptime_7d: pct,
    uptime_30d: pct,
    formula_version: FormulaVersion,
    avg_response_ms: z.number().nullable(),
    checks_24h: z.int().nullable().meta({ description: '`null` while the history cannot be read.' }),
    history_waits_since: historyWaitsField,
  })
  .meta({ id: 'DashboardStats' })

interface OverDays {
  uptimes: (number | null)[]
}

/** Of the last 24 hours. */
interface Totals {
  avgResponseMs: number | null
  checks: number | null
}

const cachedOf = perServices(() => ({ days: new CachedCounts<OverDays>(), totals: new CachedCounts<Totals>() }))

export const dashboardStats = endpoint({
  method: 'GET',
  path: '/dashboard/stats',
  summary: 'Get the dashboard statistics of a team',
  description:
    'Uptime is that of the judged time of all monitors together. Monitors whose state is unknown are pending. ' +
    'Response times are of the last 24 hours. Monitors and incidents are counted now; sums over days may be a minute ' +
    'old in large teams.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  returns: ok({ data: DashboardStats }),

  async handle({ em, tenant, now, services }) {
    const monitors = await countByStatus(em)
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
    const cached = cachedOf(services)
    const [{ uptimes }, { avgResponseMs, checks }] = await Promise.all([
      cached.days.of(tenant.id, () => countOverDays(em, tenant, now)),
      // incidents and uptime are shown without it
      cached.totals
        .of(tenant.id, () => countTotals(services, tenant, now))
        .catch((error): Totals => {
          if (!isStoreUnavailable(error)) throw error
          services.log.warn({ err: error }, 'dashboard totals read failure')
          return { avgResponseMs: null, checks: null }
        }),
    ])
    const [uptime24h, uptime7d, uptime30d] = uptimes
    return {
      data: {
        monitors,
        open_incidents: counted(
          severities,
          incidents.map(row => [row.severity, row.count]),
        ),
        unacknowledged_incidents: incidents.reduce((sum, row) => sum + row.fresh, 0),
        uptime_24h: uptime24h ?? null,
        uptime_7d: uptime7d ?? null,
        uptime_30d: uptime30d ?? null,
        formula_version: await formulaOf(em, now.getTime() - 30 * dayMs),
        avg_response_ms: avgResponseMs,
        checks_24h: checks,
        history_waits_since: await historyWaitsUntil(em, now),
      },
    }
  },
})

async function countOverDays(em: EntityManager, tenant: { id: string }, now: Date): Promise<OverDays> {
  const at = now.getTime()
  const windows = [1, 7, 30].map(days => ({ from: at - days * dayMs, to: at }))
  return { uptimes: (await readTotalTime(em, tenant, windows)).map(uptimePct) }
}

async function countTotals({ clickhouse }: Services, tenant: { id: string }, now: Date): Promise<Totals> {
  const [total] = await tenantTotals(clickhouse, {
    tenant: tenant.id,
    from: new Date(now.getTime() - dayMs),
    to: now,
    now,
  })
  return { avgResponseMs: total?.avg_response_ms ?? null, checks: total?.total_checks ?? 0 }
}

function counted<Name extends string>(names: readonly Name[], rows: readonly (readonly [string, number])[]) {
  const counts = Object.fromEntries(
    names.map(name => [name, rows.find(([known]) => known === name)?.[1] ?? 0]),
  ) as Record<Name, number>
  return { total: rows.reduce((sum, [, count]) => sum + count, 0), ...counts }
}
