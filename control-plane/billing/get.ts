import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { providerOf } from './context.ts'
import { pricesOf } from './provider.ts'
import { BillingView, readBilling } from './view.ts'

export const getBilling = endpoint({
  method: 'GET',
  path: '/billing',
  summary: 'Get what a team pays for',
  description: 'Plan, status, pending change and payer.',
  access: mayRead,
  underImpersonation: 'refused',
  returns: ok({ data: BillingView }),
  handle: async ({ em, tenant, services }) => ({
    data: await readBilling(em, tenant.id, pricesOf(services), providerOf(services).name),
  }),
})
