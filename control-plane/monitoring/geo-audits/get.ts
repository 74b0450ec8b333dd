import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { shortUnit } from '#control-plane/monitoring/checks/verb.ts'
import { withResults } from './results.ts'
import { findGeoAudit } from './row.ts'
import { GeoAuditView, viewGeoAudit } from './view.ts'

export const getGeoAudit = endpoint({
  method: 'GET',
  path: '/geo-audits/{geo_audit}',
  summary: 'Read what each region saw in a geo audit',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  detached: true,
  returns: ok({ data: GeoAuditView }),

  async handle(facts) {
    const { tenant, params, services, requestId } = facts
    const row = await shortUnit(facts, requestId, em => findGeoAudit(em, tenant, params.geo_audit))
    return { data: viewGeoAudit(await withResults(services, tenant.id, row)) }
  },
})
