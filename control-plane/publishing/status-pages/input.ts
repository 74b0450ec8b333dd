import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { line, text } from '#contract/line.ts'
import { Sentence } from '#contract/sentence.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { accessModes, pageStates, themes, uptimeModes } from '#control-plane/db/model/status-page-values.ts'
import { parseRange } from '#egress/address.ts'
import { type Language, languages } from '#locales/languages.ts'
import { limits } from './access.ts'
import { Slug } from './slug.ts'

const distinct = (all: readonly string[]) => new Set(all).size === all.length

export const timezone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Must be a zone by its IANA name, such as Europe/Berlin.')
  .meta({ description: 'A zone by its IANA name.', example: 'Europe/Berlin' })

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    Temporal.Now.zonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]*[a-z][a-z\d-]*$/, 'Must be a domain such as example.com.')
const AddressRange = z
  .string()
  .trim()
  .toLowerCase()
  .max(49)
  .refine(text => parseRange(text) !== undefined, 'Must be an address or a range such as 192.0.2.0/24.')
const color = z.string().regex(/^#(?:[\da-fA-F]{3}|[\da-fA-F]{6})$/, 'Must be a colour such as #1f6feb.')
const logo = z.string().max(500)
const Link = z
  .object({ label: line(60), url: z.url({ protocol: /^https?$/, normalize: true }).max(500) })
  .meta({ id: 'StatusPageLink' })
const Links = z.array(Link).max(limits.links)

const Texts = z
  .strictObject({
    name: line(255),
    description: text(2_000),
    announcement: text(2_000).meta({ description: 'Shown above the components.' }),
    footer: text(500),
  })
  .partial()
  .meta({ id: 'StatusPageTexts' })
const TextsByLocale = z.strictObject({ en: Texts, de: Texts } satisfies Record<Language, z.ZodType>).partial()

const fields = {
  name: line(255),
  slug: Slug.meta({ description: 'The address of the page is `/status/{slug}`. Unique on the whole installation.' }),
  description: text(2_000),
  state: z.enum(pageStates).meta({ description: 'Visitors see only what is published.' }),
  access: z.enum(accessModes).meta({
    description:
      'Who may see the page once it is published. `sso` needs an enabled single sign-on of the team: people of its ' +
      'verified domains sign in at its provider, without becoming members.',
  }),
  password: z
    .string()
    .min(8)
    .max(200)
    .nullable()
    .meta({ description: 'Needed for the access mode `password`. It is stored hashed.' }),
  allowed_email_domains: z
    .array(Domain)
    .max(limits.domains)
    .refine(distinct, 'Names a domain twice.')
    .meta({ description: 'Needed for the access mode `email_domain`.' }),
  allowed_ips: z
    .array(AddressRange)
    .max(limits.addresses)
    .refine(distinct, 'Names an address twice.')
    .meta({ description: 'Needed for the access mode `ip`: addresses, and ranges in CIDR notation.' }),
  locale: z.enum(languages).meta({ description: 'The language for visitors who prefer none of `locales`.' }),
  locales: z.array(z.enum(languages)).min(1).max(languages.length).refine(distinct, 'Names a language twice.'),
  timezone,
  history_days: z.int().min(7).max(365),
  show_uptime: z.boolean(),
  show_response: z.boolean(),
  show_values: z.boolean().meta({ description: 'Whether uptime and response times are shown as numbers.' }),
  uptime_mode: z.enum(uptimeModes).meta({
    description:
      'Uptime is the share of judged time, the share of single results, or what incidents of the page leave that ' +
      'count as downtime.',
  }),
  min_incident_minutes: z
    .int()
    .min(0)
    .max(1_440)
    .meta({ description: 'Downtime that lasted less does not colour the history.' }),
  noindex: z.boolean().meta({ description: 'Asks search engines not to list the page.' }),
  hide_powered_by: z
    .boolean()
    .nullable()
    .meta({ description: 'Needs the plan feature `white_label_branding`. `null`: as the branding says.' }),
  theme: z.enum(themes),
  primary_color: color.nullable().meta({ description: '`null`: as the branding says.' }),
  logo_url: logo.nullable().meta({ description: '`null`: as the branding says.' }),
  logo_url_dark: logo.nullable(),
  header_links: Links,
  footer_links: Links,
  texts: TextsByLocale.meta({ description: 'In place of name and description, by language. Sent whole.' }),
}

export const NewPage = z
  .object({
    ...fields,
    description: fields.description.default(''),
    state: fields.state.default('draft'),
    access: fields.access.default('public'),
    password: fields.password.default(null),
    allowed_email_domains: fields.allowed_email_domains.default([]),
    allowed_ips: fields.allowed_ips.default([]),
    locale: fields.locale.default('en'),
    locales: fields.locales.default(['en']),
    timezone: fields.timezone.default('UTC'),
    history_days: fields.history_days.default(90),
    show_uptime: fields.show_uptime.default(true),
    show_response: fields.show_response.default(false),
    show_values: fields.show_values.default(true),
    uptime_mode: fields.uptime_mode.default('duration'),
    min_incident_minutes: fields.min_incident_minutes.default(0),
    noindex: fields.noindex.default(false),
    hide_powered_by: fields.hide_powered_by.default(null),
    theme: fields.theme.default('auto'),
    primary_color: fields.primary_color.default(null),
    logo_url: fields.logo_url.default(null),
    logo_url_dark: fields.logo_url_dark.default(null),
    header_links: fields.header_links.default([]),
    footer_links: fields.footer_links.default([]),
    texts: fields.texts.default({}),
  })
  .meta({ id: 'NewStatusPage' })
export type NewPage = z.output<typeof NewPage>

export const PageChanges = z.object(fields).partial().meta({ id: 'StatusPageChanges' })
export type PageChanges = z.output<typeof PageChanges>

type Settings = Pick<NewPage, 'access' | 'allowed_email_domains' | 'allowed_ips' | 'locale' | 'locales'> & {
  has_password: boolean
}

/** Refuses settings that contradict each other, by the field that has to change. */
export function validateSettings(page: Settings): void {
  const errors: FieldErrors = {}
  const needs = (mode: Settings['access'], isThere: boolean, field: string) => {
    if (page.access === mode && !isThere) errors[field] = [new Sentence('The access mode {mode} needs it.', { mode })]
  }
  needs('password', page.has_password, 'password')
  needs('email_domain', page.allowed_email_domains.length > 0, 'allowed_email_domains')
  needs('ip', page.allowed_ips.length > 0, 'allowed_ips')
  if (!page.locales.includes(page.locale)) errors.locales = ['Must contain the locale of the page.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
