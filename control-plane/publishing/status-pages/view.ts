import { z } from 'zod'
import { accessModes, pageStates, themes, uptimeModes } from '#control-plane/db/model/status-page-values.ts'
import { languages } from '#locales/languages.ts'
import type { PageRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
const Links = z.array(z.object({ label: z.string(), url: z.string() }))
const Texts = z
  .object({ name: z.string(), description: z.string(), announcement: z.string(), footer: z.string() })
  .partial()

export const PageView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    url: z.string().meta({ description: 'The address of the page.' }),
    description: z.string(),
    state: z.enum(pageStates).meta({ id: 'StatusPageState' }),
    access: z.enum(accessModes),
    has_password: z.boolean(),
    allowed_email_domains: z.array(z.string()),
    allowed_ips: z.array(z.string()),
    locale: z.enum(languages).meta({ id: 'Language' }),
    locales: z.array(z.enum(languages)),
    timezone: z.string(),
    history_days: z.int(),
    show_uptime: z.boolean(),
    show_response: z.boolean(),
    show_values: z.boolean(),
    uptime_mode: z.enum(uptimeModes).meta({ id: 'UptimeMode' }),
    min_incident_minutes: z.int(),
    noindex: z.boolean(),
    hide_powered_by: z.boolean().nullable(),
    theme: z.enum(themes).meta({ id: 'StatusPageTheme' }),
    primary_color: z.string().nullable(),
    logo_url: z.string().nullable(),
    logo_url_dark: z.string().nullable(),
    header_links: Links,
    footer_links: Links,
    // named: a generator would call it by its place, which is the name of its parts
    texts: z.object({ en: Texts, de: Texts }).partial().meta({ id: 'StatusPageTextsByLocale' }),
    content_changed_at: time.meta({ description: 'When something that visitors see was last changed by a person.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'StatusPage' })

export const pageUrl = ({ slug }: { slug: string }, origin: string): string => `${origin}/status/${slug}`

export const viewPage = (row: PageRow, origin: string): z.input<typeof PageView> => ({
  ...row,
  url: pageUrl(row, origin),
})
