import { z } from 'zod'
import { readMonth } from '#control-plane/alerting/digest/month-content.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { monthAt, monthNamed } from '#control-plane/identity/digest/month.ts'
import { timezone } from '#control-plane/identity/users/input.ts'
import { runIn } from '#control-plane/tenancy/plans/run.ts'
import { MonthlyReportView, monthName } from './view.ts'

export const getMonthlyReport = endpoint({
  method: 'GET',
  path: '/monthly-report',
  summary: 'Report a month: each monitor’s uptime, downtime and incidents, beside the month before',
  description: 'By default the month that ended last, as it is counted in UTC. A month has a report once it is over.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: z.object({ month: monthName.optional(), timezone: timezone.default('UTC') }),
  returns: ok({ data: MonthlyReportView }),

  async handle({ em, tenant, query, now }) {
    const month = query.month === undefined ? monthAt(now, query.timezone, -1) : monthNamed(query.month, query.timezone)
    if (month.to > now) throw invalid({ month: ['Is not over yet.'] }, 'month_not_over')
    return { data: await readMonth(runIn(em), tenant, month) }
  },
})
