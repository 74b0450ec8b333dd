import { z } from 'zod'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'

export const auditFilters = endpoint({
  method: 'GET',
  path: '/audit-log/filters',
  summary: 'List the actions and entity types present in the log',
  access: { tenant: 'settings:read', reseller: 'teams:read' },
  returns: ok({ data: z.object({ actions: z.array(z.string()), entity_types: z.array(z.string()) }) }),

  async handle({ em, tenant }) {
    const entries = queries(em).selectFrom('audit_entries').where('tenant_id', '=', tenant.id)
    const rows = await entries.select(['action', 'entity_type']).distinct().execute()
    const sorted = (values: string[]) => [...new Set(values)].sort()
    return {
      data: { actions: sorted(rows.map(row => row.action)), entity_types: sorted(rows.map(row => row.entity_type)) },
    }
  },
})
