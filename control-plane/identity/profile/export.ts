import type { Pool } from 'pg'
import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { ProfileView, viewProfile } from './view.ts'

const mostRows = 10_000
const Rows = z.array(z.record(z.string(), z.unknown()))

/** The personal data of one person in all tenants, for that person only, newest first and without secrets. */
const parts = {
  tokens: `select id, tenant_id, kind, name, scopes, is_active, ${stampSql('created_at')} as created_at,
    ${stampSql('last_used_at')} as last_used_at,
             host(last_used_ip) as last_used_ip, ${stampSql('expires_at')} as expires_at from tokens
               where user_id = $1 order by tokens.created_at desc`,
  invitations_received: `select id, tenant_id, email, role, status, ${stampSql('i.created_at')} as created_at,
    ${stampSql('i.accepted_at')} as accepted_at
             from invitations i where exists (select 1 from users u where u.id = $1 and u.email = i.email
               and (u.email_verified_at is not null or i.accepted_by = u.id)) order by i.created_at desc`,
  invitations_sent: `select id, tenant_id, role, status, ${stampSql('created_at')} as created_at from invitations
    where invited_by = $1 order by invitations.created_at desc`,
  second_factor: `select ${stampSql('confirmed_at')} as enabled_at,
    cardinality(recovery_hashes) as recovery_codes_left from second_factors where user_id = $1`,
  passkeys: `select id, rp_id, name, transports, is_backup_eligible, is_backed_up, aaguid,
    ${stampSql('created_at')} as created_at, ${stampSql('last_used_at')} as last_used_at
    from passkeys where user_id = $1 order by passkeys.created_at desc`,
  email_change: `select email, ${stampSql('expires_at')} as expires_at from email_changes where user_id = $1`,
  email_reverts: `select email, ${stampSql('requested_at')} as requested_at, ${stampSql('expires_at')} as expires_at
             from email_reverts where user_id = $1 order by email_reverts.requested_at desc`,
  email_verification: `select ${stampSql('expires_at')} as expires_at from email_verifications where user_id = $1`,
  known_networks: `select encode(fingerprint, 'hex') as fingerprint, ${stampSql('last_seen_at')} as last_seen_at
             from known_networks where user_id = $1 order by known_networks.last_seen_at desc`,
  known_devices: `select encode(fingerprint, 'hex') as fingerprint, ${stampSql('last_seen_at')} as last_seen_at
    from known_devices where user_id = $1 order by known_devices.last_seen_at desc`,
  trusted_devices: `select id, name, ${stampSql('created_at')} as created_at,
    ${stampSql('last_used_at')} as last_used_at, host(last_used_ip) as last_used_ip,
    ${stampSql('expires_at')} as expires_at
    from trusted_devices where user_id = $1 order by trusted_devices.created_at desc`,
  audit_entries: `select id, tenant_id, action, entity_type, entity_id, changes,
             case when user_id = $1 or impersonator_id = $1 then host(ip) end as ip, request_id,
               ${stampSql('created_at')} as created_at
             from audit_entries where user_id = $1 or impersonator_id = $1
               or (entity_type = 'user' and entity_id = $1) order by audit_entries.created_at desc`,
  incidents_acknowledged: `select id, tenant_id, number, ${stampSql('acknowledged_at')} as acknowledged_at
    from incidents where acknowledged_by = $1 order by incidents.acknowledged_at desc`,
  incident_updates: `select id, tenant_id, incident_id, status, body, ${stampSql('created_at')} as created_at
    from incident_updates where user_id = $1 order by incident_updates.created_at desc`,
  contact_methods: `select id, tenant_id, name, type, is_enabled, ${stampSql('created_at')} as created_at,
    case when type = 'email' then config -> 'recipients' end as recipients
    from notification_channels where owner_user_id = $1 order by notification_channels.created_at desc`,
  checks_snoozed: `select id, tenant_id, ${stampSql('snoozed_until')} as snoozed_until, snooze_reason from checks
    where snoozed_by = $1`,
}

type Part = keyof typeof parts

export const exportProfile = endpoint({
  method: 'GET',
  path: '/profile/export',
  operation: 'profile.export',
  summary: 'Export your personal data',
  description:
    'Your profile, teams, keys and sessions without secrets, invitations, and your actions from the audit log. ' +
    `At most ${mostRows} entries of each kind, newest first.`,
  access: 'session',
  rate: 'auth',
  reads: false,
  underImpersonation: 'refused',
  returns: ok({
    data: z.object({
      exported_at: z.string().meta({ format: 'date-time' }),
      profile: ProfileView,
      tokens: Rows,
      invitations_received: Rows,
      invitations_sent: Rows,
      second_factor: Rows,
      passkeys: Rows,
      email_change: Rows,
      email_reverts: Rows,
      email_verification: Rows,
      known_networks: Rows,
      known_devices: Rows,
      trusted_devices: Rows,
      audit_entries: Rows,
      incidents_acknowledged: Rows,
      incident_updates: Rows,
      contact_methods: Rows,
      checks_snoozed: Rows,
    }),
  }),

  async handle({ caller, em, services, now, audit }) {
    const { id } = signedIn(caller)
    const read = (part: Part) => readPart(services.platform, part, id)
    audit('profile.exported', { type: 'user', id })
    return {
      data: {
        exported_at: stamp(now),
        profile: await viewProfile(em, services.platform, caller),
        tokens: await read('tokens'),
        invitations_received: await read('invitations_received'),
        invitations_sent: await read('invitations_sent'),
        second_factor: await read('second_factor'),
        passkeys: await read('passkeys'),
        email_change: await read('email_change'),
        email_reverts: await read('email_reverts'),
        email_verification: await read('email_verification'),
        known_networks: await read('known_networks'),
        known_devices: await read('known_devices'),
        trusted_devices: await read('trusted_devices'),
        audit_entries: await read('audit_entries'),
        incidents_acknowledged: await read('incidents_acknowledged'),
        incident_updates: await read('incident_updates'),
        contact_methods: await read('contact_methods'),
        checks_snoozed: await read('checks_snoozed'),
      },
    }
  },
})

async function readPart(platform: Pool, part: Part, userId: string): Promise<z.output<typeof Rows>> {
  const { rows } = await platform.query<Record<string, unknown>>(`${parts[part]} limit ${mostRows}`, [userId])
  return rows
}
