import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { type EffectiveBranding, effectiveBranding } from './effective.ts'
import { type Branding, upsellCtas, upsellModes } from './fields.ts'
import { findResellerBranding } from './reseller-branding.ts'

const text = z.string().nullable()
const Offers = z.record(z.string(), z.object({ label: z.string(), url: text }))
const Labels = z.record(z.string(), z.string())

const viewFields = {
  brand_name: text,
  alert_prefix: text,
  logo_url: text,
  logo_url_dark: text,
  symbol_url: text,
  favicon_url: text,
  footer_url: text,
  privacy_url: text,
  imprint_url: text,
  upgrade_url: text,
  support_url: text,
  primary_color: text,
  secondary_color: text,
  footer_text: text,
  hide_powered_by: z.boolean().nullable(),
  notification_from_name: text,
  upsell_mode: z.enum(upsellModes).meta({ id: 'UpsellMode' }).nullable(),
  upsell_cta: z.enum(upsellCtas).meta({ id: 'UpsellCta' }).nullable(),
  plan_labels: Labels.nullable(),
  upsell_offers: Offers.nullable(),
  upsell_threshold: z.number().nullable(),
} satisfies Record<keyof Branding, z.ZodType>

const Effective = z
  .object({
    ...viewFields,
    brand_name: z.string(),
    symbol_letter: z.string().meta({ description: 'Shown where there is no symbol.' }),
    primary_color: z.string(),
    secondary_color: z.string(),
    hide_powered_by: z.boolean(),
    upsell_mode: z.enum(upsellModes),
    upsell_cta: z.enum(upsellCtas),
    plan_labels: Labels,
    upsell_offers: Offers,
    upsell_threshold: z.number(),
  })
  .meta({ id: 'EffectiveBranding' })

export const BrandingView = z
  .object({
    ...viewFields,
    effective: Effective.meta({
      description: 'The branding in effect: the team’s own, else its reseller’s, else ours.',
    }),
  })
  .meta({ id: 'Branding', description: 'What the team has set for itself; `null` where it has not.' })

type BrandingContext = Pick<RequestContext, 'tenant' | 'services'>

export async function viewBranding(context: BrandingContext, own: Branding): Promise<z.input<typeof BrandingView>> {
  return { ...own, effective: await readEffective(context, own) }
}

/** The branding in effect for a tenant, given what it has set for itself. */
export async function readEffective({ tenant, services }: BrandingContext, own: Branding): Promise<EffectiveBranding> {
  return effectiveBranding(
    own,
    effectiveLimits(tenant.plan, tenant.featureOverrides),
    await findResellerBranding(services.platform, tenant.id),
  )
}
