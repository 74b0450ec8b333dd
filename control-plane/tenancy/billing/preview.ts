import { z } from 'zod'
import { intervals } from '#contract/billing.ts'
import { effectiveLimits, plans } from '#contract/plans.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { type Counted, counted, countOf } from '#control-plane/tenancy/plans/counts.ts'
import { mayRead } from './access.ts'
import { pricesOf } from './provider.ts'
import { Offer } from './view.ts'

const counts = counted.map(feature => `(${countOf[feature]})::int as ${feature}`).join(', ')

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
  })
  .meta({ id: 'PlanPreview' })

interface HeldMonitor {
  id: string
  name: string
  count: number
}

const held = `
  select id, name, count(*) over ()::int as count from (
    select id, name, is_kept, created_at, row_number() over (order by is_kept desc, created_at, id) as place
    from monitors where tenant_id = ?
  ) m where ?::int is not null and place > ?::int order by place desc limit 100`

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
    const [usage] = await em.execute<Record<Counted, number>[]>(`select ${counts} from tenants t where t.id = ?`, [
      tenant.id,
    ])
    const over_limit = counted.flatMap(feature => {
      const [limit, current] = [limits[feature], usage?.[feature] ?? 0]
      return limit !== null && current > limit ? [{ feature, current, limit }] : []
    })
    const monitors = await em.execute<HeldMonitor[]>(held, [tenant.id, limits.monitors, limits.monitors])
    const price = pricesOf(services).find(each => each.plan === query.plan && each.interval === query.interval)
    return {
      data: {
        plan: query.plan,
        interval: query.interval,
        price: price ?? null,
        over_limit,
        monitors_on_hold: monitors.map(({ id, name }) => ({ id, name })),
        monitors_on_hold_count: monitors[0]?.count ?? 0,
      },
    }
  },
})
