/**
 * The document of `vedette export`, which `vedette import` and the source `vedette` of a migration read. It holds what
 * a team has made as the API shows it, and nothing that was measured. In place of a secret it has eight asterisks,
 * which may be replaced by hand. Monitors and jobs are imported by a migration, which the app can run too; the other
 * parts by `vedette import` alone.
 */
export const exportFormat = 'vedette-export'
export const exportVersion = 1

export interface ExportDocument {
  format: typeof exportFormat
  version: typeof exportVersion
  exported_at: string
  /** The installation it comes from. */
  from: string
  monitors: Exported[]
  jobs: Exported[]
  /** Those that schedules and policies name. In another team they are members with the same address. */
  people?: { id: string; name: string; email: string }[]
  /** What the team has set of its branding. */
  branding?: Exported
  /** Records of each part, by its key. */
  [part: string]: unknown
}

/** A record, as the request that creates it has its fields, with its id. */
export type Exported = Record<string, unknown>

/** A secret as the API shows it. */
export const maskedSecret = '********'

/** Fields of a monitor that are exported; its checks besides. */
export const exportedOfMonitor = [
  'id',
  'type',
  'name',
  'url',
  'tags',
  'group',
  'notes',
  'is_enabled',
  'check_interval',
  'timeout',
  'regions',
  'region_policy',
  'confirmations',
  'recovery_confirmations',
  'depends_on',
  'escalation_policy_id',
  'external_ref',
  'metadata',
  'slo',
] as const

/** Fields of a job that are exported. */
export const exportedOfJob = [
  'id',
  'name',
  'url',
  'tags',
  'group',
  'notes',
  'is_enabled',
  'severity',
  'schedule_kind',
  'schedule',
  'timezone',
  'period_minutes',
  'grace_minutes',
  'max_run_minutes',
  'fail_keyword',
  'depends_on',
  'escalation_policy_id',
  'external_ref',
  'metadata',
  'slo',
] as const

/** Fields of a check that are exported. */
export const exportedOfCheck = ['type', 'settings', 'interval', 'severity', 'is_enabled'] as const

export const only = (fields: Exported, names: readonly string[]): Exported =>
  Object.fromEntries(names.flatMap(name => (fields[name] === undefined ? [] : [[name, fields[name]]])))

/** A list of records, each of which one request to the address of the list creates. */
export interface ExportedPart {
  /** Its key in the document. */
  key: string
  /** What one record is. */
  title: string
  /** Of the API. Below `{parent}` are the records of another part. */
  path: string
  /** The part that the records belong to. */
  of?: string
  /** What names a record. */
  named: string
  fields: readonly string[]
  /** Fields, at any depth, that hold ids of other records. */
  refs: readonly string[]
}

/** In the order in which they are created: what a record names comes before it. */
export const exportedParts: readonly ExportedPart[] = [
  {
    key: 'servers',
    title: 'server',
    path: '/agent-monitors',
    named: 'name',
    fields: [
      ...['name', 'tags', 'group', 'notes', 'is_enabled', 'depends_on', 'escalation_policy_id', 'external_ref'],
      ...['metadata', 'slo', 'thresholds', 'no_data_after_minutes', 'severity'],
    ],
    refs: [],
  },
  {
    key: 'notification_channels',
    title: 'channel',
    path: '/notification-channels',
    named: 'name',
    fields: ['name', 'is_enabled', 'type', 'config'],
    refs: [],
  },
  {
    key: 'on_call_schedules',
    title: 'schedule',
    path: '/on-call-schedules',
    named: 'name',
    fields: ['name', 'timezone', 'rotations'],
    refs: ['users'],
  },
  {
    key: 'escalation_policies',
    title: 'policy',
    path: '/escalation-policies',
    named: 'name',
    fields: ['name', 'is_default', 'repeat_count', 'repeat_delay_minutes', 'fallback_policy_id', 'steps'],
    refs: ['id', 'fallback_policy_id'],
  },
  {
    key: 'on_call_overrides',
    title: 'override',
    path: '/on-call-schedules/{parent}/overrides',
    of: 'on_call_schedules',
    named: 'starts_at',
    fields: ['user_id', 'replaces_user_id', 'escalation_policy_id', 'starts_at', 'ends_at', 'reason'],
    refs: ['user_id', 'replaces_user_id', 'escalation_policy_id'],
  },
  {
    key: 'notification_rules',
    title: 'rule',
    path: '/notification-rules',
    named: 'event_types',
    fields: ['channel_id', 'event_types', 'monitor_filter', 'tenant_filter'],
    refs: ['channel_id', 'monitor_ids'],
  },
  {
    key: 'status_pages',
    title: 'status page',
    path: '/status-pages',
    named: 'name',
    fields: [
      ...['name', 'slug', 'description', 'state', 'access', 'password', 'allowed_email_domains', 'allowed_ips'],
      ...['locale', 'locales', 'timezone', 'history_days', 'show_uptime', 'show_response', 'show_values'],
      ...['uptime_mode', 'min_incident_minutes', 'noindex', 'hide_powered_by', 'theme', 'primary_color'],
      ...['logo_url', 'logo_url_dark', 'header_links', 'footer_links', 'texts'],
    ],
    refs: [],
  },
  {
    key: 'status_page_groups',
    title: 'page group',
    path: '/status-pages/{parent}/groups',
    of: 'status_pages',
    named: 'name',
    fields: ['name', 'position', 'is_open'],
    refs: [],
  },
  {
    key: 'status_page_components',
    title: 'component',
    path: '/status-pages/{parent}/components',
    of: 'status_pages',
    named: 'name',
    fields: [
      ...['type', 'monitor_id', 'monitor_group', 'static_status', 'name', 'description', 'group_id', 'position'],
      ...['show_history', 'status_when_down'],
    ],
    refs: ['monitor_id', 'group_id'],
  },
  {
    key: 'maintenance_windows',
    title: 'window',
    path: '/maintenance-windows',
    named: 'title',
    fields: [
      ...['title', 'description', 'scope', 'starts_at', 'timezone', 'duration_minutes', 'rrule', 'until'],
      ...['status_page_ids', 'mode', 'exclude_from_uptime', 'notify'],
    ],
    refs: ['monitor_ids', 'status_page_ids'],
  },
  {
    key: 'status_page_templates',
    title: 'page template',
    path: '/status-page-templates',
    named: 'name',
    fields: ['name', 'phase', 'title', 'body'],
    refs: [],
  },
  {
    key: 'monitor_templates',
    title: 'monitor template',
    path: '/reseller/monitor-templates',
    named: 'name',
    fields: ['name', 'monitors', 'variables'],
    refs: [],
  },
  {
    key: 'provisioning_profiles',
    title: 'provisioning profile',
    path: '/reseller/provisioning-profiles',
    named: 'name',
    fields: ['name', 'plan', 'trial_days', 'feature_overrides', 'branding', 'monitor_template_id'],
    refs: ['monitor_template_id'],
  },
]

/** Fields of a team's branding that are exported. */
export const exportedOfBranding = [
  ...['brand_name', 'alert_prefix', 'logo_url', 'logo_url_dark', 'symbol_url', 'favicon_url', 'footer_url'],
  ...['privacy_url', 'imprint_url', 'upgrade_url', 'support_url', 'primary_color', 'secondary_color', 'footer_text'],
  ...['hide_powered_by', 'notification_from_name', 'upsell_mode', 'upsell_cta', 'plan_labels', 'upsell_offers'],
  'upsell_threshold',
] as const

/** Links of a monitor, job or server to others, which are set once all of them are here. */
export const exportedLinks = ['depends_on', 'escalation_policy_id', 'regions'] as const

/** What a document of this version holds that a migration does not import. */
export const partsOfImport: readonly string[] = ['people', 'branding', ...exportedParts.map(({ key }) => key)]
