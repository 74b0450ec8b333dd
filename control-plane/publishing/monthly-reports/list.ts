import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { monthAt } from '#control-plane/identity/digest/month.ts'
import { timezone } from '#control-plane/identity/users/input.ts'
import { MonthView } from './view.ts'

const most = 24

export const listMonthlyReports = endpoint({
  method: 'GET',
  path: '/monthly-reports',
  summary: 'List the months that have a report, newest first',
  description: `A month has one once it is over, from that on in which the team was made: the last ${most} of them.`,
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: offsetQuery().extend({ timezone: timezone.default('UTC') }),
  returns: offsetPage(MonthView),

  async handle({ em, tenant, query, now, url }) {
    const [team] = await em.execute<{ made_ms: number }[]>(
      'select extract(epoch from created_at)::float8 * 1000 as made_ms from tenants where id = ?',
      [tenant.id],
    )
    const made = team?.made_ms ?? now.getTime()
    const months = Array.from({ length: most }, (_, index) => monthAt(now, query.timezone, -1 - index)).filter(
      ({ to }) => to.getTime() > made,
    )
    const views = months.map(({ from, to, ...month }) => ({
      ...month,
      from: stamp(from),
      to: stamp(to),
      status: 'ready' as const,
    }))
    return partOf(views, query, url)
  },
})
