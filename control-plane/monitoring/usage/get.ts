import { sql } from 'kysely'
import { z } from 'zod'
import { tenantTotals } from '#analytics/queries/tenant-totals.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'

const TeamUsage = z
  .object({
    tenant_id: z.uuid(),
    period: z.string().meta({ description: 'YYYY-MM, in UTC' }),
    monitors_count: z.int().meta({ description: 'Monitors created by the end of the period that still exist' }),
    checks_count: z.int().meta({ description: 'Runs in the period, of all checks and regions' }),
    api_requests_count: z.int(),
    notifications_sent_count: z.int().meta({ description: 'Through the channels of the team itself' }),
    webhook_deliveries_count: z.int().meta({
      description:
        'To webhooks of the team itself. Deliveries about the team to the reseller’s webhooks are in no team’s usage',
    }),
  })
  .meta({ id: 'TeamUsage' })

export const getTeamUsage = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/{managed_team}/usage',
  summary: 'Get a managed team’s usage in a month',
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
    const counted = await queries(em)
      .selectFrom('usage_counters as n')
      .where('n.tenant_id', '=', tenant.id)
      .where('n.period', '=', `${period}-01`)
      .select(({ ref, selectFrom }) => {
        const sumOf = (metric: string) =>
          sql<number>`coalesce(sum(${ref('n.count')}) filter (where ${ref('n.metric')} = ${metric}), 0)::float8`
        return [
          selectFrom('monitors as m')
            .where('m.tenant_id', '=', tenant.id)
            .where('m.created_at', '<', end.toISOString())
            .select(total)
            .$asScalar()
            .as('monitors'),
          sumOf('api_requests').as('api_requests'),
          sumOf('notifications_sent').as('notifications_sent'),
          sumOf('webhook_deliveries').as('webhook_deliveries'),
        ]
      })
      .executeTakeFirstOrThrow()
    const [runs] = await tenantTotals(services.clickhouse, { tenant: tenant.id, from, to, now })
    return {
      data: {
        tenant_id: tenant.id,
        period,
        monitors_count: counted.monitors ?? 0,
        checks_count: runs?.total_checks ?? 0,
        api_requests_count: counted.api_requests,
        notifications_sent_count: counted.notifications_sent,
        webhook_deliveries_count: counted.webhook_deliveries,
      },
    }
  },
})
