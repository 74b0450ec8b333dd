import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite } from './access.ts'
import { changing, providerOf } from './context.ts'
import { type BillingContext, type Provider, pricesOf } from './provider.ts'
import { BillingView, readBilling } from './view.ts'

const returns = ok({ data: BillingView })

/** Changes billing through the provider of this installation, and returns how it is then. */
async function change(
  request: Parameters<typeof changing>[0],
  act: (provider: Provider, context: BillingContext) => Promise<void>,
) {
  const { services, tenant } = request
  const provider = providerOf(services)
  await act(provider, await changing(request))
  return { data: await readBilling(services.platform, tenant.id, pricesOf(services), provider.name) }
}

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/billing/cancel',
  summary: 'Cancel the subscription of a team',
  description: 'The free plan applies from the end of the period, or from now. What was paid is not paid back.',
  access: mayWrite,
  underImpersonation: 'refused',
  detached: true,
  body: z.object({ at: z.enum(['now', 'period_end']).default('period_end') }),
  returns,
  handle: request => change(request, (provider, context) => provider.cancel(context, request.body.at === 'now')),
})

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/billing/resume',
  summary: 'Resume a subscription that was to end with its period',
  access: mayWrite,
  underImpersonation: 'refused',
  detached: true,
  returns,
  handle: request => change(request, (provider, context) => provider.keep(context, 'end')),
})

export const cancelPlanChange = endpoint({
  method: 'DELETE',
  path: '/billing/plan-change',
  summary: 'Cancel a pending change of plan',
  access: mayWrite,
  underImpersonation: 'refused',
  detached: true,
  returns,
  handle: request => change(request, (provider, context) => provider.keep(context, 'change')),
})
