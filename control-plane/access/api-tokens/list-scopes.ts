import { z } from 'zod'
import { describedTenantScopes } from '#contract/scope-descriptions.ts'
import { tenantScopes } from '#contract/scopes.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'

export const listTenantScopes = endpoint({
  method: 'GET',
  path: '/api-tokens/scopes',
  summary: 'List the scopes of personal tokens and API keys',
  access: 'session',
  detached: true,
  returns: ok({ data: z.array(z.object({ value: z.enum(tenantScopes), description: z.string() })) }),

  handle: () => ({ data: describedTenantScopes }),
})
