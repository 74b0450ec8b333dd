import type { Limits } from '#contract/plans.ts'
import { type Branding, brandingFields, unset } from './fields.ts'
import type { ResellerBranding } from './reseller-branding.ts'

/** The defaults of the platform. */
export const ours = {
  brand_name: 'Vedette',
  primary_color: '#1f6feb',
  secondary_color: '#0d1b2a',
  hide_powered_by: false,
  upsell_mode: 'hidden',
  upsell_cta: 'none',
  plan_labels: {},
  upsell_offers: {},
  upsell_threshold: 0.8,
} as const satisfies Partial<Branding>

export type EffectiveBranding = Branding & { [Name in keyof typeof ours]: NonNullable<Branding[Name]> } & {
  symbol_letter: string
}

/**
 * The branding in effect: a team's own, else its reseller's, else ours. Offers and labels are merged entry by entry.
 */
export function effectiveBranding(own: Branding, limits: Limits, reseller: ResellerBranding | null): EffectiveBranding {
  const above = reseller?.branding ?? unset
  const first: Branding = {
    ...unset,
    ...Object.fromEntries(brandingFields.map(name => [name, own[name] ?? above[name]])),
  }
  const brandName = first.brand_name ?? ours.brand_name
  return {
    ...first,
    brand_name: brandName,
    symbol_url: first.symbol_url ?? first.favicon_url,
    symbol_letter: [...new Intl.Segmenter().segment(brandName)][0]?.segment.toLocaleUpperCase('en') ?? '',
    primary_color: first.primary_color ?? ours.primary_color,
    secondary_color: first.secondary_color ?? ours.secondary_color,
    hide_powered_by:
      hidesPoweredBy(own, limits) ??
      (reseller && hidesPoweredBy(reseller.branding, reseller.limits)) ??
      ours.hide_powered_by,
    upsell_mode: first.upsell_mode ?? ours.upsell_mode,
    upsell_cta: first.upsell_cta ?? ours.upsell_cta,
    plan_labels: { ...above.plan_labels, ...own.plan_labels },
    upsell_offers: { ...above.upsell_offers, ...own.upsell_offers },
    upsell_threshold: first.upsell_threshold ?? ours.upsell_threshold,
  }
}

/** The setting of one of them as far as its plan allows it; null where it is unset. */
const hidesPoweredBy = ({ hide_powered_by }: Branding, limits: Limits): boolean | null =>
  hide_powered_by === null ? null : hide_powered_by && limits.white_label_branding
