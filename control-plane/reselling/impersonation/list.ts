import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { ImpersonationTokenView, livingTokens } from './living.ts'

export const listImpersonationTokens = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/{managed_team}/impersonation-tokens',
  summary: 'List the impersonation tokens of a team that work at this moment',
  access: { reseller: 'teams:write' },
  returns: ok({ data: z.array(ImpersonationTokenView) }),

  async handle({ em, tenant, caller, now }) {
    return { data: await livingTokens(em, { tenant, reseller: caller.tenant }, now) }
  },
})
