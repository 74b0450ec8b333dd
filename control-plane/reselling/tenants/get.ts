import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { loadTenant } from './find.ts'
import { TenantView } from './view.ts'

export const getTenant = endpoint({
  method: 'GET',
  path: '/tenants/{tenant}',
  summary: 'Get a tenant of this installation',
  description: 'For operators. A deleted tenant is shown until it is purged.',
  access: 'super-admin',
  returns: ok({ data: TenantView }),
  handle: async ({ services, params }) => ({ data: await loadTenant(services.platform, params.tenant) }),
})
