import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { mayWrite } from './access.ts'
import { findDomain } from './row.ts'

export const deleteCustomDomain = endpoint({
  method: 'DELETE',
  path: '/custom-domains/{custom_domain}',
  summary: 'Delete a custom domain',
  description: 'The page is not served there any more. Added again, the hostname needs a new TXT record.',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const { id, hostname } = await findDomain(em, tenant, params.custom_domain)
    await queries(em).deleteFrom('custom_domains').where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
    audit('custom_domain.deleted', { type: 'custom_domain', id }, { hostname })
  },
})
