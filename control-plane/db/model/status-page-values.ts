import { settableStatuses } from '#contract/status-page.ts'

/** The words that status pages are described with, in tables, in the API and on the page. */

export const pageStates = ['draft', 'published'] as const
export type PageState = (typeof pageStates)[number]

/** Who may see a published page. */
export const accessModes = ['public', 'password', 'email_domain', 'ip', 'sso'] as const
export type AccessMode = (typeof accessModes)[number]

/** What uptime is made of: judged time, single results, or incidents that count as downtime. */
export const uptimeModes = ['duration', 'requests', 'manual'] as const
export type UptimeMode = (typeof uptimeModes)[number]

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** One monitor, all monitors of one `group`, or a status that a person sets. */
export const componentTypes = ['monitor', 'group', 'static'] as const
export type ComponentType = (typeof componentTypes)[number]

export const componentStatuses = [...settableStatuses, 'no_data'] as const
export type ComponentStatus = (typeof componentStatuses)[number]

/** What a component may be while its monitor is down. */
export const downStatuses = ['degraded_performance', 'partial_outage', 'major_outage'] as const
export type DownStatus = (typeof downStatuses)[number]

export interface PageLink {
  label: string
  url: string
}

/** What a page says in one language, in place of its own name and description. */
export interface PageTexts {
  name?: string | undefined
  description?: string | undefined
  announcement?: string | undefined
  footer?: string | undefined
}
