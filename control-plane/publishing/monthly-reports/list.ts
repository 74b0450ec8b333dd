import { sql } from 'kysely'
import { stamp } from '#contract/time.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { monthAt } from '#control-plane/identity/digest/month.ts'
import { readersZone, zoneFor } from '#control-plane/identity/users/zone.ts'
import { MonthView } from './view.ts'

const most = 24

export const listMonthlyReports = endpoint({
  method: 'GET',
  path: '/monthly-reports',
  summary: 'List the months that have a report, newest first',
  description: `A month has one once it is over, from that on in which the team was made: the last ${most} of them.`,
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: offsetQuery().extend({ timezone: readersZone }),
  returns: offsetPage(MonthView),

  async handle({ em, tenant, caller, query, now, url }) {
    const zone = await zoneFor(em, caller, query.timezone)
    const team = await queries(em)
      .selectFrom('tenants')
      .where('id', '=', tenant.id)
      .select(({ ref }) => sql<number>`extract(epoch from ${ref('created_at')})::float8 * 1000`.as('created_ms'))
      .executeTakeFirst()
    const createdMs = team?.created_ms ?? now.getTime()
    const months = Array.from({ length: most }, (_, index) => monthAt(now, zone, -1 - index)).filter(
      ({ to }) => to.getTime() > createdMs,
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
