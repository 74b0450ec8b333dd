import type { KindName } from '#checks/index.ts'
import type { Phases, Severity } from '#contract/check.ts'
import type { Feature, Plan } from '#contract/plans.ts'

/*
 * What columns of type jsonb hold, and the words of columns that have few. A module that reads such a value from a
 * request has a schema that satisfies its shape.
 */

/** A line of an invoice. The amount is in minor units, without tax, for the whole quantity; a credit is negative. */
export interface InvoiceLine {
  description: string
  quantity: number
  amount: number
  period_start: string
  period_end: string
}

/** Who pays, as invoices name them. */
export interface Payer {
  name?: string | null | undefined
  email?: string | null | undefined
  address?: string | null | undefined
  /** Two capital letters (ISO 3166). */
  country?: string | null | undefined
}

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export const handoffs = ['daily', 'weekly', 'custom'] as const

/**
 * When a rotation has duty: from `from` until `to` on each of `days`. One that ends no later than it begins ends the
 * next day.
 */
export interface Restriction {
  days: readonly (typeof weekdays)[number][]
  from: string
  to: string
}

/** When a step of an escalation is taken. What is null does not matter. */
export interface StepCondition {
  severity: readonly Severity[] | null
  days: readonly (typeof weekdays)[number][] | null
  /** Local time of `timezone`, such as `22:00`. */
  from: string | null
  /** On the next day where it is not later than `from`. */
  to: string | null
  timezone: string | null
}

/** What one side of an import said of a monitor. */
export interface Evidence {
  status: string
  reason: string | null
  /** When the status began, as far as the side says. */
  since: string | null
  response_ms: number | null
}

export interface MigrationOptions {
  min_shadow_hours: number
  min_results: number
  max_divergence_percent: number
  latency_factor: number
}

export interface MigrationCounts {
  create: number
  update: number
  skip: number
  created: number
  updated: number
  failed: number
}

/** A region that was requested to run the check, and whether it had an agent then. */
export interface AskedRegion {
  region: string
  has_agent: boolean
}

/** What a region saw in a geo audit. */
export interface RegionResult {
  region: string
  at: string
  outcome: 'up' | 'warning' | 'down' | 'unknown'
  error_code: string | null
  summary: string | null
  response_ms: number | null
  phases: Phases
  http_status: number | null
  address: string | null
}

export const policyModes = ['any', 'majority', 'all', 'count'] as const

export interface RegionPolicy {
  mode: (typeof policyModes)[number]
  count: number | null
}

/** A service level objective: the share of time to be up, in percent, over a rolling window. */
export interface Objective {
  target_pct: number
  window_days: number
}

/** `burning`: the budget is used far faster than it lasts. `exhausted`: nothing of it is left. */
export type BudgetState = 'kept' | 'burning' | 'exhausted'

export const deliveryStatuses = ['pending', 'held', 'retrying', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const sendErrors = [
  'blocked',
  'dns',
  'connect',
  'tls',
  'timeout',
  'http_status',
  'template',
  'mail',
  'unconfirmed',
  'mail_budget',
  'circuit_open',
  'overloaded',
  'channel_off',
  'internal',
] as const
export type SendError = (typeof sendErrors)[number]

/** An attempt of a delivery. */
export interface DeliveryAttempt {
  number: number
  at: string
  duration_ms: number
  status_code: number | null
  error: SendError | null
  /** The first kilobyte of the response. */
  response: string | null
}

/** Why a channel is notified of an event or is not. */
export type DecisionReason =
  | 'rule_matched'
  | 'escalation_step'
  | 'opening_notified'
  | 'channel_disabled'
  | 'plan_limit'
  | 'rule_unreadable'
  | 'no_rule'
  | 'pagers_only'
  | 'tenant_filter'
  | 'monitor_filter'
  | 'check_snoozed'
  | 'opening_not_notified'
  | 'grouped_by_flapping'
  | 'grouped_by_storm'
  | 'grouped_by_host'
  | 'maintenance'
  | 'shadow'
  | 'already_notified'

/** A channel with its decision as it is stored, with the name that the channel had then. */
export interface StoredDecision {
  channel_id: string
  channel_name: string
  channel_type: string
  rule_id: string | null
  reason: DecisionReason
  /** The name by which the rules of then send the end; absent if they do not. */
  ends_as?: string
}

export interface MonitorFilter {
  monitor_ids: string[]
  tags: string[]
  types: string[]
}

export interface TenantFilter {
  tenant_ids: string[]
  labels: string[]
}

/**
 * What the statement that emits an event stores of its suppression. `alerting/plan` decides from it who is notified.
 *
 * - `begun`: an incident, a warning, a change or flapping begins.
 * - `followed`: something happens to it later: acknowledged, resolved, cleared.
 * - `released`: it was suppressed by flapping, a storm, that of its host or maintenance, and is not noise after all.
 * - `unmuted`: the check was snoozed when it began, and no longer is.
 */
export interface Suppression {
  stage: 'begun' | 'followed' | 'released' | 'unmuted'
  /** What groups it with others, or the maintenance window or the shadow of a migration that it began in. */
  by: 'flapping' | 'storm' | 'host' | 'maintenance' | 'shadow' | null
  /** The team has snoozed the check. */
  is_muted: boolean
  /** The team has been notified of the beginning. */
  is_team_notified: boolean
  /** The reseller has been notified of the beginning, whatever groups it. */
  is_reseller_notified: boolean
  /** Of what follows the beginning: whom steps of an escalation policy called; absent if they called none. */
  called?: {
    /** Channels of the team and contact methods of people. */
    channels: string[]
    /** People who were mailed: no contact method of theirs was known to work, or the policy is at its end. */
    users: string[]
    /** Whose contact methods they are, by the contact method; versions before stored none. */
    people?: Record<string, string>
    /** Who acknowledged the incident. */
    taken_by: string | null
  }
}

/** A monitor of a template whose secrets are encrypted apart from its settings. */
export interface ClosedMonitor {
  name_template: string
  url_template: string | null
  type: 'website' | 'host' | 'cron' | 'agent'
  check_interval: number | null
  tags: string[]
  slo: Objective | null
  secret_hosts: string[]
  checks: {
    type: KindName
    settings: Record<string, unknown>
    interval?: number | null | undefined
    severity?: Severity | 'warning' | undefined
    is_enabled: boolean
    secrets: string | null
  }[]
}

export interface TemplateVariable {
  name: string
  required: boolean
  description: string | null
  default: string | null
}

type BrandingText =
  | 'brand_name'
  | 'alert_prefix'
  | `${'logo' | 'symbol' | 'favicon' | 'footer' | 'privacy' | 'imprint' | 'upgrade' | 'support'}_url`
  | 'logo_url_dark'
  | `${'primary' | 'secondary'}_color`
  | 'footer_text'
  | 'notification_from_name'

/** What a profile sets of the branding and upgrade offers of a new team. */
export type ProfileBranding = Partial<
  Record<BrandingText, string | null | undefined> & {
    hide_powered_by: boolean | null | undefined
    upsell_mode: 'hidden' | 'silent' | 'subtle' | 'active' | null | undefined
    upsell_cta: 'none' | 'link' | 'contact' | null | undefined
    plan_labels: Partial<Record<Plan, string | undefined>> | null | undefined
    upsell_offers: Partial<Record<Feature, { label: string; url: string | null } | undefined>> | null | undefined
    upsell_threshold: number | null | undefined
  }
>
