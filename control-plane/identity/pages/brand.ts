import { sql } from 'kysely'
import { effectiveLimits } from '#contract/plans.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { asText, onColor } from '#control-plane/tenancy/branding/contrast.ts'
import { type EffectiveBranding, effectiveBranding, ours } from '#control-plane/tenancy/branding/effective.ts'
import { type Branding, brandingFields, unset } from '#control-plane/tenancy/branding/fields.ts'
import { findResellerBranding } from '#control-plane/tenancy/branding/reseller-branding.ts'
import { selectBranding } from '#control-plane/tenancy/branding/row.ts'

/** The appearance of a page: of a team, of a reseller, or of the platform. Its texts are not escaped. */
export interface PageBrand {
  name: string
  /** First letter of the name, in place of a missing logo. */
  letter: string
  logoUrl: string | null
  /** For a dark background. */
  logoUrlDark: string | null
  symbolUrl: string | null
  /** Of buttons, as `#1f6feb`; null: the platform's own. */
  color: string | null
  supportUrl: string | null
  privacyUrl: string | null
  imprintUrl: string | null
  footerText: string | null
  footerUrl: string | null
  hidesPoweredBy: boolean
}

export const platformBrand: PageBrand = {
  name: ours.brand_name,
  letter: ours.brand_name.slice(0, 1),
  logoUrl: null,
  logoUrlDark: null,
  symbolUrl: null,
  color: null,
  supportUrl: null,
  privacyUrl: null,
  imprintUrl: null,
  footerText: null,
  footerUrl: null,
  hidesPoweredBy: true,
}

/** Only an address of the web may become a link or a picture. */
function webUrl(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}

const pageBrand = (branding: EffectiveBranding): PageBrand => ({
  name: branding.brand_name,
  letter: branding.symbol_letter,
  logoUrl: webUrl(branding.logo_url),
  logoUrlDark: webUrl(branding.logo_url_dark),
  symbolUrl: webUrl(branding.symbol_url),
  color: branding.primary_color === ours.primary_color ? null : branding.primary_color,
  supportUrl: webUrl(branding.support_url),
  privacyUrl: webUrl(branding.privacy_url),
  imprintUrl: webUrl(branding.imprint_url),
  footerText: branding.footer_text,
  footerUrl: webUrl(branding.footer_url),
  hidesPoweredBy: branding.hide_powered_by || branding.brand_name === ours.brand_name,
})

type TenantRow = Branding & Row<'tenants', 'plan' | 'feature_overrides'>

/**
 * The brand of a team: its own, else its reseller's, else the platform's. An unknown team has the platform's.
 * One in the trash keeps its brand: links in mails to its people name it.
 */
export async function brandOfTenant({ platform }: Pick<Services, 'platform'>, tenantId: string): Promise<PageBrand> {
  const [row] = await rows(platform, pageBrandStatement(tenantId))
  if (!row) return platformBrand
  const own: Branding = { ...unset, ...Object.fromEntries(brandingFields.map(name => [name, row[name]])) }
  const limits = effectiveLimits(row.plan, row.feature_overrides)
  return pageBrand(effectiveBranding(own, limits, await findResellerBranding(platform, tenantId)))
}

const colorShape = /^[\da-f]{3}(?:[\da-f]{3})?$/
/** Of the surfaces in `page.css`. */
const paper = { light: '#ffffff', dark: '#161b26' }
const defaultLink = { light: '#1a5fd0', dark: '#7ab0ff' }

/** The address of the style sheet that gives a page the colour of its brand; null: it has the platform's. */
export function brandStyleOf({ color }: Pick<PageBrand, 'color'>): string | null {
  const digits = color?.slice(1).toLowerCase() ?? ''
  return colorShape.test(digits) ? `/pages/brand.css?color=${digits}` : null
}

/** That style sheet: the colour on buttons, and on links where it can be read there. Null: it is no colour. */
export function brandCss(digits: string): string | null {
  if (!colorShape.test(digits)) return null
  const color = `#${digits}`
  const of = (scheme: keyof typeof paper) =>
    `:root{--accent:${color};--on-accent:${onColor(color)};--link:${asText(color, paper[scheme], defaultLink[scheme])}}`
  return `${of('light')}@media(prefers-color-scheme:dark){${of('dark')}}`
}

/** Where the pictures of a brand are. */
export const pictureOriginsOf = ({ logoUrl, logoUrlDark, symbolUrl }: PageBrand): string[] => [
  ...new Set([logoUrl, logoUrlDark, symbolUrl].flatMap(url => (url === null ? [] : [new URL(url).origin]))),
]

/** What a page may load: our own files and the pictures of its brand. No script and no style inside the page. */
export function policyOf(brand: PageBrand, formAction = "'self'"): string {
  const pictures = ["'self'", ...pictureOriginsOf(brand)].join(' ')
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${pictures}; ` +
    `connect-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`
  )
}

const pageBrandStatement = prepared(
  'page-brand',
  (tenantId: string) => sql<TenantRow>`
    select ${selectBranding}, t.plan, t.feature_overrides
    from tenants t left join brandings b on b.tenant_id = t.id where t.id = ${tenantId}`,
)
