import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { readPolicy, SecurityPolicyView, viewPolicy } from './row.ts'

export const getSecurityPolicy = endpoint({
  method: 'GET',
  path: '/security-policy',
  summary: 'Get the rules of signing in to a team',
  access: { tenant: 'settings:read', reseller: 'sso:read' },
  returns: ok({ data: SecurityPolicyView }),

  handle: async ({ em, tenant }) => ({ data: await viewPolicy(em, tenant, await readPolicy(em, tenant)) }),
})
