import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { shortUnit } from '#control-plane/monitoring/checks/check-endpoint.ts'
import { withResults } from './results.ts'
import { findGeoAudit } from './row.ts'
import { GeoAuditView, viewGeoAudit } from './view.ts'

export const getGeoAudit = endpoint({
  method: 'GET',
  path: '/geo-audits/{geo_audit}',
  summary: 'Get a geo audit with the result of each region',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  detached: true,
  returns: ok({ data: GeoAuditView }),

  async handle(context) {
    const { tenant, params, services, requestId } = context
    const row = await shortUnit(context, requestId, em => findGeoAudit(em, tenant, params.geo_audit))
    return { data: viewGeoAudit(await withResults(services, tenant.id, row)) }
  },
})
