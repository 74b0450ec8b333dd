import { z } from 'zod'
import { intervals, paidPlans } from '#contract/billing.ts'
import type { Plan } from '#contract/plans.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite } from './access.ts'
import { changing, providerOf } from './context.ts'
import { isAtOnce, isLive } from './direction.ts'
import { findPrice } from './find-price.ts'
import { pricesOf } from './provider.ts'
import { lockSubscription } from './row.ts'
import { BillingView, readBilling } from './view.ts'

export const paidPlan = z.enum(paidPlans as [Exclude<Plan, 'free'>, ...Exclude<Plan, 'free'>[]])
export const chosenPlan = { plan: paidPlan, interval: z.enum(intervals).default('month') }

export const changePlan = endpoint({
  method: 'POST',
  path: '/billing/plan',
  summary: 'Change the plan that a team pays for',
  description:
    'Without `at` an upgrade takes effect now and a downgrade at the end of the period. Nothing is deleted: what ' +
    'exceeds the new plan is put on hold. Where an operator marks invoices as paid, an upgrade takes effect once its ' +
    'invoice is paid. To end the subscription, cancel it.',
  access: mayWrite,
  underImpersonation: 'refused',
  detached: true,
  body: z.object({ ...chosenPlan, at: z.enum(['now', 'period_end']).optional() }),
  returns: ok({ data: BillingView }),

  async handle(request) {
    const { body, tenant, services } = request
    const context = await changing(request)
    const provider = providerOf(services)
    findPrice(pricesOf(services), body.plan, body.interval)
    const row = await inTransaction(services.platform, client => lockSubscription(client, tenant.id, provider.name))
    const isNow = !isLive(row) || isAtOnce(row, body, body.at)
    await provider.change(context, { plan: body.plan, interval: body.interval, isNow })
    return { data: await readBilling(services.platform, tenant.id, pricesOf(services), provider.name) }
  },
})
