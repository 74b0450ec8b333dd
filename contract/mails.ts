import { z } from 'zod'
import { incident, incidentFields, monitor, monitorFields, optionalIncidentFields, resolved, time } from './incident.ts'
import { impacts, maintenancePhases, phases } from './status-page.ts'

const text = z.string()
const count = z.int().min(0)
const link = z.url({ protocol: /^https?$/ })

interface MailKind<Schema extends z.ZodObject = z.ZodObject> {
  description: string
  schema: Schema
  example: z.input<Schema>
  /** Fields with a secret link: stored encrypted. */
  secrets: readonly (keyof z.output<Schema> & string)[]
  /**
   * Its link proves that an address belongs to its recipient: sent through the platform's mail server, never through
   * one that a team controls.
   */
  provesAddress?: true
  /** Whether its links stay at the host that asked for it, instead of moving to the portal of its team. */
  keepsHost?: true
  /**
   * By field, the field that replaces it where others than the recipient can read the mail: a team's mail server, a
   * reseller's webhook.
   */
  redacted?: Readonly<Record<string, string>>
  /** By field, the path of a page of the app: the link is added when the mail is sent. */
  pages?: Readonly<Record<string, `/app/${string}`>>
}
const kind = <Shape extends z.ZodRawShape>(
  description: string,
  shape: Shape,
  example: z.input<z.ZodObject<Shape>>,
  secrets: readonly (keyof z.output<z.ZodObject<Shape>> & string)[] = [],
  more: Pick<MailKind, 'provesAddress' | 'keepsHost' | 'redacted' | 'pages'> = {},
): MailKind<z.ZodObject<Shape>> => ({ description, schema: z.object(shape), example, secrets, ...more })

/** Fields of every account notice; the brand name is added when it is sent. */
const noticeFields = {
  user_name: text,
  user_email: text,
  occurred_at: time,
  ip_address: text.nullable().meta({ description: 'IP address of the person; null when another person acted.' }),
}
const notice = {
  user_name: 'Pat Person',
  user_email: 'pat@example.com',
  occurred_at: '2026-01-15T08:30:00.000000Z',
  ip_address: '198.51.100.7',
}

/** Fields of the mail to the former address about its replacement. */
const addressChange = {
  user_name: text,
  new_email: text,
  occurred_at: time,
  ip_address: text.nullable(),
  revert_url: link,
}
const addressChanged = {
  user_name: 'Pat Person',
  new_email: 'p***@example.org',
  occurred_at: '2026-01-15T08:30:00.000000Z',
  ip_address: '198.51.100.7',
  revert_url: 'https://status.example.com/email-revert#qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
}

const Outage = z.object({
  title: text,
  monitor_name: text,
  started_at: time,
  resolved_at: time.nullable(),
  duration_s: count,
})
const aMonth = { uptime_pct: z.number().nullable(), downtime_s: count, incidents_count: count }
const isRemoved = z.boolean().optional().meta({ description: 'The monitor was deleted since.' })
const aMonitorsMonth = z.object({
  monitor_name: text,
  is_removed: isRemoved,
  ...aMonth,
  uptime_pct: z.number(),
  before_pct: z.number().nullable(),
})

/** What of a team is beyond its plan: what runs is on hold, all else stays. Older mails lack it. */
const beyondPlan = {
  monitors_on_hold: count.optional(),
  monitor_names: z.array(text).optional().meta({ description: 'Of the monitors on hold, at most 50.' }),
  channels_on_hold: count.optional(),
  channel_names: z.array(text).optional().meta({ description: 'Of the channels on hold, at most 50.' }),
  over_limit: z
    .array(z.object({ feature: text, current: count, limit: count }))
    .optional()
    .meta({ description: 'What stays although there is more of it than the plan allows: it can only become less.' }),
  plan_url: link.optional().meta({ description: 'Where the app shows it, and which monitors are kept is chosen.' }),
}
const beyondExample = {
  monitors_on_hold: 2,
  monitor_names: ['Shop', 'API'],
  channels_on_hold: 1,
  channel_names: ['Ops'],
  over_limit: [{ feature: 'status_pages', current: 3, limit: 1 }],
  plan_url: 'https://status.example.com/app/settings/plan',
}
const toPlan = { pages: { plan_url: '/app/settings/plan' } } as const

const details_url = link.optional().meta({ description: 'Where the app shows it.' })
const acknowledge_url = link
  .optional()
  .meta({ description: 'Acknowledges the incident in the recipient’s name, without signing in; lasts seven days.' })
const resolve_url = link
  .optional()
  .meta({ description: 'Resolves the incident in the recipient’s name, without signing in; lasts seven days.' })
const monitorPage = `https://status.example.com/app/monitors/${monitor.monitor_id}`
const acknowledgeExample =
  'https://status.example.com/acknowledge#C59OCjqOS1eMDC-fOx1eIV8degpqUkxknTUPe3wvahFpceX9AAAAAAAAAAAc0N7z1Yq5s3uJmM2kq7hR'

const resolveExample =
  'https://status.example.com/resolve#C59OCjqOS1eMDC-fOx1eIV8degpqUkxknTUPe3wvahFpceX9AAAAAAAAAAAs0N7z1Yq5s3uJmM2kq7hR'

/** Every e-mail: its purpose, its template data and an example. */
export const mails = {
  invitation: kind(
    'A person is invited to a team',
    {
      team_name: text,
      invited_by: text.nullable(),
      role: text,
      accept_url: link,
      shown_url: link.optional(),
      expires_at: time,
    },
    {
      team_name: 'Acme',
      invited_by: 'Ina Inviter',
      role: 'member',
      accept_url: 'https://status.example.com/invitation#qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
      shown_url: 'https://status.example.com/invitation#Zr0bS1wq4k2mWm8xY3nD7tJ5vL6aQ9eHcG1fPpUiKoE',
      expires_at: '2026-01-22T08:30:00.000000Z',
    },
    ['accept_url', 'shown_url'],
    { redacted: { accept_url: 'shown_url' } },
  ),
  member_removed: kind(
    'A person was removed from a team',
    { team_name: text, user_name: text },
    { team_name: 'Acme', user_name: 'Pat Person' },
  ),
  trial_ending: kind(
    'A trial ends soon',
    {
      team_name: text,
      plan: text,
      trial_ends_at: time,
      days_remaining: count,
      plan_after_trial: text.optional(),
      ...beyondPlan,
    },
    {
      ...{ team_name: 'Acme', plan: 'pro', trial_ends_at: '2026-01-18T00:00:00.000000Z', days_remaining: 3 },
      plan_after_trial: 'free',
      ...beyondExample,
    },
    [],
    toPlan,
  ),
  trial_expired: kind(
    'A trial has ended',
    { team_name: text, previous_plan: text, plan: text.optional(), ...beyondPlan },
    { team_name: 'Acme', previous_plan: 'pro', plan: 'free', ...beyondExample },
    [],
    toPlan,
  ),
  on_hold_changed: kind(
    'A change of the plan or its limits puts monitors or channels on hold, or releases them: for the administrators',
    {
      team_name: text,
      plan: text,
      changed_at: time,
      is_unpaused: z.boolean().optional().meta({ description: 'The same change ended a pause of the team.' }),
      monitors_held: count.meta({ description: 'How many the change put on hold.' }),
      channels_held: count,
      monitors_released: count.meta({ description: 'How many the change released.' }),
      channels_released: count,
      ...beyondPlan,
    },
    {
      team_name: 'Acme',
      plan: 'free',
      changed_at: '2026-01-15T08:30:00.000000Z',
      monitors_held: 2,
      channels_held: 1,
      monitors_released: 0,
      channels_released: 0,
      ...beyondExample,
    },
    [],
    toPlan,
  ),
  team_paused: kind(
    'A reseller has paused a team: for its administrators',
    { team_name: text, paused_at: time, reason: text.nullable() },
    { team_name: 'Acme', paused_at: '2026-01-15T08:30:00.000000Z', reason: 'Invoice 4711 unpaid' },
  ),
  team_unpaused: kind(
    'A team is no longer paused: for its administrators',
    { team_name: text, unpaused_at: time },
    { team_name: 'Acme', unpaused_at: '2026-01-15T08:30:00.000000Z' },
  ),
  incident_created: kind(
    'A monitor is down',
    { ...incidentFields, ...optionalIncidentFields, details_url, acknowledge_url, resolve_url },
    {
      ...incident,
      details_url: `https://status.example.com/app/incidents/${incident.incident_id}`,
      acknowledge_url: acknowledgeExample,
      resolve_url: resolveExample,
    },
    ['acknowledge_url', 'resolve_url'],
  ),
  incident_resolved: kind(
    'A monitor is up again, or its incident has ended otherwise',
    { ...incidentFields, ...optionalIncidentFields, details_url },
    { ...resolved, details_url: `https://status.example.com/app/incidents/${incident.incident_id}` },
  ),
  escalation_notice: kind(
    'An escalation policy calls a person to an incident',
    {
      ...incidentFields,
      ...optionalIncidentFields,
      policy_name: text,
      round: count,
      step: count,
      details_url,
      acknowledge_url,
      resolve_url,
    },
    {
      ...incident,
      policy_name: 'Operations',
      round: 1,
      step: 2,
      details_url: `https://status.example.com/app/incidents/${incident.incident_id}`,
      acknowledge_url: acknowledgeExample,
      resolve_url: resolveExample,
    },
    ['acknowledge_url', 'resolve_url'],
  ),
  escalation_exhausted: kind(
    'An incident was escalated to the end, and no person took it',
    { ...incidentFields, ...optionalIncidentFields, policy_name: text, details_url },
    {
      ...incident,
      policy_name: 'Operations',
      details_url: `https://status.example.com/app/incidents/${incident.incident_id}`,
    },
  ),
  warning: kind(
    'Something needs attention before it fails, or needs it no more',
    {
      ...monitorFields,
      warning: text.meta({ description: 'Such as `ssl_expiring`; `cleared` once it is over.' }),
      resolution: text.optional().meta({ description: '`deleted`: the check was deleted, and its warning with it.' }),
      check_type: text,
      title: text,
      code: text.optional(),
      since: time.optional(),
      timestamp: time.optional(),
      regions: z.array(text).optional(),
      details: z.record(text, z.unknown()).optional(),
      details_url,
    },
    {
      ...monitor,
      warning: 'ssl_expiring',
      check_type: 'ssl',
      title: 'The certificate expires in 7 days.',
      code: 'ssl_expiring',
      since: '2026-01-15T08:30:00.000000Z',
      timestamp: '2026-01-15T08:30:05.000000Z',
      regions: ['eu-west', 'us-east'],
      details: { days_remaining: 7, valid_to: '2026-01-22T12:00:00.000000Z', issuer: 'Example CA' },
      details_url: monitorPage,
    },
  ),
  certificate_renewed: kind(
    'A certificate was renewed',
    {
      ...monitorFields,
      issuer: text,
      valid_to: time,
      fingerprint: text.optional(),
      previous_issuer: text.optional(),
      previous_valid_to: time.optional(),
      regions: z.array(text).optional(),
      details_url,
    },
    {
      ...monitor,
      issuer: 'Example CA',
      valid_to: '2026-04-15T00:00:00.000000Z',
      fingerprint: '5E:2A:91:07',
      previous_issuer: 'Former CA',
      previous_valid_to: '2026-01-20T00:00:00.000000Z',
      regions: ['eu-west', 'us-east'],
      details_url: monitorPage,
    },
  ),
  digest: kind(
    'Summary of a day or a week',
    {
      period: z.enum(['daily', 'weekly']),
      team_name: text,
      from: time,
      to: time,
      timezone: text,
      uptime_pct: z.number().nullable(),
      monitors_count: count,
      monitors_down: z.array(z.object({ monitor_name: text, monitor_url: text, since: time.nullable() })),
      incidents: z.array(Outage),
      incidents_count: count,
      uptime: z.array(z.object({ monitor_name: text, is_removed: isRemoved, uptime_pct: z.number() })),
      details_url,
      unsubscribe_url: link,
      one_click_url: link,
    },
    {
      period: 'daily',
      team_name: 'Acme',
      from: '2026-01-14T07:00:00.000000Z',
      to: '2026-01-15T07:00:00.000000Z',
      timezone: 'UTC',
      uptime_pct: 99.953,
      monitors_count: 12,
      monitors_down: [
        { monitor_name: 'Shop', monitor_url: 'https://shop.example.com/', since: '2026-01-15T06:30:00.000000Z' },
      ],
      incidents: [
        {
          title: 'Shop is down',
          monitor_name: 'Shop',
          started_at: '2026-01-15T06:30:00.000000Z',
          resolved_at: null,
          duration_s: 1_800,
        },
        {
          title: 'API is down',
          monitor_name: 'API',
          started_at: '2026-01-14T11:00:00.000000Z',
          resolved_at: '2026-01-14T11:12:10.000000Z',
          duration_s: 730,
        },
      ],
      incidents_count: 2,
      uptime: [
        { monitor_name: 'Shop', uptime_pct: 97.917 },
        { monitor_name: 'API', uptime_pct: 99.155 },
      ],
      details_url: 'https://status.example.com/app/monitors',
      unsubscribe_url: 'https://status.example.com/unsubscribe#c2lnbmVk.bGluaw',
      one_click_url: 'https://status.example.com/api/v1/digest/unsubscribe?token=c2lnbmVk.bGluaw',
    },
    ['unsubscribe_url', 'one_click_url'],
  ),
  monthly_report: kind(
    'How a month was, beside the one before',
    {
      team_name: text,
      month: text.meta({ description: 'Such as `2026-01`, in the reader’s time zone.' }),
      timezone: text,
      from: time,
      to: time,
      formula_version: count,
      monitors_count: count,
      ...aMonth,
      before: z.object({ month: text, ...aMonth }),
      worst: z.array(aMonitorsMonth),
      monitors: z.array(aMonitorsMonth),
      incidents: z.array(Outage),
      details_url,
      unsubscribe_url: link,
      one_click_url: link,
    },
    {
      team_name: 'Acme',
      month: '2026-01',
      timezone: 'Europe/Berlin',
      from: '2025-12-31T23:00:00.000000Z',
      to: '2026-01-31T23:00:00.000000Z',
      formula_version: 3,
      monitors_count: 2,
      uptime_pct: 99.953,
      downtime_s: 2_530,
      incidents_count: 2,
      before: { month: '2025-12', uptime_pct: 99.5, downtime_s: 26_784, incidents_count: 5 },
      worst: [{ monitor_name: 'Shop', uptime_pct: 99.906, downtime_s: 2_530, incidents_count: 2, before_pct: 99.1 }],
      monitors: [
        { monitor_name: 'Shop', uptime_pct: 99.906, downtime_s: 2_530, incidents_count: 2, before_pct: 99.1 },
        { monitor_name: 'API', uptime_pct: 100, downtime_s: 0, incidents_count: 0, before_pct: null },
      ],
      incidents: [
        {
          title: 'Shop is down',
          monitor_name: 'Shop',
          started_at: '2026-01-14T11:00:00.000000Z',
          resolved_at: '2026-01-14T11:30:00.000000Z',
          duration_s: 1_800,
        },
        {
          title: 'Shop is down',
          monitor_name: 'Shop',
          started_at: '2026-01-31T22:47:50.000000Z',
          resolved_at: null,
          duration_s: 730,
        },
      ],
      details_url: 'https://status.example.com/app/monitors',
      unsubscribe_url: 'https://status.example.com/unsubscribe/monthly-report#c2lnbmVk.bGluaw',
      one_click_url: 'https://status.example.com/api/v1/monthly-report/unsubscribe?token=c2lnbmVk.bGluaw',
    },
    ['unsubscribe_url', 'one_click_url'],
  ),

  security_mfa_enabled: kind('A second factor was switched on', noticeFields, notice),
  security_mfa_disabled: kind('A second factor was switched off', noticeFields, notice),
  security_recovery_codes_regenerated: kind('Recovery codes were regenerated', noticeFields, notice),
  security_mfa_reset: kind('An administrator took a second factor away', noticeFields, { ...notice, ip_address: null }),
  security_passkey_added: kind('A passkey was added', noticeFields, notice),
  security_passkey_removed: kind('A passkey was removed', noticeFields, notice),
  security_password_changed: kind(
    'A password was changed',
    {
      ...noticeFields,
      keys: z
        .array(z.object({ name: text, kind: z.enum(['rk', 'svc']) }))
        .optional()
        .meta({ description: 'Keys of the team that the person made: they stay.' }),
      keys_elsewhere: count.optional().meta({ description: 'How many keys of other teams the person made.' }),
    },
    { ...notice, keys: [{ name: 'CI', kind: 'svc' }], keys_elsewhere: 2 },
  ),
  security_email_changed: kind('The address of an account was changed', noticeFields, notice),
  security_api_token_created: kind('A personal token was made', noticeFields, notice),
  security_api_token_revoked: kind('A personal token was revoked', noticeFields, notice),
  security_session_revoked: kind('Sessions were ended from another device', noticeFields, notice),
  security_login_new_device: kind(
    'A sign-in from a new device',
    { ...noticeFields, device: text },
    { ...notice, device: 'Firefox, Windows' },
  ),
  security_role_changed: kind(
    'A role in a team was changed',
    { ...noticeFields, team_name: text, role: text },
    { ...notice, ip_address: null, team_name: 'Acme', role: 'admin' },
  ),
  security_account_blocked: kind(
    'Sign-in to an account is blocked after wrong guesses, or an administrator disabled the person in a team',
    {
      ...noticeFields,
      reason: z.enum(['guesses', 'administrator']),
      team_name: text.nullable().meta({ description: 'The team in which an administrator disabled the person.' }),
      network: text.nullable().meta({ description: 'The network that the wrong guesses came from.' }),
    },
    { ...notice, ip_address: null, reason: 'guesses', team_name: null, network: '203.0.113.0/24' },
  ),
  security_account_unblocked: kind(
    'An administrator enabled a person in a team again',
    { ...noticeFields, team_name: text },
    { ...notice, ip_address: null, team_name: 'Acme' },
  ),
  security_auth_policy_changed: kind(
    'The rules of signing in to a team were changed',
    {
      ...noticeFields,
      team_name: text,
      change: z.enum(['mfa_required', 'mfa_optional', 'sso_enforced', 'sso_optional', 'sso_changed', 'sso_removed']),
      mfa_due_at: time.nullable().meta({ description: 'From when a second factor is needed; null where it is not.' }),
    },
    {
      ...notice,
      ip_address: null,
      team_name: 'Acme',
      change: 'mfa_required',
      mfa_due_at: '2026-01-22T08:30:00.000000Z',
    },
  ),
  security_account_deleted: kind('An account was deleted for good', noticeFields, notice),

  password_reset: kind(
    'A new password was asked for',
    { user_name: text, reset_url: link, expires_at: time, ip_address: text.nullable() },
    {
      user_name: 'Pat Person',
      reset_url: 'https://status.example.com/password-reset#qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
      expires_at: '2026-01-15T09:30:00.000000Z',
      ip_address: '198.51.100.7',
    },
    ['reset_url'],
    { provesAddress: true },
  ),
  login_link: kind(
    'A link to sign in was asked for',
    { user_name: text, login_url: link, code: text, expires_at: time, ip_address: text.nullable() },
    {
      user_name: 'Pat Person',
      login_url: 'https://status.example.com/login/link/open#qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
      code: '493817',
      expires_at: '2026-01-15T08:45:00.000000Z',
      ip_address: '198.51.100.7',
    },
    ['login_url', 'code'],
    { provesAddress: true, keepsHost: true },
  ),
  email_verify: kind(
    'An address is to be proven as that of an account',
    { user_name: text, team_name: text, verify_url: link, expires_at: time },
    {
      user_name: 'Pat Person',
      team_name: 'Acme',
      verify_url: 'https://status.example.com/email-verify#qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
      expires_at: '2026-01-22T08:30:00.000000Z',
    },
    ['verify_url'],
    { provesAddress: true },
  ),
  sign_up_confirm: kind(
    'A person who signs up through a portal is to prove the address',
    { confirm_url: link, expires_at: time },
    {
      confirm_url: 'https://status.example.com/sign-up/complete#qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
      expires_at: '2026-01-16T08:30:00.000000Z',
    },
    ['confirm_url'],
    { provesAddress: true },
  ),
  sign_up_known: kind(
    'A sign-up named an address that has an account',
    { sign_in_url: link, reset_url: link },
    { sign_in_url: 'https://status.example.com/login', reset_url: 'https://status.example.com/forgot' },
  ),
  status_page_access: kind(
    'The link to a private status page, for a visitor who asked for it',
    { page_name: text, access_url: link, expires_at: time },
    {
      page_name: 'Acme status',
      access_url:
        'https://status.example.com/status/acme/access?token=1768466400.qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
      expires_at: '2026-01-15T09:00:00.000000Z',
    },
    ['access_url'],
  ),
  email_change_requested: kind(
    'Notice to the current address that a change of address was requested',
    addressChange,
    addressChanged,
    ['revert_url'],
    {
      provesAddress: true,
    },
  ),
  email_change_verify: kind(
    'An address is to be confirmed before it becomes an account’s',
    { user_name: text, confirm_url: link, expires_at: time },
    {
      user_name: 'Pat Person',
      confirm_url: 'https://status.example.com/email-change#qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
      expires_at: '2026-01-15T09:30:00.000000Z',
    },
    ['confirm_url'],
    { provesAddress: true },
  ),
  email_changed_notify: kind(
    'Notice to the former address that the account has a new one',
    // requests made by an earlier version have no link
    { ...addressChange, revert_url: link.optional() },
    addressChanged,
    ['revert_url'],
    { provesAddress: true },
  ),

  maintenance: kind(
    'Maintenance is planned, begins soon, has begun or is over: for the owners and administrators of a team',
    {
      team_name: text,
      title: text,
      description: text,
      occasion: z.enum(['scheduled', 'reminder', 'started', 'ended']),
      starts_at: time.nullable(),
      ends_at: time.nullable(),
    },
    {
      team_name: 'Acme',
      title: 'Database upgrade',
      description: 'The shop answers slowly for some minutes.',
      occasion: 'reminder',
      starts_at: '2026-01-18T01:00:00.000000Z',
      ends_at: '2026-01-18T03:00:00.000000Z',
    },
  ),
  billing_payment_failed: kind(
    'A payment is open, and the plan stays for some days',
    { team_name: text, plan: text, grace_ends_at: time, pay_url: link.optional() },
    {
      team_name: 'Acme',
      plan: 'pro',
      grace_ends_at: '2026-01-29T08:30:00.000000Z',
      pay_url: 'https://status.example.com/app/billing',
    },
  ),
  billing_grace_ending: kind(
    'A payment is still open, and the plan ends in three days',
    { team_name: text, plan: text, grace_ends_at: time, pay_url: link.optional() },
    { team_name: 'Acme', plan: 'pro', grace_ends_at: '2026-01-29T08:30:00.000000Z' },
  ),
  billing_plan_changed: kind(
    'The plan of a team is another, because of what is paid for',
    { team_name: text, previous_plan: text, plan: text, ...beyondPlan },
    { team_name: 'Acme', previous_plan: 'pro', plan: 'free', ...beyondExample },
    [],
    toPlan,
  ),
  billing_invoice_issued: kind(
    'An invoice is to be paid',
    { team_name: text, number: text.nullable(), currency: text, total: count, due_at: time, plan: text },
    {
      team_name: 'Acme',
      number: 'E2B7C9A4-0001',
      currency: 'eur',
      total: 2_261,
      due_at: '2026-01-29T08:30:00.000000Z',
      plan: 'pro',
    },
  ),
  billing_invoice_paid: kind(
    'An invoice was paid',
    {
      team_name: text,
      number: text.nullable(),
      currency: text,
      total: count,
      paid_at: time,
      invoice_url: link.optional(),
    },
    {
      team_name: 'Acme',
      number: 'E2B7C9A4-0001',
      currency: 'eur',
      total: 2_261,
      paid_at: '2026-01-15T08:30:00.000000Z',
      invoice_url: 'https://status.example.com/app/billing',
    },
  ),
  channel_failing: kind(
    'A notification channel has failed for long',
    { team_name: text, channel_name: text, channel_type: text, failing_since: time },
    { team_name: 'Acme', channel_name: 'Ops', channel_type: 'webhook', failing_since: '2026-01-15T08:30:00.000000Z' },
  ),
  channel_recipients_lost: kind(
    'An e-mail channel has lost its last recipient, whose account was erased',
    { team_name: text, channel_name: text },
    { team_name: 'Acme', channel_name: 'Operations' },
  ),
  escalation_step_lost: kind(
    'Steps of an escalation policy have lost the last person whom they called',
    {
      team_name: text,
      policy_name: text,
      steps: text.meta({ description: 'Their numbers, from 1, separated by commas.' }),
    },
    { team_name: 'Acme', policy_name: 'Operations', steps: '1, 3' },
  ),
  on_call_gap: kind(
    'No person is on call for a time within the next seven days',
    {
      team_name: text,
      schedule_name: text,
      timezone: text,
      gaps: z.array(z.object({ starts_at: time, ends_at: time })),
      gaps_count: count,
    },
    {
      team_name: 'Acme',
      schedule_name: 'Primary',
      timezone: 'Europe/Berlin',
      gaps: [{ starts_at: '2026-01-17T17:00:00.000000Z', ends_at: '2026-01-19T08:00:00.000000Z' }],
      gaps_count: 1,
    },
  ),
  on_call_handover: kind(
    'A person comes on duty, or goes off it, or a change gives or takes shifts of the next 14 days',
    {
      team_name: text,
      schedule_name: text,
      timezone: text,
      change: z.enum(['begins', 'ends', 'planned']),
      other_name: text.nullable(),
      until: time.nullable(),
      gained: z
        .array(z.object({ starts_at: time, ends_at: time }))
        .optional()
        .meta({ description: 'New shifts of the person, where the change is `planned`.' }),
      lost: z
        .array(z.object({ starts_at: time, ends_at: time }))
        .optional()
        .meta({ description: 'Shifts that are no longer those of the person, where the change is `planned`.' }),
      unsubscribe_url: link,
      one_click_url: link,
    },
    {
      team_name: 'Acme',
      schedule_name: 'Primary',
      timezone: 'Europe/Berlin',
      change: 'begins',
      other_name: 'Pat Person',
      until: '2026-01-22T08:00:00.000000Z',
      unsubscribe_url: 'https://status.example.com/unsubscribe/on-call-handover#c2lnbmVk.bGluaw',
      one_click_url: 'https://status.example.com/api/v1/on-call-handover/unsubscribe?token=c2lnbmVk.bGluaw',
    },
    ['unsubscribe_url', 'one_click_url'],
  ),
  recipient_confirm: kind(
    'A recipient of an e-mail channel is asked to confirm',
    { team_name: text, confirm_url: link, unsubscribe_url: link },
    {
      team_name: 'Acme',
      confirm_url: 'https://status.example.com/mail-recipient#qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
      unsubscribe_url:
        'https://status.example.com/mail-recipient/unsubscribe#qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
    },
    ['confirm_url', 'unsubscribe_url'],
    { provesAddress: true },
  ),
  subscription_confirm: kind(
    'An address is asked whether it wants the updates of a status page',
    { page_name: text, page_url: link, confirm_url: link },
    {
      page_name: 'Acme status',
      page_url: 'https://status.example.com/status/acme',
      confirm_url: 'https://status.example.com/status-subscription/confirm#qj3uAf0jX1n3mFQm7v6cB5l0d5c8W7bJpV9sT2rYkZE',
    },
    ['confirm_url'],
    { provesAddress: true },
  ),
  status_page_post_open: kind(
    'A status page still announces an incident that is over, to the author of the post or the administrators',
    { team_name: text, page_name: text, title: text, ended_at: time },
    {
      team_name: 'Acme',
      page_name: 'Acme status',
      title: 'Orders cannot be placed',
      ended_at: '2026-01-15T08:45:00.000000Z',
    },
  ),
  status_page_subscription: kind(
    'An update on a status page, of an incident or of planned work, to its subscribers',
    {
      page_name: text,
      page_url: link,
      title: text,
      phase: z.enum([...phases, ...maintenancePhases]),
      impact: z.enum(impacts),
      body: text,
      components: z.array(text),
      updated_at: time,
      timezone: text,
      starts_at: time.optional().meta({ description: 'Of planned work, as `ends_at`.' }),
      ends_at: time.optional(),
      incident_url: link,
      unsubscribe_url: link,
      one_click_url: link,
    },
    {
      page_name: 'Acme status',
      page_url: 'https://status.example.com/status/acme',
      title: 'Orders cannot be placed',
      phase: 'identified',
      impact: 'major',
      body: 'A database ran out of space. We are adding some.',
      components: ['Shop', 'API'],
      updated_at: '2026-01-15T08:30:00.000000Z',
      timezone: 'UTC',
      incident_url: 'https://status.example.com/status/acme/incidents/f3a90c6d-52b7-4e18-8d4f-1c7e6b2a9d05',
      unsubscribe_url:
        'https://status.example.com/status-subscription/unsubscribe#86kMbVK3ThiNTxx-ayqdBXIv1XqClSZMafs3WvahFpceX9DY',
      one_click_url:
        'https://status.example.com/api/v1/status-subscriptions/unsubscribe?token=86kMbVK3ThiNTxx-ayqdBXIv1XqClSZMafs3WvahFpce',
    },
  ),
  mail_budget_exceeded: kind(
    'The channels of a team have sent all mails that the plan allows for a day',
    { team_name: text, limit: count },
    { team_name: 'Acme', limit: 200 },
  ),
  smtp_fell_back: kind(
    'Mail went by the platform’s server, because the team’s own did not take it',
    { team_name: text, host: text, reason: text, occurred_at: time },
    { team_name: 'Acme', host: 'smtp.example.com', reason: 'connect', occurred_at: '2026-01-15T08:30:00.000000Z' },
  ),
  smtp_test: kind(
    'A test of a team’s own mail server',
    { team_name: text, host: text },
    { team_name: 'Acme', host: 'smtp.example.com' },
  ),
  /** Sent to e-mail channels for events without a mail of their own. */
  event: kind(
    'Any event, to an e-mail channel',
    { event: text, payload: z.record(text, z.unknown()) },
    {
      event: 'team.paused',
      payload: { tenant_name: 'Acme', reason: 'unpaid', timestamp: '2026-01-15T08:30:00.000000Z' },
    },
  ),
} as const satisfies Record<string, MailKind>

export type MailType = keyof typeof mails

const kindOf = (type: MailType): MailKind => mails[type]
/** Links to pages of the app that a mail has, by field. */
export const pagesOf = (type: MailType, baseUrl: string): Record<string, string> =>
  Object.fromEntries(Object.entries(kindOf(type).pages ?? {}).map(([field, path]) => [field, baseUrl + path]))
export const provesAddress = (type: MailType) => kindOf(type).provesAddress === true

const hiddenFields = (type: MailType) => Object.values(kindOf(type).redacted ?? {})

/** The schema of a mail's data without the fields that only its recipient may read. */
export const redactedSchema = (type: MailType): z.ZodObject => {
  const shape = Object.entries(kindOf(type).schema.shape).filter(([name]) => !hiddenFields(type).includes(name))
  return z.object(Object.fromEntries(shape))
}

/** The data of a mail without the fields that only its recipient may read. */
export function redacted(type: MailType, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const replaced = kindOf(type).redacted ?? {}
  const kept = Object.entries(data).filter(([name]) => !hiddenFields(type).includes(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, data[replaced[name] ?? name] ?? value]))
}
export type MailData<Type extends MailType = MailType> = z.input<(typeof mails)[Type]['schema']>

export const mailTypes = Object.keys(mails).filter((name): name is MailType => name in mails)
export const isMailType = (name: string): name is MailType => Object.hasOwn(mails, name)
