import { z } from 'zod'
import { line } from '#contract/line.ts'
import { features, type Plan } from '#contract/plans.ts'

const url = z.string().max(500)
const color = z.string().regex(/^#(?:[\da-fA-F]{3}|[\da-fA-F]{6})$/, 'Must be a colour such as #1f6feb.')

const offer = z.object({ label: line(100), url: url.nullable().default(null) })

export const upsellModes = ['hidden', 'silent', 'subtle', 'active'] as const
export const upsellCtas = ['none', 'link', 'contact'] as const

const planLabels = z
  .strictObject({ free: line(100), hobby: line(100), starter: line(100), pro: line(100) } satisfies Record<
    Plan,
    z.ZodType
  >)
  .partial()

/** Drops offers of unknown features before validation. */
const knownOnly = (given: unknown): unknown =>
  given && typeof given === 'object' && !Array.isArray(given)
    ? Object.fromEntries(Object.entries(given).filter(([name]) => isFeature(name)))
    : given
const isFeature = (name: string) => features.some(feature => feature === name)
const offers = z.preprocess(knownOnly, z.partialRecord(z.enum(features), offer))

const shape = {
  brand_name: line(100).nullable(),
  alert_prefix: line(50).nullable(),
  logo_url: url.nullable(),
  logo_url_dark: url.nullable(),
  symbol_url: url.nullable().meta({
    description:
      'Square, at least 64 by 64 pixels. In its place: the favicon, then the first letter of the brand name.',
  }),
  favicon_url: url.nullable(),
  footer_url: url.nullable(),
  privacy_url: url.nullable(),
  imprint_url: url.nullable(),
  upgrade_url: url.nullable(),
  support_url: url.nullable(),
  primary_color: color.nullable(),
  secondary_color: color.nullable(),
  footer_text: line(200).nullable(),
  hide_powered_by: z.boolean().nullable().meta({ description: 'Needs the plan feature `white_label_branding`.' }),
  notification_from_name: line(100).nullable(),
  upsell_mode: z.enum(upsellModes).nullable(),
  upsell_cta: z.enum(upsellCtas).nullable(),
  plan_labels: planLabels.nullable().meta({ description: 'What the reseller calls each plan.' }),
  upsell_offers: offers.nullable().meta({ description: 'Upgrade offers by feature. Unknown features are ignored.' }),
  upsell_threshold: z
    .number()
    .min(0.5)
    .max(0.99)
    .nullable()
    .meta({ description: 'Share of a limit from which it is nearly reached, in mode `active`.' }),
}

/** The branding and upgrade offers of a team; `null` takes its reseller’s, else ours. */
export const Branding = z.object(shape)
export type Branding = z.output<typeof Branding>

/** What is sent: a field not named stays, `null` clears it. */
export const BrandingChanges = Branding.partial().meta({ id: 'BrandingChanges' })
export type BrandingChanges = z.output<typeof BrandingChanges>

export const brandingFields = Branding.keyof().options
export const unset: Branding = Branding.parse(Object.fromEntries(brandingFields.map(name => [name, null])))

export const urlFields = [
  'logo_url',
  'logo_url_dark',
  'symbol_url',
  'favicon_url',
  'footer_url',
  'privacy_url',
  'imprint_url',
  'upgrade_url',
  'support_url',
] as const satisfies (keyof Branding)[]
/** Fields that only the reseller decides, also for its teams. */
export const upsellFields = [
  'upsell_mode',
  'upsell_cta',
  'plan_labels',
  'upsell_offers',
  'upsell_threshold',
] as const satisfies (keyof Branding)[]
export const jsonFields: readonly (keyof Branding)[] = ['plan_labels', 'upsell_offers']
