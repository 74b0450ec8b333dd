import { sql } from 'kysely'
import { z } from 'zod'
import { effectiveLimits, isUnlimited, PresentLimits, presentLimits } from '#contract/plans.ts'
import { type Row, rows, stamp } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { effectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { findResellerBranding } from '#control-plane/tenancy/branding/reseller-branding.ts'
import { readBranding } from '#control-plane/tenancy/branding/row.ts'
import { webhookSecretOf } from '#control-plane/tenancy/branding/webhook-secret.ts'
import { counted, countOf } from '#control-plane/tenancy/plans/counts.ts'
import { channelsOnHold, overLimitsOf } from '#control-plane/tenancy/plans/over-plan.ts'
import { planAfterTrial } from '#control-plane/tenancy/plans/plan-after-trial.ts'
import { Upsell, viewUpsell } from '#control-plane/tenancy/plans/upsell.ts'

const Usage = z.object({
  monitors: z.int(),
  agent_limit: z.int(),
  checks: z.int(),
  team_members: z.int(),
  pending_invitations: z.int(),
  api_keys: z.int(),
  maintenance_windows: z.int(),
  status_pages: z.int(),
  escalation_policies: z.int(),
  subscribers: z.int(),
} satisfies Record<keyof typeof countOf | 'checks', z.ZodType>)

const PlanView = z
  .object({
    plan: z.string(),
    on_trial: z.boolean(),
    trial_ends_at: z.string().nullable().meta({ format: 'date-time' }),
    plan_after_trial: z
      .string()
      .nullable()
      .meta({ description: 'The plan that applies from the end of the trial; null when there is no trial.' }),
    limits: PresentLimits.meta({ description: 'What the plan allows, overrides included; `null` is unlimited.' }),
    usage: Usage.meta({ description: 'How much of it is used at this moment.' }),
    over_limit: z.array(z.enum(counted)).meta({
      description:
        'Of what there is more than the plan allows. Monitors and servers beyond it are on hold; all else stays, ' +
        'and can only become less.',
    }),
    on_hold: z
      .object({ monitors: z.int(), notification_channels: z.int() })
      .meta({ description: 'How many of them the plan holds: not checked, and sent nothing.' }),
    is_paused: z.boolean().meta({ description: 'Nothing is checked: the team is paused or suspended.' }),
    paused_at: z.string().nullable().meta({ format: 'date-time' }),
    paused_reason: z.string().nullable().meta({ description: 'What its reseller wrote when it paused the team.' }),
    upsell: Upsell,
  })
  .meta({ id: 'Plan' })

type PlanRow = z.input<typeof Usage> &
  Row<'managed_teams', 'trial_ends_at' | 'plan_after_trial' | 'paused_reason'> &
  Row<'tenants', 'paused_at'> & { on_trial: boolean | null; monitors_on_hold: number; channels_on_hold: number }

export const getPlan = endpoint({
  method: 'GET',
  path: '/plan',
  summary: 'Get plan, limits, usage and upgrade offers',
  access: { tenant: 'settings:read', reseller: 'teams:read' },
  returns: ok({ data: PlanView }),

  async handle({ em, tenant, now, services }) {
    const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
    const countsOfEach = Object.entries(countOf).map(([feature, count]) => sql`(${count})::int as ${sql.ref(feature)}`)
    const [row] = await rows(em)<PlanRow>`
      select ${sql.join(countsOfEach)}, (select count(*)::int from checks x where x.tenant_id = t.id) as checks,
        (select count(*)::int from monitors x where x.tenant_id = t.id and x.held_by_plan) as monitors_on_hold,
        (select count(*)::int from ${channelsOnHold(tenant.id, limits)}) as channels_on_hold,
        ${stamp('t.paused_at')} as paused_at, m.paused_reason,
        ${stamp('m.trial_ends_at')} as trial_ends_at, m.plan_after_trial,
        m.trial_ends_at > ${now} as on_trial
      from tenants t left join managed_teams m on m.tenant_id = t.id and m.deleted_at is null
      where t.id = ${tenant.id}`
    const { trial_ends_at, on_trial, plan_after_trial, paused_at, paused_reason, ...counts } = row!
    const { monitors_on_hold, channels_on_hold, ...usage } = counts
    const reseller = await findResellerBranding(services.platform, tenant.id)
    const upsell = viewUpsell({
      tenantId: tenant.id,
      plan: tenant.plan,
      isUnlimited: isUnlimited(tenant.featureOverrides),
      limits,
      usage,
      branding: effectiveBranding(await readBranding(em, tenant), limits, reseller),
      secret: reseller && webhookSecretOf(services.config, reseller),
      at: now,
    })
    return {
      data: {
        plan: tenant.plan,
        on_trial: on_trial ?? false,
        trial_ends_at,
        plan_after_trial: on_trial ? planAfterTrial({ plan_after_trial }) : null,
        limits: presentLimits(limits),
        usage,
        over_limit: overLimitsOf(limits, usage).map(({ feature }) => feature),
        on_hold: { monitors: monitors_on_hold, notification_channels: channels_on_hold },
        is_paused: paused_at !== null,
        paused_at,
        paused_reason,
        upsell,
      },
    }
  },
})
