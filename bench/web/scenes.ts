import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from 'playwright-core'
import { noPhases } from '#contract/check.ts'
import { serverAgentPaths } from '#contract/server-agent.ts'
import type { QuorumProof } from '#control-plane/engine/verdicts/proof.ts'
import type { Installation } from './installation.ts'

/** What the demo data do not have, for pictures of every screen: made through the API where the API makes it. */
type Made = Record<string, string>

const minuteMs = 60_000

/** Creates something, and returns what was answered. */
async function create(request: APIRequestContext, path: string, data: object) {
  const answer = await request.post(`/api/v1${path}`, { data, headers: { 'Sec-Fetch-Site': 'same-origin' } })
  if (!answer.ok()) throw new Error(`${path} was answered ${answer.status()}: ${await answer.text()}`)
  return (await answer.json()) as { data: { id: string; ping_url: string }; plain_text_token: string }
}

const idOf = async (request: APIRequestContext, path: string, data: object) =>
  (await create(request, path, data)).data.id

/** Everything of a team, whose shop has been down for twelve minutes while all else is up. */
export async function fillTeam(
  installation: Installation,
  tenantId: string,
  request: APIRequestContext,
): Promise<Made> {
  const { platform, baseUrl } = installation
  await platform.query(
    `insert into agents (id, region, name, public_key, last_seen_at)
     select gen_random_uuid(), name, name || '-1', '{}', now() + interval '1 hour' from regions`,
  )
  const down = await outage(installation, tenantId)
  const { rows: monitors } = await platform.query<{ id: string; name: string }>(
    'select id, name from monitors where tenant_id = $1 order by name limit 8',
    [tenantId],
  )
  const scopes = ['monitors:read', 'incidents:read']
  return {
    ...down,
    HEARTBEAT: await heartbeat(baseUrl, request),
    SERVER: await server(baseUrl, request),
    SCHEDULE: await schedule(installation, tenantId, request),
    ...(await alerts(request)),
    WINDOW: await idOf(request, '/maintenance-windows', {
      ...{ title: 'Database upgrade', starts_at: '2120-11-25T02:00', timezone: 'Europe/Berlin', duration_minutes: 90 },
      ...{ rrule: 'FREQ=WEEKLY', scope: { tags: ['important'] } },
    }),
    ...(await statusPage(request, monitors)),
    WALL: (await create(request, '/api-keys', { name: 'Wall', scopes })).plain_text_token,
    TEAM: await managedId(installation, tenantId),
  }
}

async function managedId({ platform }: Installation, tenantId: string): Promise<string> {
  const { rows } = await platform.query<{ id: string }>('select id from managed_teams where tenant_id = $1', [tenantId])
  return rows[0]?.id ?? ''
}

async function outage({ platform }: Installation, tenantId: string): Promise<Made> {
  await platform.query(`update checks set verdict = 'up', verdict_since = now() - interval '5 days', coverage = 'full'`)
  await platform.query(
    `update monitors set status = 'up', status_changed_at = now() - interval '5 days', coverage = 'full',
       regions = '{ap-south,eu-west,us-east}'`,
  )
  const { rows } = await platform.query<{ monitor: string; check: string }>(
    `select m.id as monitor, c.id as check from monitors m join checks c on c.monitor_id = m.id
     where m.tenant_id = $1 and m.name = 'shop'`,
    [tenantId],
  )
  const [down] = rows
  if (!down) throw new Error('The demo has no shop.')
  const reason = 'The site answered with status 503.'
  const startedAt = new Date(Date.now() - 12 * minuteMs)
  const confirmedAt = new Date(startedAt.getTime() + 1_400)
  await platform.query(
    `update checks set verdict = 'down', verdict_since = $3, verdict_reason = $2,
       failing_regions = '{ap-south,eu-west,us-east}' where id = $1`,
    [down.check, reason, startedAt],
  )
  await platform.query(
    `update monitors set status = 'down', status_changed_at = $3, status_reason = $2 where id = $1`,
    [down.monitor, reason, startedAt],
  )
  await platform.query(
    `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict) values ($1, $2, $3, $4, 'down')`,
    [tenantId, down.monitor, down.check, startedAt],
  )
  const incident = randomUUID()
  await platform.query(
    `with counted as (update incident_numbers set last = last + 1 where tenant_id = $1 returning last)
     insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, cause, severity, status,
       started_at, confirmed_at, quorum, created_at, updated_at)
     select $2, $1, $3, $4, 'uptime', last, 'shop is down', $5, 'critical', 'open', $6, $7, $8, $7, $7 from counted`,
    [tenantId, incident, down.monitor, down.check, reason, startedAt, confirmedAt, proof(startedAt.getTime())],
  )
  const channel = (channel_name: string, channel_type: string, why: string) => ({
    ...{ channel_id: randomUUID(), channel_name, channel_type, reason: why, rule_id: null },
  })
  const channels = [channel('Operations', 'slack', 'rule_matched'), channel('Nights', 'webhook', 'no_rule')]
  await platform.query(
    `insert into notification_decisions (tenant_id, incident_id, event_id, event, stage, channels, emitted_at)
     values ($1, $2, (select coalesce(max(id), 0) from outbox), 'incident.created', 'begun', $3, $4)`,
    [tenantId, incident, JSON.stringify(channels), confirmedAt],
  )
  return { MONITOR: down.monitor, CHECK: down.check, INCIDENT: incident }
}

/** Two regions failed, each in its own way, and the third did not answer in time. */
function proof(start: number): QuorumProof {
  const at = (ms: number) => new Date(start + ms).toISOString()
  return {
    policy: { mode: 'majority', count: null },
    required: 2,
    asked: ['ap-south', 'eu-west', 'us-east'],
    failed: ['eu-west', 'us-east'],
    ok: [],
    silent: ['ap-south'],
    excluded: [],
    regions: {
      'eu-west': {
        phases: { dns: 12, connect: 31, tls: 48, first_byte: 210, total: 305 },
        error: { code: 'http_status', message: 'The site answered with status 503.' },
        http_status: 503,
        excerpt: '<h1>Service Unavailable</h1>',
        at: at(0),
      },
      'us-east': {
        phases: { ...noPhases, dns: 9, total: 10_000 },
        error: { code: 'timeout', message: 'No answer within 10 seconds.' },
        http_status: null,
        excerpt: null,
        at: at(1_100),
      },
    },
  }
}

async function heartbeat(baseUrl: string, request: APIRequestContext): Promise<string> {
  const { data } = await create(request, '/cron-monitors', {
    ...{ name: 'Nightly backup', schedule: '30 2 * * *', timezone: 'Europe/Berlin' },
    ...{ grace_minutes: 30, max_run_minutes: 60 },
  })
  const pings: Record<string, string>[] = [
    { state: 'start' },
    { state: 'complete', exit_code: '0', output: 'copied 3 files' },
  ]
  for (const form of pings) {
    const answer = await request.post(baseUrl + new URL(data.ping_url).pathname, { form })
    if (!answer.ok()) throw new Error(`A ping was answered ${answer.status()}.`)
  }
  return data.id
}

async function server(baseUrl: string, request: APIRequestContext): Promise<string> {
  const { data, plain_text_token } = await create(request, '/agent-monitors', { name: 'db-2' })
  const now = Date.now()
  const samples = Array.from({ length: 60 }, (_, n) => ({
    at: now - n * minuteMs,
    metrics: {
      ...{ cpu: 22 + 9 * Math.sin(n / 7) + (n % 5), memory: 61 + n / 20, disk: { '/': 40, '/data': 71 } },
      ...{ load: 0.4 + (n % 9) / 10, load_5m: 0.5, load_15m: 0.6, temperature: { cpu: 48 + (n % 4) } },
      ...{ network_in: { eth0: 12_000 + 400 * (n % 11) }, network_out: { eth0: 9_000 } },
    },
  }))
  const host = { name: 'db-2', os: 'Debian 13', kernel: '6.12', arch: 'x64', cores: 8, memory_bytes: 16e9, agent: '1' }
  const answer = await request.post(baseUrl + serverAgentPaths.metrics, {
    headers: { Authorization: `Bearer ${plain_text_token}` },
    data: { batch: randomUUID(), host, samples },
  })
  if (!answer.ok()) throw new Error(`A report was answered ${answer.status()}: ${await answer.text()}`)
  return data.id
}

async function schedule(
  { person, platform }: Installation,
  tenantId: string,
  request: APIRequestContext,
): Promise<string> {
  const emails: string[] = []
  for (const name of ['Karl Korn', 'Mia Mehl']) emails.push((await person({ tenantId, name, role: 'member' })).email)
  const { rows } = await platform.query<{ id: string }>(
    `select u.id from users u join memberships m on m.user_id = u.id where m.tenant_id = $1 order by u.name`,
    [tenantId],
  )
  const people = rows.map(({ id }) => id)
  const every = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  return await idOf(request, '/on-call-schedules', {
    ...{ name: 'Operations', timezone: 'Europe/Berlin' },
    rotations: [
      { name: 'Days', users: people, handoff: 'daily', first_handoff_at: '2026-01-05T09:00' },
      {
        ...{ name: 'Nights', users: people.toReversed(), handoff: 'weekly', first_handoff_at: '2026-01-05T22:00' },
        restrictions: [{ days: every, from: '22:00', to: '06:00' }],
      },
    ],
  })
}

async function alerts(request: APIRequestContext): Promise<Made> {
  const config = { url: 'https://chat.example.com/hook' }
  const channel = await idOf(request, '/notification-channels', {
    name: 'Operations',
    type: 'webhook',
    config,
    notify_all: false,
  })
  await create(request, '/notification-rules', { channel_id: channel, event_types: ['incident.created'] })
  await create(request, '/escalation-policies', {
    ...{ name: 'Operations', is_default: true, steps: [{ delay_minutes: 1, targets: [{ type: 'team' }] }] },
  })
  return { CHANNEL: channel }
}

async function statusPage(
  request: APIRequestContext,
  monitors: readonly { id: string; name: string }[],
): Promise<Made> {
  const page = await idOf(request, '/status-pages', {
    ...{ name: 'Bakery Blume', slug: 'bakery-blume', description: 'How our shops and their sites are.' },
    state: 'published',
  })
  const path = `/status-pages/${page}`
  const group = await idOf(request, `${path}/groups`, { name: 'Sites' })
  for (const [index, { id, name }] of monitors.entries())
    await create(request, `${path}/components`, {
      ...{ type: 'monitor', monitor_id: id, name: `${name[0]?.toUpperCase()}${name.slice(1)}` },
      ...(index > 3 && { group_id: group }),
    })
  const post = await idOf(request, `${path}/posts`, {
    title: 'The shop is slow',
    body: 'Orders **take longer** than usual. We are on it.',
  })
  await create(request, `${path}/subscribers`, { address: 'pat@example.com', confirmed: true })
  return { PAGE: page, POST: post }
}

/** What a reseller prepares for teams. */
export async function fillReseller(request: APIRequestContext): Promise<Made> {
  const template = await idOf(request, '/reseller/monitor-templates', {
    name: 'Shop',
    monitors: [{ name_template: 'Shop {{domain}}', url_template: 'https://{{domain}}/', type: 'website' }],
    variables: [{ name: 'domain', required: true }],
  })
  await create(request, '/reseller/provisioning-profiles', {
    ...{ name: 'Small shop', plan: 'starter', trial_days: 14, monitor_template_id: template },
  })
  const webhook = await idOf(request, '/reseller/webhooks', {
    name: 'Billing',
    url: 'https://hooks.example.com/vedette',
    events: ['incident.created', 'team.trial_ending'],
    tenant_filter: { labels: ['gold*'] },
  })
  await create(request, '/reseller/tokens', { name: 'Billing', scopes: ['teams:read'] })
  return { WEBHOOK: webhook }
}
