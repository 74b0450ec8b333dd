import { z } from 'zod'
import { type Feature, type Limits, type Plan, planLimits, plans, presentFeatures } from '#contract/plans.ts'
import type { EffectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { upsellCtas, upsellModes } from '#control-plane/tenancy/branding/fields.ts'
import { upgradeLink } from './upgrade-link.ts'

const states = ['near', 'reached', 'locked'] as const
const text = z.string().nullable()

const Nudge = z.object({
  feature: z.string(),
  state: z.enum(states).meta({
    description: '`near`: nearly at the limit; `reached`: at the limit; `locked`: not part of the plan.',
  }),
  current: z.int().nullable(),
  limit: z.int().nullable(),
  suggested_plan: text,
  label: text,
  url: text,
})

export const Upsell = z
  .object({
    mode: z.enum(upsellModes).meta({
      description:
        '`hidden` and `silent`: no offers; `subtle`: limits reached and locked features; `active`: ' +
        'also limits nearly reached.',
    }),
    cta: z.enum(upsellCtas),
    threshold: z.number(),
    plan_label: z.string().meta({ description: 'What the reseller calls the present plan.' }),
    plan_labels: z.record(z.string(), z.string()),
    offers: z.record(z.string(), z.object({ label: z.string(), url: text })),
    suggested_plan: text,
    url: text.meta({
      description: 'Where the call to action leads: by `link` to the upgrade page, by `contact` to support.',
    }),
    features: z.array(Nudge),
  })
  .meta({ id: 'Upsell' })

interface UpsellInput {
  tenantId: string
  plan: string
  isUnlimited: boolean
  limits: Limits
  /** How many of each counted feature there are. */
  usage: Partial<Record<Feature, number>>
  branding: EffectiveBranding
  secret: string | null
  at: Date
}

/** The offers of larger plans that a team sees. Its reseller chooses how many of them. */
export function viewUpsell(input: UpsellInput): z.input<typeof Upsell> {
  const { plan, limits, usage, branding } = input
  const isShown = !input.isUnlimited && (branding.upsell_mode === 'subtle' || branding.upsell_mode === 'active')
  const shown = isShown
    ? presentFeatures.flatMap(feature => stateOf(feature, limits, usage[feature], branding) ?? [])
    : []
  const next = planAbove(plan)
  return {
    mode: branding.upsell_mode,
    cta: branding.upsell_cta,
    threshold: branding.upsell_threshold,
    plan_label: plans.flatMap(known => (known === plan ? (branding.plan_labels[known] ?? []) : []))[0] ?? plan,
    plan_labels: branding.plan_labels,
    offers: Object.fromEntries(presentFeatures.flatMap(feature => offerOf(feature, branding) ?? [])),
    suggested_plan: isShown ? next : null,
    url: isShown ? leadsTo(input, undefined, next) : null,
    features: shown.map(({ feature, ...same }) => {
      const suggested = planWithMore(feature, plan, limits)
      const offer = branding.upsell_offers[feature]
      return {
        feature,
        ...same,
        suggested_plan: suggested,
        label: offer?.label ?? null,
        url: (branding.upsell_cta === 'none' ? null : offer?.url) ?? leadsTo(input, feature, suggested),
      }
    }),
  }
}

function stateOf(
  feature: Feature,
  limits: Limits,
  current: number | undefined,
  { upsell_mode, upsell_threshold }: EffectiveBranding,
) {
  const limit = limits[feature]
  if (limit === false) return { feature, state: 'locked' as const, current: null, limit: null }
  if (typeof limit !== 'number' || current === undefined) return null
  if (current >= limit) return { feature, state: 'reached' as const, current, limit }
  return upsell_mode === 'active' && current / limit >= upsell_threshold
    ? { feature, state: 'near' as const, current, limit }
    : null
}

function offerOf(feature: Feature, { upsell_offers }: EffectiveBranding) {
  const offer = upsell_offers[feature]
  return offer && [[feature, offer] as const]
}

/** The next larger plan; null above the largest. */
export const planAbove = (plan: string): Plan | null => largerThan(plan)[0] ?? null

const largerThan = (plan: string) => plans.slice(plans.map(String).indexOf(plan) + 1)

/** The smallest of the larger plans that has more of a feature. */
function planWithMore(feature: Feature, plan: string, limits: Limits): Plan | null {
  const had = limits[feature]
  return (
    largerThan(plan).find(candidate => {
      const has = planLimits[candidate][feature]
      if (typeof had === 'number') return has === null || (typeof has === 'number' && has > had)
      return had === false && has === true
    }) ?? null
  )
}

function leadsTo(
  { tenantId, plan, branding, secret, at }: UpsellInput,
  feature: Feature | undefined,
  suggestedPlan: Plan | null,
): string | null {
  if (branding.upsell_cta === 'contact') return branding.support_url
  if (branding.upsell_cta !== 'link' || branding.upgrade_url === null) return null
  return upgradeLink(branding.upgrade_url, { tenantId, plan, feature, suggestedPlan, secret, at })
}
