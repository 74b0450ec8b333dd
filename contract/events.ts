import { z } from 'zod'
import { incident, incidentFields, monitor, monitorFields, optionalIncidentFields, resolved, time } from './incident.ts'
import { isMailType, mails, redacted, redactedSchema } from './mails.ts'

const uuid = z.uuid()
const count = z.int().min(0)
const shape = <Shape extends z.ZodRawShape>(fields: Shape) => z.looseObject(fields)

const Monitor = shape(monitorFields)
const Incident = shape({ ...incidentFields, ...optionalIncidentFields })
const Acknowledged = shape({
  ...incidentFields,
  ...optionalIncidentFields,
  acknowledged_at: time.nullable(),
  acknowledged_by_name: z
    .string()
    .nullable()
    .meta({ description: 'null: by the link of a channel that several people read, or by an API key.' }),
})
const escalationFields = {
  run_id: uuid,
  policy_id: uuid,
  policy_name: z.string(),
  round: count.meta({ description: 'From 1; counts the rounds of all policies of the run.' }),
  step: count.meta({ description: 'From 1; the step of this round.' }),
}
const Escalation = shape({ ...incidentFields, ...optionalIncidentFields, ...escalationFields })
const Escalated = shape({
  ...incidentFields,
  ...optionalIncidentFields,
  ...escalationFields,
  targets: z.array(z.object({ type: z.enum(['user', 'channel']), id: uuid })).meta({ description: 'Who is called.' }),
  channel_ids: z.array(uuid).meta({ description: 'The channels that the step itself notifies.' }),
})
const warningFields = {
  ...monitorFields,
  check_id: uuid,
  check_type: z.string(),
  title: z.string(),
  code: z.string(),
  since: time,
  regions: z.array(z.string()),
  details: z.record(z.string(), z.unknown()),
}
const Warning = shape(warningFields)
/** Optional: it says so where what was watched is gone, and the alert ends without being over. */
const deletion = z
  .string()
  .optional()
  .meta({ description: '`deleted`: the check or the monitor was deleted; absent: it is over.' })
const Cleared = shape({ ...warningFields, warning: z.string(), resolution: deletion })
const Servers = z.array(z.string())
const Dns = shape({
  ...monitorFields,
  check_id: uuid,
  check_type: z.string(),
  regions: z.array(z.string()),
  zone: z.string(),
  nameservers: Servers,
  changes: z.array(z.object({ type: z.string(), old: z.unknown(), new: z.unknown() })),
  nameserver_change: z.object({ old: Servers, new: Servers }).nullable(),
  nameservers_changed: z.boolean(),
})
const Certificate = shape({
  ...monitorFields,
  check_id: uuid,
  check_type: z.string(),
  regions: z.array(z.string()),
  issuer: z.string(),
  valid_to: time,
  fingerprint: z.string(),
  serial: z.string().nullable(),
  previous_issuer: z.string(),
  previous_valid_to: time,
  previous_fingerprint: z.string(),
  previous_serial: z.string().nullable(),
})
const Flapping = shape({
  ...monitorFields,
  status: z.string().nullable(),
  started_at: time,
  resolved_at: time.nullable(),
  resolution: deletion,
  incidents_count: count,
  incidents: z.array(
    shape({
      incident_id: uuid,
      title: z.string(),
      status: z.string(),
      severity: z.string(),
      started_at: time,
      resolved_at: time.nullable(),
      // optional: stored messages of earlier versions lack it
      duration_s: count.nullable().optional(),
      was_held: z.boolean(),
    }),
  ),
})
const Storm = shape({
  storm_id: uuid,
  // optional: stored messages of earlier versions lack them
  host: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'The host that all of the monitors share, by its name or its address; null: no single one.' }),
  monitor_ids: z.array(uuid).optional(),
  started_at: time,
  resolved_at: time.nullable(),
  severity: z.string(),
  monitors_count: count,
  down_count: count,
  monitor_names: z.array(z.string()),
  incident_ids: z.array(uuid),
})
const Maintenance = shape({
  maintenance_window_id: uuid,
  title: z.string(),
  description: z.string(),
  mode: z.string(),
  starts_at: time.nullable(),
  ends_at: time.nullable(),
  timezone: z.string(),
  is_recurring: z.boolean(),
  monitor_ids: z.array(uuid),
  tags: z.array(z.string()),
  all: z.boolean(),
})
const pageFields = { status_page_id: uuid, status_page_name: z.string(), status_page_url: z.string() }
const Page = shape(pageFields)
const PagePost = shape({
  ...pageFields,
  post_id: uuid,
  incident_id: uuid.nullable(),
  title: z.string(),
  impact: z.string(),
  phase: z.string(),
  body: z.string(),
  started_at: time,
  resolved_at: time.nullable(),
})
/** Optional: stored messages of earlier versions lack it. */
const tenant_name = z.string().optional()
const planAfterTrial = z
  .string()
  .optional()
  .meta({ description: 'The plan from the end of the trial: free, unless another was sold meanwhile.' })
const teamFields = { managed_team_id: uuid, tenant_id: uuid }
const Quota = shape({ tenant_id: uuid, feature: z.string(), current_count: count, limit: count, usage_pct: count })
const Member = shape({ tenant_id: uuid, user_id: uuid, role: z.string() })
const Invitation = shape({ invitation_id: uuid, tenant_id: uuid, role: z.string() })
const billingFields = { tenant_id: uuid, tenant_name: z.string() }
const mailOf = (template_data: z.ZodType) =>
  shape({
    email_type: z.string(),
    recipient: z.object({
      email: z.string(),
      name: z.string().nullable(),
      language: z.string(),
      user_id: uuid.nullable(),
    }),
    template_data,
  })

const checkFields = { check_id: 'c4b7e2d9-3a61-4f58-9e0c-7d2f1b8a6e35', regions: ['eu', 'us'] }
const escalation = {
  run_id: '2d9f6c1b-8e47-4a35-b0d2-6f1c7e9a4b83',
  policy_id: '7c3e5a91-0f6d-4b28-9a14-e8d2b7c6f503',
  policy_name: 'Operations',
  round: 1,
  step: 2,
}
const warning = (check_type: string, code: string, title: string, details: Record<string, unknown> = {}) => ({
  ...monitor,
  ...checkFields,
  check_type,
  title,
  code,
  since: '2026-01-15T08:30:00.000000Z',
  details,
})
const dns = {
  ...monitor,
  ...checkFields,
  check_type: 'dns',
  zone: 'example.com',
  nameservers: ['a.ns.example.net', 'b.ns.example.net'],
  changes: [{ type: 'A', old: ['192.0.2.10'], new: ['192.0.2.20'] }],
  nameserver_change: null,
  nameservers_changed: false,
}
const team = {
  managed_team_id: '7c3a1d52-91c8-4a3f-bb1e-5a0c8d6e4f31',
  tenant_id: 'e2b7c9a4-1f6d-4d8b-a0c3-9b5e7f1a2c41',
}
const quota = (current_count: number) => ({
  tenant_id: team.tenant_id,
  feature: 'monitors',
  current_count,
  limit: 20,
  usage_pct: current_count * 5,
})
const person = { user_id: '9d4e6b18-2c7a-4f05-8e31-6a2b0c9d7e51', email: 'pat@example.com', name: 'Pat Person' }
const member = { tenant_id: team.tenant_id, user_id: person.user_id, role: 'member' }
const billing = { tenant_id: team.tenant_id, tenant_name: 'Acme' }
const maintenance = {
  maintenance_window_id: 'f3a90c6d-52b7-4e18-8d4f-1c7e6b2a9d05',
  title: 'Database upgrade',
  description: 'The shop answers slowly for some minutes.',
  mode: 'suppress_alerts',
  starts_at: '2026-01-18T01:00:00.000000Z',
  ends_at: '2026-01-18T03:00:00.000000Z',
  timezone: 'Europe/Berlin',
  is_recurring: true,
  monitor_ids: [monitor.monitor_id],
  tags: ['shop'],
  all: false,
}
const page = {
  status_page_id: '8b2f6d90-1c4e-4a75-9f38-e5d07a6c3b14',
  status_page_name: 'Acme status',
  status_page_url: 'https://vedette.example/status/acme',
}
const pagePost = {
  ...page,
  post_id: 'c6e19a47-5d83-4b02-8e6f-0a9d4c7b2f58',
  incident_id: incident.incident_id,
  title: 'The checkout fails',
  impact: 'major',
  phase: 'investigating',
  body: 'We examine the cause.',
  started_at: '2026-01-15T08:30:00.000000Z',
  resolved_at: null,
}
const storm = {
  storm_id: '3e8f5c27-7b1d-4960-9a42-d1c0e8b6f761',
  host: null,
  monitor_ids: [monitor.monitor_id],
  started_at: '2026-01-15T08:30:00.000000Z',
  resolved_at: null,
  severity: 'critical',
  monitors_count: 12,
  down_count: 12,
  monitor_names: ['Shop', 'Blog', 'API'],
  incident_ids: [incident.incident_id],
}
const flapping = {
  ...monitor,
  status: 'down',
  started_at: '2026-01-15T08:30:00.000000Z',
  resolved_at: null,
  incidents_count: 3,
  incidents: [
    {
      incident_id: incident.incident_id,
      title: incident.title,
      status: 'resolved',
      severity: 'critical',
      started_at: '2026-01-15T08:30:00.000000Z',
      resolved_at: '2026-01-15T08:42:10.000000Z',
      duration_s: 730,
      was_held: false,
    },
  ],
}

type PayloadSchema = z.ZodObject<z.ZodRawShape, z.core.$loose>
interface EventKind<Schema extends PayloadSchema = PayloadSchema> {
  description: string
  schema: Schema
  example: z.input<Schema>
}
const kind = <Schema extends PayloadSchema>(
  description: string,
  schema: Schema,
  example: z.input<Schema>,
): EventKind<Schema> => ({ description, schema, example })

/** E-mail types that a reseller may receive at its webhook instead. */
export const suppressibleMails = [
  'invitation',
  'member_removed',
  'trial_ending',
  'trial_expired',
  'incident_created',
  'incident_resolved',
  'warning',
  'dns_changed',
  'certificate_renewed',
  'digest',
  'monthly_report',
  'status_page_subscription',
  'security_mfa_enabled',
  'security_mfa_disabled',
  'security_recovery_codes_regenerated',
  'security_mfa_reset',
  'security_passkey_added',
  'security_passkey_removed',
  'security_password_changed',
  'security_email_changed',
  'security_api_token_created',
  'security_api_token_revoked',
  'security_session_revoked',
  'security_login_new_device',
  'security_account_blocked',
  'security_account_unblocked',
  'security_role_changed',
  'security_auth_policy_changed',
  'security_account_deleted',
] as const
export type SuppressibleMail = (typeof suppressibleMails)[number]
type MailEvent = `email.${SuppressibleMail}`

const Slo = shape({
  monitor_id: uuid,
  monitor_name: z.string(),
  monitor_url: z.string(),
  target_pct: z.number(),
  window_days: z.int(),
  uptime_pct: z.number().nullable(),
  budget_s: z.number(),
  used_s: z.number(),
  left_s: z.number(),
  left_pct: z.number(),
  burn_rate_1h: z.number().nullable(),
  burn_rate_24h: z.number().nullable(),
})
const slo = (
  budget: Pick<z.input<typeof Slo>, 'used_s' | 'left_s' | 'left_pct' | 'burn_rate_1h' | 'burn_rate_24h'>,
) => ({
  monitor_id: 'c2a7d4b1-3e5f-4c86-9a0d-7b1e8f2c6d34',
  monitor_name: 'Shop',
  monitor_url: 'https://shop.example.com/',
  target_pct: 99.9,
  window_days: 30,
  uptime_pct: 99.9374,
  budget_s: 2_592,
  ...budget,
})

const platformEvents = {
  'team.provisioned': kind(
    'A team was created',
    shape({ ...teamFields, tenant_name: z.string(), label: z.string().nullable() }),
    {
      ...team,
      tenant_name: 'Acme',
      label: 'gold',
    },
  ),
  'team.deleted': kind(
    'A team was deleted; it can be restored for thirty days',
    shape({ ...teamFields, tenant_name: z.string() }),
    {
      ...team,
      tenant_name: 'Acme',
    },
  ),
  'team.restored': kind('A deleted team was restored', shape({ ...teamFields, tenant_name: z.string() }), {
    ...team,
    tenant_name: 'Acme',
  }),
  'team.paused': kind(
    'Monitoring of a team was paused',
    shape({ ...teamFields, tenant_name, reason: z.string().nullable() }),
    {
      ...team,
      tenant_name: 'Acme',
      reason: 'unpaid',
    },
  ),
  'team.unpaused': kind('Monitoring of a team was resumed', shape({ ...teamFields, tenant_name }), {
    ...team,
    tenant_name: 'Acme',
  }),
  'team.trial_ending': kind(
    'A team’s trial ends in three days, or in one',
    shape({
      ...teamFields,
      tenant_name: z.string(),
      label: z.string().nullable(),
      plan: z.string(),
      trial_ends_at: time,
      days_remaining: count,
      plan_after_trial: planAfterTrial,
    }),
    {
      ...team,
      tenant_name: 'Acme',
      label: 'gold',
      plan: 'pro',
      trial_ends_at: '2026-01-18T00:00:00.000000Z',
      days_remaining: 3,
      plan_after_trial: 'free',
    },
  ),
  'team.trial_expired': kind(
    'A team’s trial ended: its plan is free again, or the one that was sold meanwhile',
    shape({ ...teamFields, tenant_name, previous_plan: z.string(), plan: planAfterTrial }),
    {
      ...team,
      tenant_name: 'Acme',
      previous_plan: 'pro',
      plan: 'free',
    },
  ),
  'tenant.quota_warning': kind('A team uses at least 80 % of a limit of its plan', Quota, quota(16)),
  'tenant.quota_exceeded': kind('A team was refused something by a limit of its plan', Quota, quota(20)),

  'monitor.created': kind('A monitor was created', Monitor, monitor),
  'monitor.updated': kind('A monitor or one of its checks was changed', Monitor, monitor),
  'monitor.deleted': kind('A monitor was deleted', Monitor, monitor),
  'monitor.enabled': kind('A monitor was switched on', Monitor, monitor),
  'monitor.disabled': kind('A monitor was switched off', Monitor, monitor),
  'monitor.flapping': kind('A monitor goes up and down too often; its alerts are suppressed', Flapping, flapping),
  'monitor.flapping_resolved': kind('A monitor is steady again', Flapping, {
    ...flapping,
    status: 'up',
    resolved_at: '2026-01-15T09:30:00.000000Z',
  }),

  'member.added': kind('A person joined a team', Member, member),
  'member.removed': kind('A person left a team or was removed', Member, member),
  'member.erased': kind(
    'The personal data of a person was erased in every team',
    shape({
      email: z.string(),
      name: z.string(),
      erased_at: time,
      initiated_by: z.enum(['self', 'reseller']),
      erasure_id: uuid,
      teams: z.array(
        z.object({
          managed_tenant_id: uuid,
          user_id: uuid,
          role: z.string(),
          label: z.string().nullable(),
          external_ref: z.string().nullable(),
        }),
      ),
    }),
    {
      email: person.email,
      name: person.name,
      erased_at: '2026-01-15T08:30:00.000000Z',
      initiated_by: 'self',
      erasure_id: '1a5c9e73-4d2b-4e86-b7f0-8c3d6a1e9f71',
      teams: [
        {
          managed_tenant_id: team.tenant_id,
          user_id: person.user_id,
          role: 'member',
          label: 'gold',
          external_ref: null,
        },
      ],
    },
  ),

  'incident.created': kind('A monitor is down: enough regions agree', Incident, incident),
  'incident.resolved': kind(
    'A monitor is up again, or its incident has ended otherwise: see `resolution`',
    Incident,
    resolved,
  ),

  'incident.acknowledged': kind('A person has taken an incident', Acknowledged, {
    ...incident,
    acknowledged_at: '2026-01-15T08:33:00.000000Z',
    acknowledged_by_name: person.name,
  }),

  'incident.escalated': kind('A step of an escalation policy calls people', Escalated, {
    ...incident,
    ...escalation,
    targets: [{ type: 'user', id: person.user_id }],
    channel_ids: [],
  }),
  'incident.escalation_exhausted': kind('An incident was escalated to the end, and no person took it', Escalation, {
    ...incident,
    ...escalation,
  }),

  'warning.ssl_expiring': kind(
    'A certificate expires soon',
    Warning,
    warning('ssl', 'ssl_expiring', 'The certificate expires in 7 days.', { days_remaining: 7 }),
  ),
  'warning.domain_expiring': kind(
    'A domain expires soon',
    Warning,
    warning('domain_expiry', 'domain_expiring', 'The domain expires in 14 days.', { days_remaining: 14 }),
  ),
  'warning.degraded_performance': kind(
    'A site answers slowly',
    Warning,
    warning('uptime', 'slow', 'The answer took 2400 ms, more than 2000 ms.'),
  ),
  'warning.application_health': kind(
    'An application reports that it is unwell',
    Warning,
    warning('application_health', 'unwell', 'The queue is not being processed.'),
  ),
  'warning.sitemap_issues': kind(
    'A sitemap has faults',
    Warning,
    warning('sitemap', 'addresses_gone', '3 addresses of the sitemap are gone.'),
  ),
  'warning.security_headers': kind(
    'Security headers are missing',
    Warning,
    warning('security_headers', 'grade', 'Strict-Transport-Security is missing.'),
  ),
  'warning.redirect_chain': kind(
    'Redirects are too many, or lead elsewhere',
    Warning,
    warning('redirect_chain', 'too_long', '6 redirects are more than 3.'),
  ),
  'warning.robots_txt': kind(
    'The robots.txt of a site has changed or has faults',
    Warning,
    warning('robots_txt', 'blocks_all', 'robots.txt forbids everything.'),
  ),
  'warning.dnsbl_listing': kind(
    'An address is on a block list',
    Warning,
    warning('dnsbl', 'listed', 'Listed by one block list.'),
  ),
  'warning.broken_links': kind('Links lead nowhere', Warning, warning('broken_links', 'broken', '2 links are broken.')),
  'warning.mixed_content': kind(
    'A secure page loads insecure parts',
    Warning,
    warning('mixed_content', 'insecure', '1 image is loaded over http.'),
  ),
  'warning.server_resources': kind(
    'A server is short of something',
    Warning,
    warning('agent', 'disk', 'The disk is 95 % full.'),
  ),
  'warning.cleared': kind('A warning is over', Cleared, {
    ...warning('ssl', 'ssl_expiring', 'Over: The certificate expires in 7 days.', { days_remaining: 7 }),
    warning: 'ssl_expiring',
  }),

  'dns.records_changed': kind('DNS records have changed', Dns, dns),
  'dns.nameserver_changed': kind('The authoritative name servers have changed', Dns, {
    ...dns,
    changes: [{ type: 'NS', old: ['a.ns.example.net'], new: ['a.ns.example.org'] }],
    nameserver_change: { old: ['a.ns.example.net'], new: ['a.ns.example.org'] },
    nameservers_changed: true,
  }),
  'certificate.renewed': kind('A certificate was renewed', Certificate, {
    ...monitor,
    ...checkFields,
    check_type: 'ssl',
    issuer: 'Example CA',
    valid_to: '2026-04-15T00:00:00.000000Z',
    fingerprint: '5E:2A:91:07',
    serial: '04B2F7',
    previous_issuer: 'Example CA',
    previous_valid_to: '2026-01-20T00:00:00.000000Z',
    previous_fingerprint: '93:C0:4D:AF',
    previous_serial: '03A1E6',
  }),
  'maintenance.scheduled': kind('Maintenance is planned, or was moved', Maintenance, maintenance),
  'maintenance.started': kind('Maintenance has begun', Maintenance, maintenance),
  'maintenance.ended': kind('Maintenance is over', Maintenance, maintenance),
  'maintenance.cancelled': kind('Maintenance was cancelled', Maintenance, maintenance),
  'status_page.published': kind('A status page was published', Page, page),
  'status_page.incident_posted': kind('An incident was published on a status page', PagePost, pagePost),
  'status_page.incident_updated': kind('An update of an incident was published on a status page', PagePost, {
    ...pagePost,
    phase: 'resolved',
    body: 'The checkout works again.',
    resolved_at: '2026-01-15T09:00:00.000000Z',
  }),
  'slo.budget_burning': kind(
    'Much of an error budget was used within an hour or a day',
    Slo,
    slo({ used_s: 300, left_s: 2_292, left_pct: 88.43, burn_rate_1h: 83.33, burn_rate_24h: 3.47 }),
  ),
  'slo.budget_exhausted': kind(
    'An error budget is used up',
    Slo,
    slo({ used_s: 2_700, left_s: 0, left_pct: 0, burn_rate_1h: 750, burn_rate_24h: 31.25 }),
  ),
  'slo.budget_recovered': kind(
    'An error budget is no longer used up, or no longer used fast',
    Slo,
    slo({ used_s: 300, left_s: 2_292, left_pct: 88.43, burn_rate_1h: 0, burn_rate_24h: 0 }),
  ),
  'on_call.gap_found': kind(
    'No person is on call for a time within the next seven days',
    z.object({ schedule_id: uuid, schedule_name: z.string(), timezone: z.string(), starts_at: time, ends_at: time }),
    {
      schedule_id: 'a4c1e8d2-7b35-4f96-8e0a-5d2b9c7f1e34',
      schedule_name: 'Primary',
      timezone: 'Europe/Berlin',
      starts_at: '2026-01-17T17:00:00.000000Z',
      ends_at: '2026-01-19T08:00:00.000000Z',
    },
  ),
  'billing.plan_changed': kind(
    'What is paid for, or no longer paid for, has changed the plan of a team',
    shape({ ...billingFields, previous_plan: z.string(), plan: z.string(), status: z.string() }),
    { ...billing, previous_plan: 'starter', plan: 'pro', status: 'active' },
  ),
  'billing.payment_failed': kind(
    'A payment is open; the plan stays until the grace period ends',
    shape({ ...billingFields, plan: z.string(), grace_ends_at: time }),
    { ...billing, plan: 'pro', grace_ends_at: '2026-01-29T08:30:00.000000Z' },
  ),
  'billing.invoice_paid': kind(
    'An invoice was paid',
    shape({
      ...billingFields,
      invoice_id: uuid,
      number: z.string().nullable(),
      currency: z.string(),
      total: count.meta({ description: 'In minor units of the currency.' }),
      paid_at: time,
    }),
    {
      ...billing,
      invoice_id: '5b8d1e7a-9c42-4f06-a3b8-0d6e2c9f7a15',
      number: 'E2B7C9A4-0001',
      currency: 'eur',
      total: 2_261,
      paid_at: '2026-01-15T08:30:00.000000Z',
    },
  ),
  'storm.detected': kind(
    'Many monitors fail at once, of all hosts or of one; their alerts are suppressed',
    Storm,
    storm,
  ),
  'storm.resolved': kind('A storm of failures is over', Storm, {
    ...storm,
    resolved_at: '2026-01-15T09:00:00.000000Z',
    down_count: 1,
  }),
} satisfies Record<string, EventKind>

/** The template data of a mail without secrets, and the name of the brand. */
const templateDataOf = (type: SuppressibleMail) =>
  isMailType(type)
    ? {
        schema: redactedSchema(type).extend({ brand_name: z.string() }),
        example: { ...redacted(type, mails[type].example), brand_name: 'Example Hosting' },
      }
    : { schema: z.record(z.string(), z.unknown()), example: {} }

function mailEvent(type: SuppressibleMail): EventKind {
  const { schema, example } = templateDataOf(type)
  return kind(`Instead of the e-mail “${type.replaceAll('_', ' ')}”, where that is suppressed`, mailOf(schema), {
    email_type: type,
    recipient: { email: person.email, name: person.name, language: 'en', user_id: person.user_id },
    template_data: example,
  })
}
const mailEntries = suppressibleMails.map(type => [`email.${type}`, mailEvent(type)] as const)

/** Alternative names for subscriptions. */
export const aliases = {
  'monitor.down': 'incident.created',
  'monitor.up': 'incident.resolved',
  'ssl.expiring': 'warning.ssl_expiring',
} as const

/** The payloads of events that are emitted inside the platform only; no subscription receives them. */
const internalEvents = {
  'invitation.created': Invitation,
  'invitation.resent': Invitation,
} satisfies Record<string, PayloadSchema>

type PlatformEvent = keyof typeof platformEvents
type Schemas = { [Name in PlatformEvent]: (typeof platformEvents)[Name]['schema'] } & typeof internalEvents &
  Record<MailEvent, ReturnType<typeof mailOf>>

/** Every event name that can be emitted. */
export type EventName = keyof Schemas
/** The events of a warning that begins; all end with `warning.cleared`. */
export type WarningName = Exclude<Extract<EventName, `warning.${string}`>, 'warning.cleared'>

type KnownFields<Fields> = { [Key in keyof Fields as string extends Key ? never : Key]: Fields[Key] }
/**
 * The payload of an event, besides `event` and `timestamp`, as it is emitted. Its schema accepts unknown fields,
 * because stored payloads of other versions may have them; an emitted payload has only the known ones.
 */
export type Payload<Name extends EventName> = KnownFields<z.input<Schemas[Name]>>

export type Alias = keyof typeof aliases
export type Subscribed = EventName | Alias

/** Every event: its meaning, its payload besides `event` and `timestamp`, and an example. */
export const events: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ...Object.entries(platformEvents),
  ...mailEntries,
])

export const isAlias = (name: string): name is Alias => Object.hasOwn(aliases, name)

/** Resolves an alias to the event it stands for. */
export const canonicalName = (name: string): string => (isAlias(name) ? aliases[name] : name)

/** Every name a rule can subscribe to. */
export const subscribable: readonly string[] = [...events.keys(), ...Object.keys(aliases)]

/** Events with personal data, deleted after delivery. */
export const isPersonal = (name: string) => name === 'member.erased' || name.startsWith('email.')
