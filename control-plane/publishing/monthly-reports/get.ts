import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { zoneFor } from '#control-plane/identity/users/zone.ts'
import { monthAsked, monthQuery } from './month-asked.ts'
import { readMonthlyReport } from './read.ts'
import { MonthlyReportView } from './view.ts'

export const getMonthlyReport = endpoint({
  method: 'GET',
  path: '/monthly-report',
  summary: 'Report a month',
  description:
    'Each monitor’s uptime, downtime and incidents, beside the month before. ' +
    'By default the month that ended last, in the zone asked for. A month has a report once it is over; one that was ' +
    'mailed stays as it was mailed.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: z.object(monthQuery),
  returns: ok({ data: MonthlyReportView }),

  async handle({ em, tenant, caller, query, now, services }) {
    const month = monthAsked(query, await zoneFor(em, caller, query.timezone), now)
    const stores = { db: em, clickhouse: services.clickhouse }
    return { data: (await readMonthlyReport(stores, tenant, month, now)).report }
  },
})
