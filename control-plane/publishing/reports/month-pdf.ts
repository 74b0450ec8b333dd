import { z } from 'zod'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { zoneFor } from '#control-plane/identity/users/zone.ts'
import { monthQuery, monthSoFar } from '#control-plane/publishing/monthly-reports/month-asked.ts'
import { readBranding } from '#control-plane/tenancy/branding/row.ts'
import { readEffective } from '#control-plane/tenancy/branding/view.ts'
import { reportLanguage } from './details.ts'
import { monthDocument } from './month-document.ts'
import type { ReportDocument } from './pdf/document.ts'
import { renderReport } from './pdf/render.ts'
import { languageQuery, reportLimit, reportPdf } from './pdf-reply.ts'

const query = z.object({ ...monthQuery, ...languageQuery })
const description =
  'With the figures of `/monthly-report`, the days, incidents and their proof. By default the current month so far.'

export const monthlyReportPdf = endpoint({
  method: 'GET',
  path: '/monthly-report.pdf',
  summary: 'Get the report of a month as a PDF',
  description,
  tag: 'monthly-report',
  access: { tenant: 'monitors:read' },
  query,
  returns: reportPdf,
  limit: reportLimit,
  finish: renderReport,
  handle: context => readDocument(context, context.query),
})

export const teamReportPdf = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/{managed_team}/report.pdf',
  summary: 'Get the report of a team’s month as a PDF',
  description: `${description} One of the two scopes is enough.`,
  access: { reseller: ['teams:read', 'monitors:read'] },
  query,
  returns: reportPdf,
  limit: reportLimit,
  finish: renderReport,
  handle: context => readDocument(context, context.query),
})

async function readDocument(
  context: Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'now' | 'services'>,
  asked: z.output<typeof query>,
): Promise<ReportDocument> {
  const { em, tenant, caller, now, services } = context
  const month = monthSoFar(asked, await zoneFor(em, caller, asked.timezone), now)
  const branding = await readEffective(context, await readBranding(em, tenant))
  const language = reportLanguage(asked.language, caller.user)
  const stores = { db: em, clickhouse: services.clickhouse }
  return monthDocument(stores, { tenant, month, isSoFar: month.isSoFar, language, branding, now })
}
