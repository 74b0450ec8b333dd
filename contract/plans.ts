import { z } from 'zod'

export const plans = ['free', 'hobby', 'starter', 'pro'] as const
export type Plan = (typeof plans)[number]

/** Fits every column and every sum of counts. */
const maxCount = 1_000_000_000
const whole = (min: number, max: number, words: string) => z.int(words).min(min, words).max(max, words)
const count = whole(0, maxCount, `Must be a whole number from 0 to ${maxCount}.`)
const orNull = (min: number) =>
  whole(min, maxCount, `Must be a whole number from ${min} to ${maxCount}, or null.`).nullable()
const countOrNull = orNull(0)
const included = z.boolean('Must be true or false.')

export const channelTypes = [
  'webhook',
  'email',
  'slack',
  'discord',
  'microsoft_teams',
  'pagerduty',
  'telegram',
  'custom',
] as const
export type ChannelType = (typeof channelTypes)[number]

const limitKinds = {
  monitors: countOrNull,
  status_pages: countOrNull,
  team_members: countOrNull,
  pending_invitations: countOrNull,
  api_keys: countOrNull,
  subscribers: countOrNull,
  maintenance_windows: countOrNull,
  escalation_policies: countOrNull,
  regions_per_monitor: orNull(1),
  crawl_pages: countOrNull,
  sms_credits: countOrNull,
  mails_per_day: countOrNull,
  agent_limit: count,
  min_check_interval: whole(1, 86_400, 'Must be a whole number of seconds from 1 to 86400.'),
  data_retention_days: whole(1, 3_650, 'Must be a whole number of days from 1 to 3650.'),
  cron_heartbeats: included,
  server_monitoring: included,
  lighthouse_audits: included,
  geo_audits: included,
  site_crawls: included,
  web_vitals: included,
  custom_domains: included,
  on_call_schedules: included,
  white_label_branding: included,
  custom_smtp: included,
  sso: included,
  api_access: z.enum(['read', 'full'], 'Must be read or full.').meta({ id: 'ApiAccess' }),
  notification_channels: z
    .array(z.enum(channelTypes), `Must be a list of channel types: ${channelTypes.join(', ')}.`)
    .max(channelTypes.length)
    .refine(types => new Set(types).size === types.length, 'Names a channel type twice.')
    .meta({ uniqueItems: true }),
}

/** The limits of a plan. `null` is unlimited. Intervals in seconds. */
export const Limits = z.object(limitKinds).meta({ id: 'PlanLimits' })
export type Limits = z.infer<typeof Limits>
export type Feature = keyof Limits

/** Every limit of a plan. */
export const features = Limits.keyof().options

/**
 * Features that plans contain and the service does not have yet. An override of such a feature is stored and applies
 * once the feature exists; until then the feature is neither shown nor counted. A test compares this list with
 * the endpoints.
 */
export const plannedFeatures = ['sms_credits'] as const satisfies readonly Feature[]
export type PlannedFeature = (typeof plannedFeatures)[number]
export type PresentFeature = Exclude<Feature, PlannedFeature>

const isPresent = (feature: Feature): feature is PresentFeature => !plannedFeatures.some(planned => planned === feature)
export const presentFeatures = features.filter(isPresent)

const present = Object.fromEntries(presentFeatures.map(feature => [feature, limitKinds[feature]]))
/** The limits of the features that exist. Unlike an override, `agent_limit` may be `null` here. */
export const PresentLimits = z
  .object({ ...(present as Pick<typeof limitKinds, PresentFeature>), agent_limit: countOrNull })
  .meta({ id: 'PresentPlanLimits', description: 'Limits of a plan for the features that the service has.' })

/** Limits as a team reads them: `null` is unlimited. */
export const presentLimits = (limits: Limits): z.input<typeof PresentLimits> => ({
  ...limits,
  agent_limit: limits.agent_limit === maxCount ? null : limits.agent_limit,
})

/** Limits of one team that override those of its plan. */
export const Overrides = z.strictObject(limitKinds).partial().meta({ id: 'FeatureOverrides' })
export type Overrides = z.infer<typeof Overrides>

/** Sent in place of a value, it removes an override. */
export const removal = '__remove__'

const orRemoval = (kind: z.ZodType) =>
  z
    .union([kind, z.literal(removal)], {
      // report what is wrong with the value instead of "none of the allowed forms"
      error: issue => (issue.code === 'invalid_union' && issue.errors[0]?.[0]?.message) || undefined,
    })
    .optional()

/** Changes of overrides: fields left out stay. */
export const OverrideChanges = z
  .strictObject(Object.fromEntries(Object.entries(limitKinds).map(([feature, kind]) => [feature, orRemoval(kind)])))
  .meta({
    id: 'FeatureOverrideChanges',
    description: `Fields left out stay; \`${removal}\` in place of a value removes an override.`,
  })

const freeChannels = ['email', 'webhook'] as const
const chat = [...freeChannels, 'slack', 'discord', 'microsoft_teams', 'telegram', 'custom'] as const
const all = [...chat, 'pagerduty'] as const

const free: Limits = {
  monitors: 5,
  status_pages: 1,
  team_members: 1,
  pending_invitations: 3,
  api_keys: 2,
  subscribers: 25,
  maintenance_windows: 2,
  escalation_policies: 1,
  crawl_pages: 0,
  sms_credits: 0,
  mails_per_day: 200,
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
  sso: false,
  api_access: 'full',
  notification_channels: [...freeChannels],
}

export const planLimits: Record<Plan, Limits> = {
  free,
  hobby: {
    ...free,
    monitors: 20,
    team_members: 3,
    pending_invitations: 10,
    api_keys: 5,
    subscribers: 100,
    maintenance_windows: 5,
    mails_per_day: 1_000,
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
    pending_invitations: 25,
    api_keys: 20,
    subscribers: 1_000,
    maintenance_windows: 20,
    escalation_policies: 5,
    crawl_pages: 500,
    mails_per_day: 5_000,
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
    pending_invitations: 100,
    api_keys: null,
    subscribers: 10_000,
    maintenance_windows: null,
    escalation_policies: null,
    crawl_pages: 5_000,
    sms_credits: 100,
    mails_per_day: 20_000,
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
    sso: true,
    api_access: 'full',
    notification_channels: [...all],
  },
}

/**
 * What a team has that no plan binds. Its history ends like that of the largest plan, so that the stores stop growing.
 */
const withoutPlan: Limits = {
  ...planLimits.pro,
  monitors: null,
  status_pages: null,
  pending_invitations: null,
  subscribers: null,
  crawl_pages: null,
  sms_credits: null,
  mails_per_day: null,
  agent_limit: maxCount,
  min_check_interval: 1,
}

/** In the overrides of a tenant: no plan binds it. The operator gives it to teams that no reseller manages. */
export const unlimited = { unlimited: true } as const
export const isUnlimited = (overrides: Record<string, unknown> | null): boolean => overrides?.unlimited === true

/** A plan's limits with a tenant's overrides applied. An override with an invalid value is ignored. */
export function effectiveLimits(plan: string, overrides: Record<string, unknown> | null): Limits {
  const ofPlan = planLimits[plans.find(known => known === plan) ?? 'free']
  const limits: Record<string, unknown> = { ...(isUnlimited(overrides) ? withoutPlan : ofPlan) }
  for (const [key, schema] of Object.entries(Limits.shape)) {
    if (overrides === null || !Object.hasOwn(overrides, key)) continue
    const parsed = schema.safeParse(overrides[key])
    if (parsed.success) limits[key] = parsed.data
  }
  return Limits.parse(limits)
}
