import { z } from 'zod'
import { describedResellerScopes } from '#contract/scope-descriptions.ts'
import { resellerScopes } from '#contract/scopes.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'

const answer = Object.freeze({ data: describedResellerScopes })

export const listResellerScopes = endpoint({
  method: 'GET',
  path: '/reseller/tokens/scopes',
  summary: 'List the scopes of reseller tokens',
  description: 'Twelve domains, each to read, to write, and to manage, which is both. For every reseller token.',
  access: { reseller: 'any' },
  detached: true,
  returns: ok({ data: z.array(z.object({ value: z.enum(resellerScopes), description: z.string() })) }),

  handle: () => answer,
})
