import { z } from 'zod'
import { effectiveLimits, Limits } from '#contract/plans.ts'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { ok } from '#control-plane/kernel/reply.ts'

const PlanView = z
  .object({
    plan: z.string(),
    limits: Limits.meta({ description: 'What the plan allows, overrides included; `null` is unlimited.' }),
    usage: z.object({ monitors: z.int(), checks: z.int(), team_members: z.int() }),
  })
  .meta({ id: 'Plan' })

export const getPlan = endpoint({
  method: 'GET',
  path: '/plan',
  summary: 'Read what the plan allows and how much of it is used',
  access: { tenant: 'settings:read', reseller: 'teams:read' },
  returns: ok({ data: PlanView }),

  async handle({ em, tenant }) {
    const [usage] = await em.execute<z.input<typeof PlanView>['usage'][]>(
      `select (select count(*)::int from monitors where tenant_id = ?) as monitors,
              (select count(*)::int from checks where tenant_id = ?) as checks,
              (select count(*)::int from memberships m join users u on u.id = m.user_id where m.tenant_id = ? and not u.is_service) as team_members`,
      [tenant.id, tenant.id, tenant.id],
    )
    return { data: { plan: tenant.plan, limits: effectiveLimits(tenant.plan, tenant.featureOverrides), usage: usage! } }
  },
})
