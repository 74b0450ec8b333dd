import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { anIncident, aTenantOf, happen, settled } from '#test/control-plane/alerting/alerted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('alerting', { roles: ['api', 'worker'] })
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

const aTenant = (options?: { isReseller?: boolean }) => aTenantOf(served, receiver, options)

describe('from the outbox to the receiver', () => {
  test('an incident is sent once, with both signatures, byte for byte as specified', async () => {
    const tenant = await aTenant()
    await tenant.subscribe(['incident.created'], {}, { secret: 'shared/with:the receiver ✓' })
    const incident = anIncident({ title: 'Größe über 1/2 ✓' })
    await happen(served, tenant.id, 'incident.created', incident)
    const { text, body, headers } = await eventually(() => tenant.received()[0])
    expect(body).toMatchObject({ ...incident, event: 'incident.created' })
    expect(body._managed_tenant).toBeUndefined()
    expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(Object.keys(body)).toEqual(Object.keys(body).toSorted())
    expect(text).toBe(JSON.stringify(body))
    expect(text).toContain('https://shop.example.com/cart')
    const key = 'shared/with:the receiver ✓'
    expect(headers['x-webhook-signature']).toBe(createHmac('sha256', key).update(text).digest('hex'))
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    await settled(served, tenant.id)
    expect(tenant.received()).toHaveLength(1)
  })

  test('without a secret nothing is signed', async () => {
    const tenant = await aTenant()
    await tenant.subscribe(['monitor.created'])
    await happen(served, tenant.id, 'monitor.created', {
      monitor_id: crypto.randomUUID(),
      monitor_name: 'x',
      monitor_url: 'https://x.example.com',
    })
    const { headers } = await eventually(() => tenant.received()[0])
    expect(headers['x-webhook-signature']).toBeUndefined()
    expect(headers['webhook-signature']).toBeUndefined()
    expect(headers['webhook-id']).toMatch(/^msg_[\da-f]{32}$/)
  })

  test('an event that is routed twice, and two rules that match, notify a channel once', async () => {
    const tenant = await aTenant()
    const { channel } = await tenant.subscribe(['incident.created'])
    await tenant.call('POST', '/notification-rules', {
      channel_id: channel.id,
      event_types: ['incident.created', 'monitor.down'],
    })
    const id = await happen(served, tenant.id, 'incident.created', anIncident())
    await eventually(() => tenant.received()[0])
    await settled(served, tenant.id)
    await served.platform.query('update outbox set done_at = null, next_at = now() where id = $1', [id])
    await served.platform.query(`select pg_notify('outbox', '')`)
    await settled(served, tenant.id)
    expect(tenant.received().map(({ body }) => body.event)).toEqual(['incident.created'])
  })

  test('a rule for an alias gets the event by the alias', async () => {
    const tenant = await aTenant()
    await tenant.subscribe(['monitor.down', 'monitor.up'])
    const incident = anIncident()
    await happen(served, tenant.id, 'incident.created', incident)
    await happen(served, tenant.id, 'incident.resolved', { ...incident, status: 'resolved' })
    await eventually(() => tenant.received()[1])
    expect(tenant.received().map(({ body }) => body.event)).toEqual(['monitor.down', 'monitor.up'])
  })

  test('a changed, disabled or deleted rule takes effect at once', async () => {
    const tenant = await aTenant()
    const { rule, channel } = await tenant.subscribe(['monitor.created'])
    const event = (name: string) =>
      happen(served, tenant.id, name, {
        monitor_id: crypto.randomUUID(),
        monitor_name: name,
        monitor_url: 'https://x.example.com',
      })
    await event('monitor.created')
    await eventually(() => tenant.received()[0])
    await tenant.call('PATCH', `/notification-rules/${rule.id}`, { event_types: ['monitor.deleted'] })
    await event('monitor.created')
    await event('monitor.deleted')
    await eventually(() => tenant.received()[1])
    await tenant.call('PATCH', `/notification-channels/${channel.id}`, { is_enabled: false })
    await event('monitor.deleted')
    await settled(served, tenant.id)
    await tenant.call('PATCH', `/notification-channels/${channel.id}`, { is_enabled: true })
    await tenant.call('DELETE', `/notification-rules/${rule.id}`)
    await event('monitor.deleted')
    await settled(served, tenant.id)
    expect(tenant.received().map(({ body }) => body.event)).toEqual(['monitor.created', 'monitor.deleted'])
  })

  test('rules filter by monitor, by tag and by type', async () => {
    const tenant = await aTenant()
    const [tagged, other] = [
      await served.monitor(tenant.id, 'https://a.example.com'),
      await served.monitor(tenant.id, 'https://b.example.com'),
    ]
    await served.platform.query(`update monitors set tags = '{prod}' where id = $1`, [tagged.monitor])
    await served.platform.query(`update monitors set type = 'host' where id = $1`, [other.monitor])
    const byTag = await aTenantOn(tenant, { tags: ['prod'] })
    const byType = await aTenantOn(tenant, { types: ['host'] })
    const byId = await aTenantOn(tenant, { monitor_ids: [other.monitor] })
    const event = (monitor: string) =>
      happen(served, tenant.id, 'incident.created', anIncident({ monitor_id: monitor }))
    await event(tagged.monitor)
    await event(other.monitor)
    await eventually(() => (receiver.at(byId)[0] && receiver.at(byType)[0] && receiver.at(byTag)[0] ? true : undefined))
    await settled(served, tenant.id)
    expect(receiver.at(byTag).map(({ body }) => body.monitor_id)).toEqual([tagged.monitor])
    for (const path of [byType, byId])
      expect(receiver.at(path).map(({ body }) => body.monitor_id)).toEqual([other.monitor])
  })

  async function aTenantOn(tenant: Awaited<ReturnType<typeof aTenant>>, monitor_filter: object): Promise<string> {
    const path = `/${crypto.randomUUID()}`
    const channel = await tenant.call('POST', '/notification-channels', {
      name: 'x',
      type: 'webhook',
      config: { url: receiver.url + path },
      notify_all: false,
    })
    await tenant.call('POST', '/notification-rules', {
      channel_id: channel.id,
      event_types: ['incident.created'],
      monitor_filter,
    })
    return path
  }
})

describe('events of managed teams for their reseller', () => {
  async function aTeam(reseller: { id: string }, label: string | null) {
    const team = await aTenant()
    await addManagedTeam(served.platform, reseller.id, team.id, label)
    await served.platform.query(
      `update managed_teams set external_ref = $2, metadata = '{"crm": 7}' where tenant_id = $1`,
      [team.id, `ref-${team.id}`],
    )
    return team
  }

  test('every event of a team, with the data of the team, which the team’s own rules do not get', async () => {
    const reseller = await aTenant({ isReseller: true })
    const team = await aTeam(reseller, 'gold')
    await reseller.subscribe(['incident.created'])
    await team.subscribe(['incident.created'])
    await happen(served, team.id, 'incident.created', anIncident())
    const { body } = await eventually(() => reseller.received()[0])
    expect(body._managed_tenant).toEqual({
      managed_tenant_id: team.id,
      name: 'Team',
      label: 'gold',
      public_id: expect.stringMatching(/^VT-/),
      external_ref: `ref-${team.id}`,
      metadata: { crm: 7 },
    })
    expect((await eventually(() => team.received()[0])).body._managed_tenant).toBeUndefined()
  })

  test('no events of deleted, detached or foreign teams; events about teams go to the reseller alone', async () => {
    const [reseller, rival] = [await aTenant({ isReseller: true }), await aTenant({ isReseller: true })]
    await reseller.subscribe(['incident.created', 'team.deleted'])
    await rival.subscribe(['incident.created', 'team.deleted'])
    const [deleted, gone] = [await aTeam(reseller, null), await aTeam(reseller, null)]
    await happen(served, gone.id, 'incident.created', anIncident())
    await eventually(() => reseller.received()[0])
    await served.platform.query('update managed_teams set deleted_at = now() where tenant_id = $1', [deleted.id])
    await served.platform.query('delete from managed_teams where tenant_id = $1', [gone.id])
    await happen(served, deleted.id, 'incident.created', anIncident())
    await happen(served, gone.id, 'incident.created', anIncident())
    await settled(served, gone.id)
    await happen(served, reseller.id, 'team.deleted', {
      managed_team_id: crypto.randomUUID(),
      tenant_id: deleted.id,
      tenant_name: 'Team',
    })
    await eventually(() => reseller.received()[1])
    expect(reseller.received().map(({ body }) => body.event)).toEqual(['incident.created', 'team.deleted'])
    expect(rival.received()).toEqual([])
  })

  test('rules filter teams by id or by label, and a new label takes effect at once', async () => {
    const reseller = await aTenant({ isReseller: true })
    const [gold, silver, named] = [
      await aTeam(reseller, 'gold-eu'),
      await aTeam(reseller, 'silver'),
      await aTeam(reseller, null),
    ]
    await reseller.subscribe(['incident.created', 'team.paused'], {
      tenant_filter: { tenant_ids: [named.id], labels: ['gold*'] },
    })
    for (const team of [gold, silver, named]) await happen(served, team.id, 'incident.created', anIncident())
    await eventually(() => reseller.received()[1])
    for (const team of [gold, silver, named]) await settled(served, team.id)
    expect(
      reseller
        .received()
        .map(({ body }) => body._managed_tenant.managed_tenant_id)
        .sort(),
    ).toEqual([gold.id, named.id].sort())
    await served.platform.query(`update managed_teams set label = 'gold' where tenant_id = $1`, [silver.id])
    await happen(served, silver.id, 'incident.created', anIncident())
    await eventually(() => reseller.received()[2])
    await happen(served, reseller.id, 'team.paused', {
      managed_team_id: crypto.randomUUID(),
      tenant_id: gold.id,
      reason: null,
    })
    expect((await eventually(() => reseller.received()[3])).body.event).toBe('team.paused')
  })
})
