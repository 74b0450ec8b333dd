import { describe, expect, test } from 'vitest'
import { subscribable } from '#contract/events.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const channelOf = async (caller: CallerUnderTest): Promise<string> =>
  (
    await caller.post('/notification-channels', {
      name: 'x',
      type: 'webhook',
      config: { url: 'https://hooks.example.com/x' },
      notify_all: false,
    })
  ).body.data.id

describe('/notification-rules', () => {
  test('creates, lists, gets, updates and deletes', async () => {
    const owner = await given.tenant()
    const channel_id = await channelOf(owner)
    const { status, body } = await owner.post('/notification-rules', {
      channel_id,
      event_types: ['monitor.down'],
      monitor_filter: { tags: ['prod'] },
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      channel_id,
      event_types: ['monitor.down'],
      monitor_filter: { monitor_ids: [], tags: ['prod'], types: [] },
      tenant_filter: null,
    })
    const { id } = body.data
    expect((await owner.get('/notification-rules')).body).toMatchObject({ data: [{ id }], meta: { total: 1 } })
    const changed = await owner.patch(`/notification-rules/${id}`, {
      event_types: ['incident.created'],
      monitor_filter: null,
    })
    expect(changed.body.data).toMatchObject({ event_types: ['incident.created'], monitor_filter: null, channel_id })
    expect((await owner.get(`/notification-rules/${id}`)).body.data).toEqual(changed.body.data)
    expect((await owner.delete(`/notification-rules/${id}`)).status).toBe(204)
    expect((await owner.get(`/notification-rules/${id}`)).status).toBe(404)
    expect(await app.audited(owner)).toEqual([
      'notification_channel.created',
      'notification_rule.created',
      'notification_rule.updated',
      'notification_rule.deleted',
    ])
  })

  test('lists every event with an example', async () => {
    const owner = await given.tenant()
    const { data } = (await owner.get('/notification-rules/event-types')).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(subscribable)
    expect(data.find(({ name }: { name: string }) => name === 'ssl.expiring')).toMatchObject({
      alias_of: 'warning.ssl_expiring',
    })
  })

  test('only a reseller may filter by team, and the channel must be the tenant’s own', async () => {
    const owner = await given.tenant()
    const channel_id = await channelOf(owner)
    const filtered = await owner.post('/notification-rules', {
      channel_id,
      event_types: ['incident.created'],
      tenant_filter: { labels: ['a*'] },
    })
    expect(filtered).toMatchObject({ status: 422, body: { errors: { tenant_filter: [expect.any(String)] } } })
    const foreign = await channelOf(await given.tenant())
    for (const other of [foreign, crypto.randomUUID()]) {
      const answer = await owner.post('/notification-rules', { channel_id: other, event_types: ['incident.created'] })
      expect(answer).toMatchObject({ status: 422, body: { errors: { channel_id: [expect.any(String)] } } })
    }
    const reseller = await given.reseller({ scopes: ['notifications:manage'] })
    const own = await reseller.post('/notification-rules', {
      channel_id: await channelOf(reseller),
      event_types: ['incident.created'],
      tenant_filter: { tenant_ids: [crypto.randomUUID()], labels: ['a*'] },
    })
    expect(own.status).toBe(201)
    const team = await given.team(reseller)
    const made = await reseller.post(`${team.path}/notification-rules`, {
      channel_id: await channelOf(team),
      event_types: ['incident.created'],
    })
    expect(made.status).toBe(201)
    expect((await owner.get(`/notification-rules/${made.body.data.id}`)).status).toBe(404)
  })

  test.each([
    ['no events', { event_types: [] }, 'event_types'],
    ['an unknown event', { event_types: ['monitor.gone'] }, 'event_types.0'],
    ['one that is the platform’s own', { event_types: ['invitation.created'] }, 'event_types.0'],
    ['a monitor that is no id', { monitor_filter: { monitor_ids: ['x'] } }, 'monitor_filter.monitor_ids.0'],
    [
      '1001 monitors',
      { monitor_filter: { monitor_ids: Array.from({ length: 1_001 }, () => crypto.randomUUID()) } },
      'monitor_filter.monitor_ids',
    ],
    ['a channel that is no id', { channel_id: 'x' }, 'channel_id'],
  ])('refuses %s', async (_, more, field) => {
    const owner = await given.tenant()
    const { status, body } = await owner.post('/notification-rules', {
      channel_id: await channelOf(owner),
      event_types: ['incident.created'],
      ...more,
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
  })
})
