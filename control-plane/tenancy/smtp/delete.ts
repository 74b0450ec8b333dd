import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { adminsOnly } from './access.ts'

export const deleteSmtp = endpoint({
  method: 'DELETE',
  path: '/smtp-config',
  summary: 'Delete a team’s own mail server',
  description: 'Works without the plan feature too.',
  access: adminsOnly,
  returns: noContent,

  async handle({ em, tenant, audit }) {
    const { numDeletedRows } = await queries(em)
      .deleteFrom('smtp_configs')
      .where('tenant_id', '=', tenant.id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) audit('smtp_config.deleted', { type: 'tenant', id: tenant.id }, undefined, 'both')
  },
})
