import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { adminsOnly } from './access.ts'

export const deleteSmtp = endpoint({
  method: 'DELETE',
  path: '/smtp-config',
  summary: 'Forget a team’s own mail server',
  description: 'Also where the plan no longer includes one.',
  access: adminsOnly,
  returns: noContent,

  async handle({ em, tenant, audit }) {
    const gone = await em.execute<unknown[]>('delete from smtp_configs where tenant_id = ? returning 1', [tenant.id])
    if (gone.length > 0) audit('smtp_config.deleted', { type: 'tenant', id: tenant.id }, undefined, 'both')
  },
})
