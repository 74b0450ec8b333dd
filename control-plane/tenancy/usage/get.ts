import { z } from 'zod'
import { tenantTotals } from '#analytics/queries/tenant-totals.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'

const TeamUsage = z
  .object({
    tenant_id: z.uuid(),
    period: z.string().meta({ description: 'YYYY-MM, in UTC' }),
    monitors_count: z.int().meta({ description: 'Monitors made by the end of the period and still there' }),
    checks_count: z.int().meta({ description: 'Looks made in the period, of all checks and regions' }),
    api_requests_count: z.int(),
    notifications_sent_count: z.int(),
    webhook_deliveries_count: z.int(),
  })
  .meta({ id: 'TeamUsage' })

interface Counted {
  monitors: number
  api_requests: number
  notifications_sent: number
  webhook_deliveries: number
}

const sumOf = (metric: string) => `coalesce(sum(count) filter (where metric = '${metric}'), 0)::float8 as ${metric}`

export const getTeamUsage = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/{managed_team}/usage',
  summary: 'Read what a managed team has used in a month',
  description: 'API requests are counted within five seconds.',
  access: { reseller: 'teams:read' },
  query: z.object({
    period: z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-11.')
      .optional(),
  }),
  returns: ok({ data: TeamUsage }),

  async handle({ em, tenant, query, now, services }) {
    const period = query.period ?? now.toISOString().slice(0, 7)
    const from = new Date(`${period}-01T00:00:00Z`)
    if (from > now) throw invalid({ period: ['Must not be in the future.'] })
    const end = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1))
    const to = end < now ? end : now
    const [counted] = await em.execute<Counted[]>(
      `select (select count(*)::int from monitors where tenant_id = ? and created_at < ?) as monitors,
              ${sumOf('api_requests')}, ${sumOf('notifications_sent')}, ${sumOf('webhook_deliveries')}
       from usage_counters where tenant_id = ? and period = ?::date`,
      [tenant.id, end, tenant.id, `${period}-01`],
    )
    const [looks] = await tenantTotals(services.clickhouse, { tenant: tenant.id, from, to, now })
    return {
      data: {
        tenant_id: tenant.id,
        period,
        monitors_count: counted?.monitors ?? 0,
        checks_count: looks?.total_checks ?? 0,
        api_requests_count: counted?.api_requests ?? 0,
        notifications_sent_count: counted?.notifications_sent ?? 0,
        webhook_deliveries_count: counted?.webhook_deliveries ?? 0,
      },
    }
  },
})
