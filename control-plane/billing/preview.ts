import { z } from 'zod'
import { intervals } from '#contract/billing.ts'
import { effectiveLimits, plans } from '#contract/plans.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { readOverPlan } from '#control-plane/tenancy/plans/over-plan.ts'
import { mayRead } from './access.ts'
import { pricesOf } from './provider.ts'
import { Offer } from './view.ts'

const Preview = z
  .object({
    plan: z.enum(plans),
    interval: z.enum(intervals),
    price: Offer.nullable().meta({ description: '`null`: not offered, or free.' }),
    over_limit: z
      .array(z.object({ feature: z.string(), current: z.int(), limit: z.int() }))
      .meta({ description: 'What there is more of than the plan allows. Nothing of it is deleted.' }),
    monitors_on_hold: z.array(z.object({ id: z.uuid(), name: z.string() })).meta({
      description: 'Monitors that would not be checked: those that were not chosen, newest first; at most 100.',
    }),
    monitors_on_hold_count: z.int(),
    channels_on_hold_count: z.int().meta({ description: 'Channels of types that the plan does not have.' }),
  })
  .meta({ id: 'PlanPreview' })

export const previewPlan = endpoint({
  method: 'GET',
  path: '/billing/plan-preview',
  summary: 'Preview what another plan would put on hold',
  description: 'Overrides of the limits stay. Choose which monitors are kept by PUT /plan/kept-monitors.',
  access: mayRead,
  underImpersonation: 'refused',
  query: z.object({ plan: z.enum(plans), interval: z.enum(intervals).default('month') }),
  returns: ok({ data: Preview }),

  async handle({ em, tenant, query, services }) {
    const limits = effectiveLimits(query.plan, tenant.featureOverrides)
    const over = await readOverPlan(em, tenant.id, limits)
    const price = pricesOf(services).find(each => each.plan === query.plan && each.interval === query.interval)
    return {
      data: {
        plan: query.plan,
        interval: query.interval,
        price: price ?? null,
        over_limit: over.overLimit,
        monitors_on_hold: over.monitors,
        monitors_on_hold_count: over.monitorsCount,
        channels_on_hold_count: over.channelsCount,
      },
    }
  },
})
