import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { readersZone, zoneFor } from '#control-plane/identity/users/zone.ts'
import { readBranding } from '#control-plane/tenancy/branding/row.ts'
import { readEffective } from '#control-plane/tenancy/branding/view.ts'
import { reportLanguage } from './details.ts'
import { monitorDocument } from './monitor-document.ts'
import { renderReport } from './pdf/render.ts'
import { languageQuery, reportLimit, reportPdf } from './pdf-reply.ts'
import { daysDescription, daysQuery, requestedDays } from './period.ts'

export const monitorReportPdf = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/report.pdf',
  summary: 'Get the report of a monitor as a PDF',
  description:
    `With the figures of \`/monitors/{monitor}/report\`, incidents and their proof. ${daysDescription} ` +
    'Times of day are those of `timezone`.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: z.object({ ...daysQuery, ...languageQuery, timezone: readersZone }),
  returns: reportPdf,
  limit: reportLimit,
  finish: renderReport,

  async handle(context) {
    const { em, tenant, caller, params, query, now, services } = context
    const branding = await readEffective(context, await readBranding(em, tenant))
    const language = reportLanguage(query.language, caller.user)
    const days = requestedDays(query, now)
    const timezone = await zoneFor(em, caller, query.timezone)
    const wanted = { tenant, monitorId: params.monitor, days, language, timezone, branding, now }
    return monitorDocument(em, services, wanted)
  },
})
