import type { EffectiveBranding } from '#control-plane/tenancy/branding/effective.ts'

/** The branding of a mail. */
export interface Brand {
  name: string
  logoUrl: string | null
  /** For mail programs with a dark background. */
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
  /** The reseller's names of the plans. */
  planLabels: Readonly<Record<string, string>>
}

export const brandOf = (branding: EffectiveBranding): Brand => ({
  name: branding.brand_name,
  logoUrl: branding.logo_url,
  logoUrlDark: branding.logo_url_dark,
  color: branding.primary_color,
  alertPrefix: branding.alert_prefix,
  supportUrl: branding.support_url,
  upgradeUrl: branding.upgrade_url,
  footerText: branding.footer_text,
  footerUrl: branding.footer_url,
  privacyUrl: branding.privacy_url,
  imprintUrl: branding.imprint_url,
  hidesPoweredBy: branding.hide_powered_by,
  planLabels: branding.plan_labels,
})
