import { z } from 'zod'

export const plans = ['free', 'hobby', 'starter', 'pro'] as const
export type Plan = (typeof plans)[number]

const count = z.int().min(0)
const countOrNull = count.nullable()

/** What a plan allows. `null` is unlimited. Intervals in seconds. */
export const Limits = z
  .object({
    monitors: countOrNull,
    status_pages: countOrNull,
    team_members: countOrNull,
    agent_limit: count,
    min_check_interval: z.int().min(1),
    data_retention_days: z.int().min(1).max(3_650),
    regions_per_monitor: countOrNull,
    cron_heartbeats: z.boolean(),
    server_monitoring: z.boolean(),
    lighthouse_audits: z.boolean(),
    geo_audits: z.boolean(),
    site_crawls: z.boolean(),
    web_vitals: z.boolean(),
    custom_domains: z.boolean(),
    on_call_schedules: z.boolean(),
    white_label_branding: z.boolean(),
    custom_smtp: z.boolean(),
    api_access: z.enum(['read', 'full']),
    notification_channels: z.array(z.enum(['webhook', 'email', 'slack', 'discord', 'microsoft_teams', 'pagerduty', 'telegram'])),
  })
  .meta({ id: 'PlanLimits' })
export type Limits = z.infer<typeof Limits>

const mailAndHook = ['email', 'webhook'] as const
const chat = [...mailAndHook, 'slack', 'discord', 'microsoft_teams', 'telegram'] as const
const all = [...chat, 'pagerduty'] as const

const free: Limits = {
  monitors: 5,
  status_pages: 1,
  team_members: 1,
  agent_limit: 1,
  min_check_interval: 300,
  data_retention_days: 14,
  regions_per_monitor: 3,
  cron_heartbeats: true,
  server_monitoring: false,
  lighthouse_audits: false,
  geo_audits: false,
  site_crawls: false,
  web_vitals: false,
  custom_domains: false,
  on_call_schedules: false,
  white_label_branding: false,
  custom_smtp: false,
  api_access: 'full',
  notification_channels: [...mailAndHook],
}

export const planLimits: Record<Plan, Limits> = {
  free,
  hobby: {
    ...free,
    monitors: 20,
    team_members: 3,
    agent_limit: 3,
    min_check_interval: 60,
    data_retention_days: 30,
    server_monitoring: true,
    notification_channels: [...chat],
  },
  starter: {
    ...free,
    monitors: 50,
    status_pages: 3,
    team_members: 10,
    agent_limit: 10,
    min_check_interval: 60,
    data_retention_days: 90,
    regions_per_monitor: 6,
    server_monitoring: true,
    geo_audits: true,
    site_crawls: true,
    custom_domains: true,
    notification_channels: [...all],
  },
  pro: {
    monitors: 200,
    status_pages: 10,
    team_members: null,
    agent_limit: 50,
    min_check_interval: 30,
    data_retention_days: 395,
    regions_per_monitor: null,
    cron_heartbeats: true,
    server_monitoring: true,
    lighthouse_audits: true,
    geo_audits: true,
    site_crawls: true,
    web_vitals: true,
    custom_domains: true,
    on_call_schedules: true,
    white_label_branding: true,
    custom_smtp: true,
    api_access: 'full',
    notification_channels: [...all],
  },
}

/** A plan's limits with a tenant's overrides laid over them. An override of the wrong kind is left out, never guessed at. */
export function effectiveLimits(plan: string, overrides: Record<string, unknown>): Limits {
  const limits: Record<string, unknown> = { ...planLimits[plans.find(known => known === plan) ?? 'free'] }
  for (const [key, schema] of Object.entries(Limits.shape)) {
    if (!(key in overrides)) continue
    const parsed = schema.safeParse(overrides[key])
    if (parsed.success) limits[key] = parsed.data
  }
  return Limits.parse(limits)
}
