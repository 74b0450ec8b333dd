import type { EffectiveBranding } from '#control-plane/tenancy/branding/effective.ts'

/** Whose looks a mail has. */
export interface Brand {
  name: string
  logoUrl: string | null
  /** For programs that show mail on a dark ground. */
  logoUrlDark: string | null
  color: string
  alertPrefix: string | null
  supportUrl: string | null
  upgradeUrl: string | null
  footerText: string | null
  footerUrl: string | null
  privacyUrl: string | null
  imprintUrl: string | null
  hidesPoweredBy: boolean
  /** What the reseller calls each plan. */
  planLabels: Readonly<Record<string, string>>
}

export const brandOf = (looks: EffectiveBranding): Brand => ({
  name: looks.brand_name,
  logoUrl: looks.logo_url,
  logoUrlDark: looks.logo_url_dark,
  color: looks.primary_color,
  alertPrefix: looks.alert_prefix,
  supportUrl: looks.support_url,
  upgradeUrl: looks.upgrade_url,
  footerText: looks.footer_text,
  footerUrl: looks.footer_url,
  privacyUrl: looks.privacy_url,
  imprintUrl: looks.imprint_url,
  hidesPoweredBy: looks.hide_powered_by,
  planLabels: looks.plan_labels,
})
