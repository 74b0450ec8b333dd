import type { Impact, Phase } from '#contract/status-page.ts'
import type { ComponentStatus, PageLink, PageTexts, Theme } from '#control-plane/db/model/status-page-values.ts'
import { type Unknown, unknownOf } from '#control-plane/publishing/status-pages/rollup.ts'
import type { Language } from '#locales/languages.ts'

/**
 * All that a status page shows, as plain data: what is kept on disk, and what every document of the page is made from.
 * Moments are milliseconds since 1970; texts are as people wrote them.
 */
export interface PageModel {
  id: string
  /** The team of the page, and its reseller: under whose portals it is served. Pages of an earlier version lack it. */
  owners?: readonly string[]
  slug: string
  name: string
  description: string
  /** The public address of the page, without a slash at its end. */
  url: string
  locale: Language
  locales: readonly Language[]
  timezone: string
  theme: Theme
  noindex: boolean
  brand: PageBrand
  /** Texts of the page in place of ours, by language. */
  texts: Partial<Record<Language, PageTexts>>
  headerLinks: readonly PageLink[]
  footerLinks: readonly PageLink[]
  historyDays: number
  /** The days of every history, YYYY-MM-DD of the time zone of the page, oldest first; the last one is today. */
  dates: readonly string[]
  show: { uptime: boolean; response: boolean; values: boolean }
  uptimeFormula: number
  /** Since when figures of results are incomplete, as results wait to be stored. Pages of an earlier version lack it. */
  historyWaitsSince?: number | null
  /** Whether visitors may subscribe. */
  hasSubscriptions: boolean
  access: PageAccess
  status: ComponentStatus
  /** Components outside of groups are in one whose id is null. */
  groups: readonly PageGroup[]
  /** Newest first. */
  posts: readonly PagePost[]
  /** Running and upcoming, earliest first. */
  maintenance: readonly PageMaintenance[]
  /** Over, the one that ended last first. States of former versions in the folder have none. */
  pastMaintenance?: readonly PageMaintenance[]
  /** When it was read. */
  asOf: number
  /** When a person last changed something visible. */
  changedAt: number
}

export interface PageBrand {
  name: string
  /** `#rrggbb` or `#rgb`. */
  color: string
  logoUrl: string | null
  logoUrlDark: string | null
  faviconUrl: string | null
  footerText: string | null
  imprintUrl: string | null
  privacyUrl: string | null
  supportUrl: string | null
  hidesPoweredBy: boolean
}

/** Who may read a page that is not public. The key signs what visitors present; it ends with the password. */
export type PageAccess =
  | { mode: 'public' }
  | { mode: 'password'; hash: string; key: string }
  | { mode: 'email_domain'; domains: readonly string[]; key: string }
  | { mode: 'ip'; allowed: readonly string[] }
  /** `isOpen`: people can sign in at the provider of the team. While they cannot, no one enters. */
  | { mode: 'sso'; isOpen: boolean; key: string }

export interface PageGroup {
  id: string | null
  name: string
  isOpen: boolean
  status: ComponentStatus
  components: readonly PageComponent[]
}

export interface PageComponent {
  id: string
  name: string
  description: string
  status: ComponentStatus
  /** Null where the history is not shown. One for each of `dates`. */
  days: readonly PageDay[] | null
  uptimePct: number | null
  responseMs: number | null
  createdAt: number
  updatedAt: number
}

/** How a day of one component was. Days on which nothing happened are the same object, as most days are. */
export interface PageDay {
  level: Level
  uptimePct: number | null
  downMs: number
  degradedMs: number
  maintenanceMs: number
}

/** From best to worst, as bars are joined. */
export const levels = ['none', 'maintenance', 'good', 'minor', 'major'] as const
export type Level = (typeof levels)[number]

const quiet = { downMs: 0, degradedMs: 0, maintenanceMs: 0 }
export const goodDay: PageDay = { level: 'good', uptimePct: 100, ...quiet }
export const emptyDay: PageDay = { level: 'none', uptimePct: null, ...quiet }

export interface PagePost {
  id: string
  title: string
  impact: Impact
  phase: Phase
  startedAt: number
  resolvedAt: number | null
  createdAt: number
  updatedAt: number
  /** Markdown. */
  postmortem: string | null
  postmortemAt: number | null
  components: readonly { id: string; name: string; status: ComponentStatus }[]
  /** Newest first. */
  updates: readonly PageUpdate[]
}

export interface PageUpdate {
  id: string
  phase: Phase
  /** Markdown. */
  body: string
  at: number
}

export interface PageMaintenance {
  /** That of the window, and the same before, during and after the work; of a recurring one with the planned start. */
  id: string
  title: string
  /** Markdown. */
  description: string
  isRunning: boolean
  startsAt: number
  endsAt: number
  components: readonly { id: string; name: string }[]
  updatedAt: number
}

/** How many of the components of a page have no data. */
export const unknownIn = ({ groups }: PageModel): Unknown =>
  unknownOf(groups.flatMap(({ components }) => components.map(({ status }) => status)))
