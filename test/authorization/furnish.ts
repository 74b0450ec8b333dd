import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { aProof } from '#test/support/a-proof.ts'
import { type Answer, app } from '#test/support/app.ts'
import { type Schema, sample } from './document.ts'
import { makeDirectoryToken, makeToken, type TeamInWorld, type World } from './world.ts'

const { platform } = app.services

/** A call of the reseller. */
type Call = (method: string, path: string, body: unknown) => Promise<Answer>

const tokensOf = (kind: string) =>
  `select id from tokens where tenant_id = $1 and kind = '${kind}' and name <> 'matrix'`
const recordsIn = (table: string) => `select id from ${table} where tenant_id = $1`
/** Channels of the team, or contact methods of its members. */
const channelsIn = (owner: 'is null' | 'is not null') =>
  `${recordsIn('notification_channels')} and owner_user_id ${owner}`

/**
 * Where the records of a collection, as paths call it, are kept. A new collection needs a line here, and rows in
 * `furnish`.
 */
export const ofTeam: Record<string, string> = {
  'managed-teams': recordsIn('managed_teams'),
  monitors: recordsIn('monitors'),
  'cron-monitors': 'select monitor_id as id from heartbeats where tenant_id = $1',
  'agent-monitors': 'select monitor_id as id from agent_monitors where tenant_id = $1',
  checks: recordsIn('checks'),
  incidents: recordsIn('incidents'),
  'crawl-runs': recordsIn('crawl_runs'),
  'maintenance-windows': recordsIn('maintenance_windows'),
  'custom-domains': recordsIn('custom_domains'),
  domains: recordsIn('sso_domains'),
  'status-pages': recordsIn('status_pages'),
  groups: recordsIn('status_page_groups'),
  components: recordsIn('status_page_components'),
  subscribers: recordsIn('status_page_subscribers'),
  posts: recordsIn('status_page_posts'),
  'status-page-templates': recordsIn('status_page_update_templates'),
  updates: recordsIn('status_page_updates'),
  'geo-audits': recordsIn('geo_audits'),
  migrations: recordsIn('provider_migrations'),
  members: 'select user_id as id from memberships where tenant_id = $1',
  Users: 'select user_id as id from memberships where tenant_id = $1',
  Schemas: 'select $1::uuid as id',
  ResourceTypes: 'select $1::uuid as id',
  'scim-tokens': recordsIn('scim_tokens'),
  invitations: recordsIn('invitations'),
  invoices: recordsIn('invoices'),
  'notification-channels': channelsIn('is null'),
  'contact-methods': channelsIn('is not null'),
  'notification-rules': recordsIn('notification_rules'),
  'notification-logs': recordsIn('deliveries'),
  'on-call-schedules': recordsIn('on_call_schedules'),
  overrides: recordsIn('on_call_overrides'),
  'escalation-policies': recordsIn('escalation_policies'),
  teams: 'select $1::uuid as id',
  'api-keys': tokensOf('svc'),
  'api-tokens': tokensOf('sk'),
  'impersonation-tokens': tokensOf('ik'),
  sessions: tokensOf('ss'),
  'trusted-devices':
    'select d.id from trusted_devices d join memberships m on m.user_id = d.user_id where m.tenant_id = $1',
  passkeys: 'select p.id from passkeys p join memberships m using (user_id) where m.tenant_id = $1',
}
export const ofReseller: Record<string, string> = {
  'monitor-templates': recordsIn('monitor_templates'),
  'provisioning-profiles': recordsIn('provisioning_profiles'),
  tokens: tokensOf('rk'),
  webhooks: channelsIn('is null'),
}
export const ofOperators = new Set(['agents', 'caught-mails', 'dead-events', 'quarantine', 'regions', 'tenants'])

/** Fields of bodies that name records, beside those called like their collection. */
export const called: Record<string, string> = {
  template: 'monitor-templates',
  profile: 'provisioning-profiles',
  user: 'members',
  replaces_user: 'members',
  team: 'managed-teams',
  fallback_policy: 'escalation-policies',
  escalation_policy: 'escalation-policies',
  depends_on: 'monitors',
  target: 'status-pages',
}
export const collectionsIn = (path: string) =>
  [...path.matchAll(/([\w-]+)\/\{\w+\}/g)].map(([, collection = '']) => collection)

/** Something of every kind, in a reseller's account and in each of its teams, with a name that gives it away. */
export async function furnish({ reseller, team, sister }: World, name: string, call: Call): Promise<void> {
  const add = async (path: string, body: unknown) => {
    const answer = await call('POST', `/api/v1/reseller${path}`, body)
    expect(answer.status, `${path}: ${answer.text}`).toBe(201)
    return answer.body.data
  }
  const template = await add('/monitor-templates', {
    name,
    monitors: [{ name_template: name, url_template: 'https://example.com/' }],
  })
  await add('/provisioning-profiles', { name, monitor_template_id: template.id })
  await add('/tokens', { name, scopes: ['teams:read'] })
  await add('/webhooks', { name, url: `https://${name}.example.com/`, events: ['team.paused'] })
  const impersonator = { userId: reseller.people.owner ?? '', tenantId: reseller.tenantId }
  for (const { id, tenantId, people } of [team, sister]) {
    const userId = people.owner ?? null
    await makeToken({ name, kind: 'ss', tenantId, userId, scopes: [] })
    await makeToken({ name, kind: 'svc', tenantId, userId: null, scopes: ['monitors:read'] })
    await makeToken({ name, kind: 'sk', tenantId, userId, scopes: ['monitors:read'] })
    await makeToken({ name, kind: 'ik', tenantId, userId, scopes: ['read'], impersonator })
    await platform.query(
      `insert into trusted_devices (id, user_id, secret_hash, name, expires_at)
       values (gen_random_uuid(), $1, sha256($2::text::bytea), $3, now() + interval '1 day')`,
      [userId, randomUUID(), name],
    )
    await platform.query(
      `insert into passkeys (id, user_id, rp_id, credential_id, public_key, aaguid, name)
       values (gen_random_uuid(), $1, 'vedette.example', sha256($2::text::bytea), '', gen_random_uuid(), $3)`,
      [userId, randomUUID(), name],
    )
    const channel = await add(`/managed-teams/${id}/notification-channels`, {
      name,
      type: 'email',
      config: { recipients: [`${name}@example.com`] },
    })
    await platform.query(
      `insert into deliveries (id, tenant_id, channel_id, event, body, status, next_at)
       values (gen_random_uuid(), $1, $2, 'incident.created', $3, 'delivered', now())`,
      [tenantId, channel.id, JSON.stringify({ name })],
    )
    await add(`/managed-teams/${id}/notification-rules`, { channel_id: channel.id, event_types: ['incident.created'] })
    const schedule = await add(`/managed-teams/${id}/on-call-schedules`, {
      name,
      timezone: 'UTC',
      rotations: [{ name, users: [userId], handoff: 'daily', first_handoff_at: '2026-01-05T09:00' }],
    })
    await add(`/managed-teams/${id}/on-call-schedules/${schedule.id}/overrides`, {
      user_id: userId,
      starts_at: '2099-01-01T00:00:00Z',
      ends_at: '2099-01-02T00:00:00Z',
      reason: name,
    })
    await add(`/managed-teams/${id}/escalation-policies`, {
      name,
      steps: [{ delay_minutes: 1, targets: [{ type: 'schedule', id: schedule.id }] }],
    })
    await makeDirectoryToken(tenantId)
    await add(`/managed-teams/${id}/invitations`, { email: `${randomUUID()}@${name}.test`, role: 'viewer' })
    await platform.query('insert into invoices (id, tenant_id, number) values (gen_random_uuid(), $1, $2)', [
      tenantId,
      name,
    ])
    const monitor = await add(`/managed-teams/${id}/monitors`, {
      name,
      url: `https://${name}.example.com/`,
      tags: [name],
    })
    await platform.query(
      `insert into geo_audits (id, tenant_id, monitor_id, check_id, check_type, regions)
       values (gen_random_uuid(), $1, $2, $3, 'uptime', $4)`,
      [tenantId, monitor.id, monitor.checks[0].id, JSON.stringify([{ region: name, has_agent: true }])],
    )
    await add(`/managed-teams/${id}/migrations`, {
      provider: 'csv',
      name,
      content: `url\nhttps://${name}.example.com/`,
    })
    await add(`/managed-teams/${id}/maintenance-windows`, {
      title: name,
      scope: { all: true },
      starts_at: '2120-11-29T02:00',
      timezone: 'UTC',
      duration_minutes: 60,
    })
    await add(`/managed-teams/${id}/custom-domains`, { hostname: `${name}.example.com` })
    await platform.query(
      `insert into sso_domains (id, tenant_id, domain, txt_token) values (gen_random_uuid(), $1, $2, 'token')`,
      [tenantId, `${name}.example.com`],
    )
    const page = await add(`/managed-teams/${id}/status-pages`, { name, slug: `p-${randomUUID()}` })
    const group = await add(`/managed-teams/${id}/status-pages/${page.id}/groups`, { name })
    await add(`/managed-teams/${id}/status-pages/${page.id}/components`, {
      type: 'monitor',
      monitor_id: monitor.id,
      name,
      group_id: group.id,
    })
    await add(`/managed-teams/${id}/status-pages/${page.id}/posts`, { title: name, body: name })
    await add(`/managed-teams/${id}/status-page-templates`, { name, phase: 'resolved', body: name })
    await add(`/managed-teams/${id}/status-pages/${page.id}/subscribers`, { address: `${name}@example.com` })
    await add(`/managed-teams/${id}/cron-monitors`, { name, period_minutes: 60 })
    await add(`/managed-teams/${id}/agent-monitors`, { name, tags: [name] })
    const incident = randomUUID()
    await platform.query(
      `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, severity,
       started_at, confirmed_at, quorum)
       values ($1, $2, $3, $4, 'uptime', 1, $5, 'critical', now(), now(), $6)`,
      [incident, tenantId, monitor.id, monitor.checks[0].id, name, JSON.stringify(aProof)],
    )
    await platform.query(
      `insert into notification_decisions (tenant_id, incident_id, event_id, event, stage, channels, emitted_at)
       values ($1, $2, 1, 'incident.created', 'begun', $3, now())`,
      [
        tenantId,
        incident,
        JSON.stringify([
          { channel_id: channel.id, channel_name: name, channel_type: 'email', rule_id: null, reason: 'no_rule' },
        ]),
      ],
    )
    await platform.query(
      `insert into crawl_runs (id, tenant_id, monitor_id, state, created_at)
       values (gen_random_uuid(), $1, $2, 'finished', now())`,
      [tenantId, monitor.id],
    )
    await add(`/managed-teams/${id}/incidents/${incident}/updates`, { status: 'investigating', body: name })
  }
}

/** The id of a record of every collection, of this team or of its reseller. */
export async function idsOf(team: TeamInWorld, reseller: World['reseller']): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [collection, sql] of [...Object.entries(ofTeam), ...Object.entries(ofReseller)]) {
    const { rows } = await platform.query<{ id: string }>(`${sql} order by 1 limit 1`, [
      collection in ofReseller ? reseller.tenantId : team.tenantId,
    ])
    expect(rows, `there is nothing among the ${collection} to reach for: furnish one`).toHaveLength(1)
    ids.set(collection, rows[0]!.id)
  }
  return ids
}

/** Collections of the product, the same for every tenant. */
export const ofNobody = new Set(['mail-previews'])

export const fill = (path: string, idFor: (collection: string) => string | undefined) =>
  path.replace(
    /([\w-]+)\/\{\w+\}/g,
    (_, collection: string) =>
      `${collection}/${idFor(collection) ?? expect.unreachable(`paths name ${collection}: say in this file where they are kept`)}`,
  )

export const bodyFor = (schema: Schema | undefined, ids: ReadonlyMap<string, string>) =>
  schema &&
  sample(
    schema,
    name => ids.get(called[name] ?? `${name.replaceAll('_', '-')}s`) ?? ids.get('monitors') ?? randomUUID(),
  )
