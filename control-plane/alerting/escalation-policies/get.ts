import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { findPolicy, readSteps } from './rows.ts'
import { PolicyView, viewPolicy } from './view.ts'

export const getPolicy = endpoint({
  method: 'GET',
  path: '/escalation-policies/{escalation_policy}',
  summary: 'Get an escalation policy',
  access: mayRead,
  returns: ok({ data: PolicyView }),

  async handle({ em, tenant, params }) {
    const row = await findPolicy(em, tenant, params.escalation_policy)
    return { data: viewPolicy(row, (await readSteps(em, [row.id])).get(row.id)) }
  },
})
