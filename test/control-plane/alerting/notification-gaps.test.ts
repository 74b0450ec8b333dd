import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alertFindings } from '#cli/commands/doctor-alerts.ts'
import { encryptConfig } from '#control-plane/alerting/channels/config.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { openDatabases } from '#test/support/databases.ts'

const hook = (more: object = {}) => ({
  name: 'Ops',
  type: 'webhook',
  config: { url: 'https://hooks.example.com/in' },
  notify_all: false,
  ...more,
})
const mail = (...recipients: string[]) => ({ name: 'Mail', type: 'email', config: { recipients } })

async function aMonitor(owner: CallerUnderTest, more: object = {}): Promise<string> {
  const { status, body, text } = await owner.post('/monitors', {
    name: `Site ${randomUUID()}`,
    url: 'https://example.com/',
    type: 'website',
    ...more,
  })
  expect(status, text).toBe(201)
  return body.data.id
}
const made = async (owner: CallerUnderTest, path: string, body: object): Promise<string> => {
  const answer = await owner.post(path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
const gapsOf = async (owner: CallerUnderTest, query = '') => (await owner.get(`/notification-gaps${query}`)).body.data
const none = { monitors_count: 0, open_incidents_count: 0, cause: null, monitors: [], channels: [] }
const openIncident = (owner: CallerUnderTest, monitor: string) =>
  app.services.platform.query(
    `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at,
       confirmed_at, quorum)
     select gen_random_uuid(), c.tenant_id, c.monitor_id, c.id, c.type, 1, 'Down', 'critical', now(), now(), '{}'
     from checks c where c.monitor_id = $1 and c.tenant_id = $2 limit 1`,
    [monitor, owner.tenantId],
  )

describe('GET /notification-gaps', () => {
  test('is empty without monitors, and names each monitor of a team without a channel', async () => {
    const owner = await given.tenant()
    expect(await gapsOf(owner)).toEqual(none)
    const [first, second] = [await aMonitor(owner), await aMonitor(owner)]
    await openIncident(owner, second)
    expect(await gapsOf(owner)).toMatchObject({
      monitors_count: 2,
      open_incidents_count: 1,
      cause: 'no_channel',
      monitors: [
        { id: second, open_incidents_count: 1 },
        { id: first, open_incidents_count: 0 },
      ],
    })
    expect(await gapsOf(owner, `?monitor_id=${first}`)).toMatchObject({ monitors_count: 1, monitors: [{ id: first }] })
  })

  test('a channel as it is created closes the gap, and its deletion opens it again', async () => {
    const owner = await given.tenant()
    await aMonitor(owner)
    const channel = await made(owner, '/notification-channels', hook({ notify_all: true }))
    expect(await gapsOf(owner)).toEqual(none)
    await owner.patch(`/notification-channels/${channel}`, { is_enabled: false })
    expect(await gapsOf(owner)).toMatchObject({ monitors_count: 1, cause: 'no_channel' })
    await owner.patch(`/notification-channels/${channel}`, { is_enabled: true })
    expect(await gapsOf(owner)).toEqual(none)
    await owner.delete(`/notification-channels/${channel}`)
    expect(await gapsOf(owner)).toMatchObject({ monitors_count: 1, cause: 'no_channel' })
  })

  test('a channel without a rule for incidents does not count, under whatever name a rule subscribes', async () => {
    const owner = await given.tenant()
    await aMonitor(owner)
    const channel_id = await made(owner, '/notification-channels', hook())
    expect(await gapsOf(owner)).toMatchObject({ cause: 'no_rule', channels: [{ id: channel_id, name: 'Ops' }] })
    await made(owner, '/notification-rules', { channel_id, event_types: ['incident.resolved', 'warning.ssl_expiring'] })
    expect(await gapsOf(owner)).toMatchObject({ cause: 'no_rule' })
    await made(owner, '/notification-rules', { channel_id, event_types: ['monitor.down'] })
    expect(await gapsOf(owner)).toEqual(none)
  })

  test('rules with filters reach the monitors that they name, by id, by tag and by type', async () => {
    const owner = await given.tenant()
    const [byId, byTag, other] = [
      await aMonitor(owner),
      await aMonitor(owner, { tags: ['prod'] }),
      await aMonitor(owner),
    ]
    const host = await aMonitor(owner, { type: 'host', url: 'db.example.com' })
    const channel_id = await made(owner, '/notification-channels', hook())
    const event_types = ['incident.created']
    for (const monitor_filter of [{ monitor_ids: [byId] }, { tags: ['prod'] }, { types: ['host'] }])
      await made(owner, '/notification-rules', { channel_id, event_types, monitor_filter })
    const gaps = await gapsOf(owner)
    expect(gaps.monitors.map(({ id }: { id: string }) => id)).toEqual([other])
    for (const id of [byId, byTag, host]) expect(await gapsOf(owner, `?monitor_id=${id}`)).toEqual(none)
  })

  test('a channel whose type the plan no longer has does not count', async () => {
    const owner = await given.tenant()
    await aMonitor(owner)
    await made(owner, '/notification-channels', {
      name: 'Chat',
      type: 'slack',
      config: { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' },
    })
    expect(await gapsOf(owner)).toEqual(none)
    await app.services.platform.query(`update tenants set plan = 'free' where id = $1`, [owner.tenantId])
    expect(await gapsOf(owner)).toMatchObject({ cause: 'no_channel' })
  })

  test('an e-mail channel counts once a recipient is a verified member or has confirmed', async () => {
    const owner = await given.tenant()
    await aMonitor(owner)
    const stranger = `${randomUUID()}@example.com`
    const channel = await made(owner, '/notification-channels', mail(stranger))
    expect(await gapsOf(owner)).toMatchObject({ cause: 'unconfirmed', monitors_count: 1 })
    await app.services.platform.query('update mail_recipients set confirmed_at = now() where email = $1', [stranger])
    expect(await gapsOf(owner)).toEqual(none)
    await app.services.platform.query('update mail_recipients set unsubscribed_at = now() where email = $1', [stranger])
    expect(await gapsOf(owner)).toMatchObject({ cause: 'unconfirmed' })
    const { email } = (await owner.get('/user')).body
    await owner.patch(`/notification-channels/${channel}`, { config: { recipients: [stranger, email] } })
    expect(await gapsOf(owner)).toEqual(none)
  })

  test('an escalation policy counts where it is the monitor’s or the default, and reaches a person', async () => {
    const owner = await given.tenant()
    const [plain, own] = [await aMonitor(owner), await aMonitor(owner)]
    const unproven = await given.colleague(owner, 'member')
    await app.services.platform.query('update users set email_verified_at = null where id = $1', [unproven.userId])
    const policyFor = (user: string | null, more: object = {}) => ({
      name: 'Night',
      steps: [{ delay_minutes: 5, targets: [{ type: 'user', id: user }] }],
      ...more,
    })
    const policy = await made(owner, '/escalation-policies', policyFor(owner.userId))
    expect(await gapsOf(owner)).toMatchObject({ monitors_count: 2 })
    await owner.patch(`/monitors/${own}`, { escalation_policy_id: policy })
    expect((await gapsOf(owner)).monitors).toMatchObject([{ id: plain }])
    const unreachable = await made(owner, '/escalation-policies', policyFor(unproven.userId, { is_default: true }))
    expect((await gapsOf(owner)).monitors).toMatchObject([{ id: plain }])
    await owner.patch(`/escalation-policies/${unreachable}`, { fallback_policy_id: policy })
    expect(await gapsOf(owner)).toEqual(none)
  })

  test('monitors that are disabled, over the plan limit, in shadow or of a paused team are left out', async () => {
    const owner = await given.tenant()
    const monitor = await aMonitor(owner)
    const { platform } = app.services
    for (const column of ['held_by_plan', 'is_shadow']) {
      await platform.query(`update monitors set ${column} = true where id = $1`, [monitor])
      expect(await gapsOf(owner), column).toEqual(none)
      await platform.query(`update monitors set ${column} = false where id = $1`, [monitor])
    }
    await owner.post(`/monitors/${monitor}/disable`)
    expect(await gapsOf(owner)).toEqual(none)
    await owner.post(`/monitors/${monitor}/enable`)
    expect(await gapsOf(owner)).toMatchObject({ monitors_count: 1 })
  })

  test('the reseller asks for a team of its own, and its channels do not count for the team', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await aMonitor(team)
    await made(reseller, '/reseller/webhooks', {
      name: 'CRM',
      url: 'https://crm.example.com/in',
      events: ['incident.created'],
    })
    const { status, body } = await reseller.get(`${team.path}/notification-gaps`)
    expect([status, body.data.monitors_count]).toEqual([200, 1])
    const stranger = await given.reseller()
    expect((await stranger.get(`${team.path}/notification-gaps`)).status).toBe(403)
  })

  test('a wrong monitor_id is refused, and one of another team has no gap', async () => {
    const owner = await given.tenant()
    const { status, body } = await owner.get('/notification-gaps?monitor_id=x')
    expect([status, Object.keys(body.errors)]).toEqual([422, ['monitor_id']])
    const other = await given.tenant()
    expect(await gapsOf(owner, `?monitor_id=${await aMonitor(other)}`)).toEqual(none)
  })
})

describe('vedette doctor', () => {
  let platform: pg.Pool
  let url = ''
  beforeAll(async () => {
    url = (await openDatabases('doctor_alerts')).platformUrl
    platform = new pg.Pool({ connectionString: url, max: 1 })
  })
  afterAll(() => platform?.end())
  const find = () => alertFindings({ DATABASE_PLATFORM_URL: url })

  async function aTeam(name: string, { isReseller = false, hasChannel = false } = {}): Promise<string> {
    const slug = `t-${randomUUID()}`
    const id = await createTenant(platform, { name, slug, plan: 'pro', featureOverrides: {}, isReseller })
    await platform.query(
      `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, regions, region_policy,
         confirmations, recovery_confirmations)
       values ($1, $2, 'Site', 'https://example.com', 'website', 60, 10, '{}', '{"mode":"any","count":null}', 2, 2)`,
      [randomUUID(), id],
    )
    if (hasChannel) {
      const channel = randomUUID()
      const ring = { secretKey: 'a key of this installation, long enough' }
      const { config } = encryptConfig(ring, channel, 'webhook', { url: 'https://hooks.example.com' })
      await platform.query(
        `with c as (
           insert into notification_channels (id, tenant_id, name, type, config) values ($1, $2, 'x', 'webhook', $3)
           returning id)
         insert into notification_rules (id, tenant_id, channel_id, event_types)
         select gen_random_uuid(), $2, id, '{incident.created}' from c`,
        [channel, id, JSON.stringify(config)],
      )
    }
    return id
  }

  test('names the teams whose incidents reach no person, a fault only where they are no reseller’s customers', async () => {
    await aTeam('Reached', { hasChannel: true })
    expect((await find())[0]).toEqual({
      title: 'Alerts',
      state: 'good',
      words: 'incidents of every monitor reach a channel or a person',
    })
    const reseller = await aTeam('Host', { isReseller: true, hasChannel: true })
    await addManagedTeam(platform, reseller, await aTeam('Customer'), null)
    expect((await find())[0]).toMatchObject({ state: 'optional', words: expect.stringContaining('Customer (1)') })
    await aTeam('Acme')
    const [found] = await find()
    expect(found).toMatchObject({
      state: 'bad',
      words: expect.stringContaining('incidents of 2 monitors reach no channel and no person: Acme (1)'),
    })
    expect(found?.words).toContain('and 1 more')
  })

  test('says so when the database does not answer', async () => {
    const url = 'postgres://stranger:nothing@127.0.0.1:1/none'
    expect(await alertFindings({ DATABASE_PLATFORM_URL: url })).toMatchObject([{ title: 'Alerts', state: 'bad' }])
  })
})
