import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { openApi } from '#cli/commands/api.ts'
import { exportTo, maskedFields } from '#cli/commands/export.ts'
import { importFrom } from '#cli/commands/import.ts'
import { type Exported, exportedOfBranding, exportedParts, maskedSecret } from '#contract/export.ts'
import { channelTypes } from '#contract/plans.ts'
import { NewChannel } from '#control-plane/alerting/channels/input.ts'
import { kinds as channelKinds } from '#control-plane/alerting/channels/kinds/index.ts'
import { NewPolicy } from '#control-plane/alerting/escalation-policies/input.ts'
import { NewOverride, NewSchedule } from '#control-plane/alerting/on-call-schedules/input.ts'
import { NewRule } from '#control-plane/alerting/rules/input.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { advanceMigration } from '#control-plane/importing/advance.ts'
import { NewWindow } from '#control-plane/monitoring/maintenance-windows/input.ts'
import { NewMonitor } from '#control-plane/monitoring/monitors/input.ts'
import { NewCronMonitor } from '#control-plane/passive/heartbeats/input.ts'
import { NewAgentMonitor } from '#control-plane/passive/servers/input.ts'
import { NewComponent } from '#control-plane/publishing/status-pages/components/input.ts'
import { NewGroup } from '#control-plane/publishing/status-pages/groups/input.ts'
import { NewPage } from '#control-plane/publishing/status-pages/input.ts'
import { NewTemplate as NewPageTemplate } from '#control-plane/publishing/status-pages/update-templates/input.ts'
import { NewTemplate } from '#control-plane/reselling/monitor-templates/input.ts'
import { NewProfile } from '#control-plane/reselling/provisioning-profiles/input.ts'
import { brandingFields } from '#control-plane/tenancy/branding/fields.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { everyCheck, filled } from '#test/support/filled.ts'

const { services } = app
let orm: Awaited<ReturnType<typeof openOrm>>
let folder = ''
beforeAll(async () => {
  orm = await openOrm(services.config)
  folder = mkdtempSync(join(tmpdir(), 'vedette-export-'))
})
afterAll(async () => {
  await orm?.close()
  rmSync(folder, { recursive: true, force: true })
})
const apiOf = (team: CallerUnderTest) => openApi(app.baseUrl, team.token ?? '')

async function exported(team: CallerUnderTest) {
  const [path, printed] = [join(folder, `${crypto.randomUUID()}.json`), [] as string[]]
  await exportTo(apiOf(team), { format: 'json', output: path }, line => printed.push(line))
  return { path, printed, document: JSON.parse(readFileSync(path, 'utf8')) as Record<string, Exported[]> }
}

/** Runs the command while the migrations of the team are advanced, as their workflows would. */
async function imported(team: CallerUnderTest, file: string, isApplied = true) {
  const printed: string[] = []
  let isOver = false
  const working = (async () => {
    while (!isOver) {
      const { rows } = await services.platform.query<{ id: string }>(
        `select id from provider_migrations where tenant_id = $1 and state in ('draft', 'importing')`,
        [team.tenantId],
      )
      for (const { id } of rows) await advanceMigration({ services, em: orm.em }, id)
      await pause(20)
    }
  })()
  try {
    const how = { env: {}, print: (line: string) => printed.push(line), everyMs: 20 }
    return { code: await importFrom(apiOf(team), { file, isApplied }, how), printed }
  } finally {
    isOver = true
    await working
  }
}

/** Turns on what a migration has imported. */
async function cutOver(team: CallerUnderTest) {
  for (const { id, state } of (await team.get('/migrations')).body.data)
    if (state === 'imported') {
      expect((await team.post(`/migrations/${id}/shadow`)).status).toBe(200)
      expect((await team.post(`/migrations/${id}/cutover`, { force: true })).status).toBe(200)
    }
}

const made = async (team: CallerUnderTest, path: string, body: unknown): Promise<string> => {
  const { status, text, body: answer } = await team.post(path, body)
  expect(status, `${path} ${JSON.stringify(body)} ${text}`).toBe(201)
  return answer.data.id
}

/** The same with the name of a record in the place of its id, and all lists of records in one order. */
function named(document: Record<string, Exported[]>): Record<string, unknown> {
  const { exported_at: _, from: __, ...parts } = document
  const names = new Map<string, string>()
  for (const [key, records] of Object.entries(parts))
    if (Array.isArray(records))
      for (const record of records) {
        const own = record.email ?? record.name ?? record.title ?? JSON.stringify(record.event_types ?? record.reason)
        names.set(String(record.id), `${key} ${own}`)
      }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return names.get(value) ?? value
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    // an id among metadata is text of the team
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, name === 'metadata' ? inner : walk(inner)]),
    )
  }
  const inOrder = (list: unknown) =>
    Array.isArray(list) ? list.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))) : list
  return Object.fromEntries(Object.entries(parts).map(([key, records]) => [key, inOrder(walk(records))]))
}

/** Puts secrets where an export has asterisks. */
function withSecrets(path: string, secrets: Record<string, string>): void {
  const fill = (value: unknown, name: string): unknown => {
    if (value === maskedSecret) return secrets[name] ?? expect.fail(`no secret for ${name}`)
    if (Array.isArray(value)) return value.map(inner => fill(inner, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([inner, of]) => [inner, fill(of, inner)]))
  }
  writeFileSync(path, JSON.stringify(fill(JSON.parse(readFileSync(path, 'utf8')), '')))
}

const schemas: Record<string, z.ZodObject> = {
  servers: NewAgentMonitor,
  notification_channels: NewChannel,
  on_call_schedules: NewSchedule,
  escalation_policies: NewPolicy,
  on_call_overrides: NewOverride,
  notification_rules: NewRule,
  status_pages: NewPage,
  status_page_groups: NewGroup,
  status_page_components: NewComponent,
  maintenance_windows: NewWindow,
  status_page_templates: NewPageTemplate,
  monitor_templates: NewTemplate,
  provisioning_profiles: NewProfile,
}

const secrets = {
  password: 'pass-of-pat',
  token: 'token-of-health',
  secret: 'whsec_c2VjcmV0LW9mLXRlYW0tMzItYnl0ZXMtbG9uZy0h',
  webhook_url: 'https://hooks.example.com/T1/B2/secret',
  routing_key: 'routingkey0123456789',
  bot_token: '123456789:abcdefghijklmnopqrstuvwxyz',
  'X-Key': 'key-of-custom',
  topic: 'topic-of-custom',
  url: 'https://custom.example.com/in',
  Authorization: 'Bearer key-of-template',
}

/** Monitors of every kind, with every field and every setting other than usual. */
async function monitorsIn(team: CallerUnderTest, policy: string) {
  const parent = await made(team, '/monitors', { name: 'Router', type: 'host', url: 'router.example.com' })
  const slo = { target_pct: 99.5, window_days: 7 }
  const ofMonitor = {
    'monitor.name': 'Shop',
    'monitor.url': 'https://shop.example.com/a?b=c',
    // the one above is a host
    'monitor.type': undefined,
    'monitor.tags': ['prod', 'eu'],
    'monitor.group': 'Shops',
    'monitor.notes': 'Call Pat\nfirst.',
    'monitor.check_interval': 120,
    'monitor.regions': [(await aRegion()) ?? ''],
    'monitor.region_policy': { mode: 'count', count: 1 },
    'monitor.depends_on': [parent],
    'monitor.escalation_policy_id': policy,
    'monitor.external_ref': 'ref-1',
    'monitor.metadata': { owner: 'ops', tier: 2, is_old: false },
    'monitor.slo': slo,
    'monitor.checks': everyCheck(),
  }
  const shop = await made(team, '/monitors', { ...(filled(NewMonitor, ofMonitor, 'monitor') as Exported) })
  const own = {
    'job.name': 'Nightly',
    'job.tags': ['prod'],
    'job.group': 'Nights',
    'job.notes': 'Of the night.',
    'job.depends_on': [parent],
    'job.escalation_policy_id': policy,
    'job.external_ref': 'ref-2',
    'job.metadata': { owner: 'ops' },
    'job.slo': slo,
    'job.url': 'https://jobs.example.com/1',
    'job.schedule_kind': 'cron',
    'job.schedule': '0 3 * * 1-5',
    'job.timezone': 'Europe/Berlin',
    'job.period_minutes': undefined,
    'job.fail_keyword': 'ERROR',
  }
  await made(team, '/cron-monitors', filled(NewCronMonitor, own, 'job'))
  await made(team, '/cron-monitors', { name: 'Often', period_minutes: 15, severity: 'warning' })
  return { parent, shop, slo }
}

const aRegion = async () => {
  const { rows } = await services.platform.query<{ name: string }>('select name from regions order by name limit 1')
  return rows[0]?.name
}

describe('an export', () => {
  test('has every field of each schema by which a record is created', () => {
    for (const part of exportedParts) {
      // what `notify_all` makes is a rule, which is exported
      const sent = Object.keys(schemas[part.key]!.shape).filter(name => name !== 'notify_all')
      expect(part.fields.toSorted(), part.key).toEqual(sent.toSorted())
    }
    expect([...exportedOfBranding].toSorted()).toEqual(brandingFields.toSorted())
  })

  test('that is imported into another team and exported again is the same in every field of every schema', async () => {
    const team = await given.tenant()
    const bea = await given.colleague(team, 'member')
    const other = await given.tenant()
    await services.platform.query(
      'insert into memberships (user_id, tenant_id, role) values ($1, $3, $4), ($2, $3, $4)',
      [team.userId, bea.userId, other.tenantId, 'member'],
    )

    const ofChannel: Record<string, unknown> = {
      'webhook.url': 'https://hooks.example.com/in',
      'webhook.secret': secrets.secret,
      'webhook.former': undefined,
      'email.recipients': ['ops@example.com'],
      'slack.webhook_url': secrets.webhook_url,
      'discord.webhook_url': secrets.webhook_url,
      'microsoft_teams.webhook_url': secrets.webhook_url,
      'pagerduty.routing_key': secrets.routing_key,
      'telegram.bot_token': secrets.bot_token,
      'telegram.chat_id': '-100123',
      'custom.preset': undefined,
      'custom.url': secrets.url,
      'custom.headers': { 'X-Key': secrets['X-Key'] },
      'custom.content_type': 'text/plain',
      'custom.body_template': '{{ fields.topic }}: {{ message }}',
      'custom.fields': { topic: secrets.topic },
    }
    const channels = new Map<string, string>()
    for (const type of channelTypes) {
      const reading = { [`${type}.language`]: 'de', [`${type}.timezone`]: 'Europe/Berlin' }
      const config = filled(channelKinds[type].config, { ...ofChannel, ...reading }, type)
      const body = { name: `To ${type}`, type, config, is_enabled: false, notify_all: false }
      channels.set(type, await made(team, '/notification-channels', body))
    }

    const rotation = {
      name: 'Week',
      order: 3,
      users: [team.userId, bea.userId],
      handoff: 'custom',
      shift_minutes: 600,
      first_handoff_at: '2026-01-05T09:00',
      restrictions: [{ days: ['mon', 'tue'], from: '09:00', to: '17:00' }],
      starts_at: '2026-01-05T00:00:00Z',
      ends_at: '2090-01-01T00:00:00Z',
    }
    const always = {
      name: 'Always',
      users: [bea.userId],
      handoff: 'weekly',
      first_handoff_at: '2026-01-05T09:00',
    }
    const schedule = await made(
      team,
      '/on-call-schedules',
      filled(
        NewSchedule,
        {
          'schedule.name': 'Nights',
          'schedule.timezone': 'Europe/Berlin',
          'schedule.rotations': [rotation, always],
        },
        'schedule',
      ),
    )
    const target = { type: 'user', id: bea.userId }
    const last = await made(team, '/escalation-policies', {
      name: 'Last',
      steps: [{ delay_minutes: 1, targets: [target] }],
    })
    const policy = await made(
      team,
      '/escalation-policies',
      filled(
        NewPolicy,
        {
          'policy.name': 'First',
          'policy.fallback_policy_id': last,
          'policy.steps': [
            {
              order: 2,
              delay_minutes: 4,
              assignment: 'round_robin',
              only_if: { severity: ['minor'], days: ['sun'], from: '08:00', to: '20:00', timezone: 'Europe/Berlin' },
              targets: [
                target,
                { type: 'schedule', id: schedule, position: 'next' },
                { type: 'team' },
                { type: 'channel', id: channels.get('slack') },
              ],
            },
          ],
        },
        'policy',
      ),
    )
    await made(
      team,
      `/on-call-schedules/${schedule}/overrides`,
      filled(
        NewOverride,
        {
          'override.user_id': team.userId,
          'override.replaces_user_id': bea.userId,
          'override.escalation_policy_id': policy,
          'override.starts_at': '2089-01-05T00:00:00Z',
          'override.ends_at': '2089-02-05T00:00:00Z',
          'override.reason': 'Away',
        },
        'override',
      ),
    )

    const { parent, shop, slo } = await monitorsIn(team, policy)
    const server = {
      'server.name': 'web-1',
      'server.tags': ['prod'],
      'server.group': 'Servers',
      'server.notes': 'In rack 4.',
      'server.depends_on': [parent],
      'server.escalation_policy_id': policy,
      'server.external_ref': 'ref-3',
      'server.metadata': { id: parent },
      'server.slo': slo,
      'server.thresholds': [{ metric: 'disk', above: 70, for_minutes: 7, severity: 'critical', label: '/srv' }],
    }
    await made(team, '/agent-monitors', filled(NewAgentMonitor, server, 'server'))

    await made(
      team,
      '/notification-rules',
      filled(
        NewRule,
        {
          'rule.channel_id': channels.get('email'),
          'rule.event_types': ['incident.created', 'incident.resolved'],
          'rule.monitor_filter': { monitor_ids: [shop], tags: ['prod'], types: ['website'] },
          // of a reseller alone
          'rule.tenant_filter': undefined,
        },
        'rule',
      ),
    )

    const page = await made(
      team,
      '/status-pages',
      filled(
        NewPage,
        {
          'page.name': 'Status',
          'page.slug': `s-${crypto.randomUUID()}`.slice(0, 30),
          'page.description': 'Of the shop.',
          'page.access': 'password',
          'page.password': secrets.password,
          'page.allowed_email_domains': ['example.com'],
          'page.allowed_ips': ['192.0.2.0/24'],
          'page.locales': ['de', 'en'],
          'page.timezone': 'Europe/Berlin',
          'page.primary_color': '#123456',
          'page.logo_url': 'https://cdn.example.com/logo.png',
          'page.logo_url_dark': 'https://cdn.example.com/dark.png',
          'page.header_links': [{ label: 'Shop', url: 'https://shop.example.com/' }],
          'page.footer_links': [{ label: 'Imprint', url: 'https://shop.example.com/imprint' }],
          'page.texts': { de: { name: 'Stand', description: 'Des Ladens', announcement: 'Neu', footer: 'Ende' } },
        },
        'page',
      ),
    )
    const group = await made(team, `/status-pages/${page}/groups`, filled(NewGroup, { 'group.name': 'Web' }, 'group'))
    const ofComponent = {
      'component.name': 'Shop',
      'component.description': 'Where people buy.',
      'component.group_id': group,
      'component.position': 4,
    }
    for (const kind of [
      { type: 'monitor', monitor_id: shop, monitor_group: undefined, static_status: undefined },
      { type: 'group', monitor_id: undefined, monitor_group: 'Shops', static_status: undefined },
      { type: 'static', monitor_id: undefined, monitor_group: undefined, static_status: 'partial_outage' },
    ])
      await made(
        team,
        `/status-pages/${page}/components`,
        filled(
          NewComponent,
          {
            ...ofComponent,
            'component.name': `By ${kind.type}`,
            ...Object.fromEntries(Object.entries(kind).map(([name, value]) => [`component.${name}`, value])),
          },
          'component',
        ),
      )

    const ofWindow = {
      'window.title': 'Patches',
      'window.description': 'Every month.',
      'window.scope': { monitor_ids: [shop], tags: ['prod'] },
      'window.starts_at': '2089-11-27T02:00:00',
      'window.timezone': 'Europe/Berlin',
      'window.rrule': 'FREQ=MONTHLY;BYDAY=-1SU',
      'window.until': '2090-11-27T02:00:00',
      'window.status_page_ids': [page],
      'window.notify': { on_create: true, before_minutes: [60], on_start: true, on_end: true },
    }
    await made(team, '/maintenance-windows', filled(NewWindow, ofWindow, 'window'))
    await made(team, '/maintenance-windows', {
      title: 'All',
      scope: { all: true },
      starts_at: '2089-01-01T02:00',
      timezone: 'UTC',
      duration_minutes: 5,
    })
    await made(
      team,
      '/status-page-templates',
      filled(
        NewPageTemplate,
        {
          'text.name': 'Outage',
          'text.title': 'Outage of {{component_names}}',
          'text.body': 'We are at work on {{page_name}}.',
        },
        'text',
      ),
    )
    const branding = {
      brand_name: 'Shop',
      alert_prefix: '[Shop]',
      primary_color: '#123456',
      footer_text: 'Made with care',
      support_url: 'https://shop.example.com/help',
    }
    expect((await team.patch('/branding', branding)).status).toBe(200)

    const first = await exported(team)
    for (const secret of Object.values(secrets)) expect(JSON.stringify(first.document)).not.toContain(secret)
    for (const { key } of exportedParts)
      if (schemas[key] && !['monitor_templates', 'provisioning_profiles'].includes(key))
        expect(first.document[key]?.length, key).toBeGreaterThan(0)

    withSecrets(first.path, secrets)
    const { code, printed } = await imported(other, first.path)
    expect(code, printed.join('\n')).toBe(0)
    await cutOver(other)
    const again = await exported(other)
    const [was, is] = [named(first.document), named(again.document)]
    for (const [key, records] of Object.entries(was))
      if (key === 'status_pages')
        expect(is[key], key).toEqual(
          (records as Exported[]).map(record => ({ ...record, slug: `${record.slug}-2`, id: 'status_pages Status' })),
        )
      else expect(is[key], key).toEqual(records)
    expect(Object.keys(is).toSorted()).toEqual(Object.keys(was).toSorted())

    const second = await imported(other, first.path)
    expect(second.code, second.printed.join('\n')).toBe(0)
    expect(second.printed.at(-1)).toMatch(/^Other records: 0 created, \d\d here already, 0 failed, 0 left out$/)
    expect(named((await exported(other)).document)).toEqual(is)
  }, 60_000)

  test('has the same people on duty in another team, also after people have joined', async () => {
    const team = await given.tenant()
    const others = [await given.colleague(team, 'member'), await given.colleague(team, 'member')]
    const other = await given.tenant()
    const people = [team, ...others].map(({ userId }) => userId ?? '')
    await services.platform.query(
      `insert into memberships (user_id, tenant_id, role) select id, $2, 'member' from unnest($1::uuid[]) as p(id)`,
      [people, other.tenantId],
    )
    const daily = (name: string, users: string[]) => ({
      ...{ name, users, handoff: 'daily', first_handoff_at: '2026-01-05T09:00' },
    })
    const path = '/on-call-schedules'
    const id = await made(team, path, {
      name: 'Days',
      timezone: 'Europe/Berlin',
      rotations: [daily('A', people.slice(0, 2)), { ...daily('B', people), handoff: 'custom', shift_minutes: 600 }],
    })
    const { rotations } = (await team.get(`${path}/${id}`)).body.data
    const changed = rotations.map((rotation: Exported) => ({
      ...rotation,
      users: rotation.name === 'A' ? people : people.toReversed().slice(0, 2),
    }))
    const { status, text, body } = await team.patch(`${path}/${id}`, { rotations: changed })
    expect(status, text).toBe(200)
    const { path: file } = await exported(team)
    const { code, printed } = await imported(other, file)
    expect(code, printed.join('\n')).toBe(0)
    const [copy] = (await other.get(path)).body.data
    expect(body.data.counts_from).not.toBeNull()
    // the change of each rotation counts from its next hand-off on
    const from = new Date(Date.now() + 2 * 86_400_000).toISOString()
    const to = new Date(Date.parse(from) + 30 * 86_400_000).toISOString()
    const layers = async (of: CallerUnderTest, schedule: string) =>
      (await of.get(`${path}/${schedule}/preview?from=${from}&to=${to}`)).body.data.layers.map(
        ({ name, shifts }: Exported) => ({ name, shifts }),
      )
    expect(await layers(other, copy.id)).toEqual(await layers(team, id))
  })

  test('of a reseller has its templates and profiles, in every field', async () => {
    const reseller = await given.reseller()
    const template = {
      'template.name': 'Shop',
      'template.monitors': [
        {
          name_template: 'Shop of {{domain}}',
          url_template: 'https://{{domain}}/',
          type: 'website',
          check_interval: 300,
          tags: ['{{label}}'],
          slo: { target_pct: 99.5, window_days: 7 },
          secret_hosts: ['*.example.com'],
          checks: [
            {
              type: 'uptime',
              settings: { headers: { Authorization: secrets.Authorization } },
              interval: 600,
              severity: 'minor',
              is_enabled: false,
            },
          ],
        },
      ],
      'template.variables': [
        { name: 'domain', required: true, description: 'Its domain', default: 'shop.example.com' },
        { name: 'label', required: false, description: null, default: null },
      ],
    }
    const id = await made(reseller, '/reseller/monitor-templates', filled(NewTemplate, template, 'template'))
    const profile = {
      'profile.name': 'Small',
      'profile.plan': 'pro',
      'profile.feature_overrides': { monitors: 7, sso: true },
      'profile.branding': { brand_name: 'Shop', hide_powered_by: true },
      'profile.monitor_template_id': id,
    }
    await made(reseller, '/reseller/provisioning-profiles', filled(NewProfile, profile, 'profile'))
    const first = await exported(reseller)
    expect(maskedFields(first.document.monitor_templates)).toHaveLength(1)
    withSecrets(first.path, secrets)
    const other = await given.reseller()
    const { code, printed } = await imported(other, first.path)
    expect(code, printed.join('\n')).toBe(0)
    expect(named((await exported(other)).document)).toEqual(named(first.document))
    expect(first.document.provisioning_profiles).toMatchObject([{ name: 'Small', plan: 'pro' }])
  })
})

describe('what an export and an import leave out is said by name', () => {
  test('secrets, what is over, what the token may not read, and what is never exported', async () => {
    const team = await given.tenant()
    await made(team, '/notification-channels', {
      name: 'Ops',
      type: 'slack',
      config: { webhook_url: secrets.webhook_url },
    })
    const window = await made(team, '/maintenance-windows', {
      title: 'Move',
      scope: { all: true },
      starts_at: '2089-01-01T02:00',
      timezone: 'UTC',
      duration_minutes: 5,
    })
    expect((await team.post(`/maintenance-windows/${window}/cancel`)).status).toBe(200)
    const { printed, document } = await exported(
      await given.token(team, 'sk', ['monitors:read', 'notifications:read', 'maintenance:read']),
    )
    expect(printed[0]).toMatch(/^0 monitors, 0 jobs, 1 channel, 1 rule are in /)
    expect(printed).toContain('left out: notification_channels Ops: config.webhook_url is a secret')
    expect(printed).toContain('left out: window Move: it is over')
    expect(printed.join('\n')).toMatch(/left out: status pages: the token may not read them/)
    expect(printed.at(-1)).toMatch(/^left out: members and invitations, .*, subscribers and posts of status pages/)
    expect(document.maintenance_windows).toBeUndefined()
  })

  test('a record whose secret is missing, and what names it', async () => {
    const team = await given.tenant()
    await made(team, '/notification-channels', {
      name: 'Ops',
      type: 'slack',
      config: { webhook_url: secrets.webhook_url },
    })
    await made(team, '/on-call-schedules', {
      name: 'Nights',
      timezone: 'UTC',
      rotations: [{ name: 'A', users: [team.userId], handoff: 'weekly', first_handoff_at: '2026-01-05T09:00' }],
    })
    const { path } = await exported(team)
    for (const isApplied of [false, true]) {
      const { code, printed } = await imported(await given.tenant(), path, isApplied)
      expect(code).toBe(0)
      const said = printed.join('\n')
      expect(said).toContain('skip     channel      Ops: config.webhook_url: a secret, which no export holds')
      expect(said).toMatch(/skip {5}rule {9}Ops, incident.*: It needs Ops, which is not here\./)
      expect(said).toMatch(/skip {5}schedule {5}Nights: It needs the member Pat Person \(.*\), which is not here\./)
      expect(said).toContain('0 here already, 0 failed, 3 left out')
    }
  })

  test('a folder that is missing is an error in words, before anything is read', async () => {
    const api = openApi('http://127.0.0.1:1', 'none')
    const output = join(folder, 'none', 'export.json')
    await expect(exportTo(api, { format: 'json', output })).rejects.toMatchObject({
      name: 'StartFault',
      message: `the file ${output} cannot be written`,
      why: `There is no folder ${join(folder, 'none')}.`,
      fixes: [`mkdir -p ${join(folder, 'none')}`],
    })
    await expect(exportTo(apiOf(await given.tenant()), { format: 'json', output: folder })).rejects.toMatchObject({
      name: 'StartFault',
      message: `the file ${folder} cannot be written`,
    })
  })
})
