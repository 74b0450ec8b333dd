import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { findDomain } from './row.ts'
import { CustomDomainView, viewDomain } from './view.ts'

export const getCustomDomain = endpoint({
  method: 'GET',
  path: '/custom-domains/{custom_domain}',
  summary: 'Get a custom domain',
  access: mayRead,
  returns: ok({ data: CustomDomainView }),
  handle: async ({ em, tenant, params, services }) => ({
    data: viewDomain(await findDomain(em, tenant, params.custom_domain), services.config.baseUrl),
  }),
})
