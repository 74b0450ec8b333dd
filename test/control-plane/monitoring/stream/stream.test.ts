import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { MonitorStatusEvent } from '#contract/stream.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { EventStreamUnderTest } from '#test/support/event-stream.ts'

const { platform } = app.services
const open = new Set<EventStreamUnderTest>()

afterEach(() => {
  for (const stream of open) stream.leave()
  open.clear()
})

interface Asked {
  path?: string
  headers?: Record<string, string>
  reads?: boolean
}

async function streamOf(
  caller: CallerUnderTest,
  topics = 'monitors,incidents',
  { path = '/stream', headers = {}, reads = true }: Asked = {},
): Promise<EventStreamUnderTest> {
  const stream = await EventStreamUnderTest.open(`${app.baseUrl}/api/v1${path}?topics=${topics}`, {
    headers: {
      'X-Forwarded-For': caller.ip,
      ...(caller.token && { Authorization: `Bearer ${caller.token}` }),
      ...headers,
    },
    reads,
  })
  open.add(stream)
  return stream
}

const monitorEvent = (tenantId: string, name = 'Shop') => ({
  tenantId,
  name: 'monitor.updated' as const,
  payload: { monitor_id: randomUUID(), monitor_name: name, monitor_url: 'https://shop.example/' },
})

describe('GET /stream', () => {
  test('begins with a position, and is neither kept nor compressed', async () => {
    const owner = await given.tenant()
    const stream = await streamOf(owner, 'monitors', { headers: { 'Accept-Encoding': 'gzip, br' } })
    expect(stream.status).toBe(200)
    expect(stream.headers['content-type']).toBe('text/event-stream')
    expect(stream.headers['cache-control']).toBe('no-store, no-transform')
    expect(stream.headers['content-encoding']).toBeUndefined()
    const { id } = await stream.next(({ event }) => event === 'position')
    expect(id).toMatch(/^\d+$/)
    expect(stream.text).toMatch(/^retry: 3000\n/)
  })

  test('sends the events of its team, as webhooks have them', async () => {
    const [owner, stranger] = [await given.tenant(), await given.tenant()]
    const [own, foreign] = [await streamOf(owner), await streamOf(stranger)]
    await emitEvents(platform, [monitorEvent(owner.tenantId, 'Our\nshop')])
    const { id, data } = await own.next(({ event }) => event === 'monitor.updated')
    expect(data).toMatchObject({ event: 'monitor.updated', monitor_name: 'Our\nshop' })
    expect(data.timestamp).toMatch(/^\d{4}-.*\.\d{6}Z$/)
    const { rows } = await platform.query('select id from outbox where tenant_id = $1', [owner.tenantId])
    expect(rows.map(row => row.id)).toContain(id)
    await emitEvents(platform, [monitorEvent(stranger.tenantId)])
    await foreign.next(({ event }) => event === 'monitor.updated')
    expect(foreign.named('monitor.updated')).toHaveLength(1)
    expect(own.named('monitor.updated')).toHaveLength(1)
  })

  test('sends a beginning once, also when people are notified of it later', async () => {
    const owner = await given.tenant()
    const stream = await streamOf(owner)
    const emit = (name: string, stage: string, number: number) =>
      platform.query(
        `insert into outbox (tenant_id, kind, name, payload, suppression)
         values ($1, 'event', $2, jsonb_build_object('incident_number', $4::int),
           jsonb_build_object('stage', $3::text, 'by', 'storm', 'is_muted', false, 'is_team_notified', false,
             'is_reseller_notified', true))`,
        [owner.tenantId, name, stage, number],
      )
    await emit('incident.created', 'begun', 1)
    await emit('incident.created', 'released', 1)
    await emit('incident.created', 'unmuted', 1)
    await emit('warning.ssl_expiring', 'begun', 2)
    await emit('warning.ssl_expiring', 'unmuted', 2)
    await emit('incident.resolved', 'followed', 1)
    await stream.next(({ event }) => event === 'incident.resolved')
    expect(stream.named('incident.created')).toHaveLength(1)
    expect(stream.named('warning.ssl_expiring')).toHaveLength(1)
  })

  test('sends the status that a monitor has now', async () => {
    const owner = await given.tenant()
    const monitor = await aMonitor(owner, { status: 'up' })
    const stream = await streamOf(owner, 'monitors')
    await platform.query(
      `update monitors set status = 'down', status_changed_at = '2026-01-15T08:30:00Z' where id = $1`,
      [monitor.id],
    )
    const { data } = await stream.next(({ event }) => event === 'monitor.status')
    expect(MonitorStatusEvent.strict().parse(data)).toMatchObject({
      monitor_id: monitor.id,
      status: 'down',
      since: '2026-01-15T08:30:00.000000Z',
    })
    const disabled = await owner.patch(`/monitors/${monitor.id}`, { is_enabled: false })
    expect(disabled.status).toBe(200)
    await stream.next(({ data: { status } }) => status === 'paused')
  })

  test('sends one status of a pause, and one of its end, although the engine follows a moment later', async () => {
    const owner = await given.tenant()
    const monitor = await aMonitor(owner, { status: 'up' })
    const stream = await streamOf(owner, 'monitors')
    const engineSets = (status: string | null) =>
      platform.query(
        `update monitors set status = $2, status_changed_at = now(), coverage = 'none', coverage_since = now()
         where id = $1`,
        [monitor.id, status],
      )
    expect((await owner.patch(`/monitors/${monitor.id}`, { is_enabled: false })).status).toBe(200)
    await engineSets('paused')
    expect((await owner.patch(`/monitors/${monitor.id}`, { is_enabled: true })).status).toBe(200)
    await engineSets(null)
    await engineSets('down')
    await platform.query(`update monitors set coverage = 'full' where id = $1`, [monitor.id])
    await stream.next(({ event, data }) => event === 'monitor.status' && data.state === 'down')
    expect(stream.named('monitor.status').map(({ data }) => [data.state, data.status])).toEqual([
      ['disabled', 'paused'],
      ['unknown', null],
      ['down', 'down'],
    ])
  })

  test('sends the status of maintenance as it begins and ends', async () => {
    const owner = await given.tenant()
    const monitor = await aMonitor(owner, { status: 'up' })
    const stream = await streamOf(owner, 'monitors')
    const window = await owner.post('/maintenance-windows', {
      title: 'Upgrade',
      scope: { monitor_ids: [monitor.id] },
      starts_at: new Date(Date.now() + 3_600_000).toISOString().slice(0, 16),
      timezone: 'UTC',
      duration_minutes: 60,
    })
    expect(window.status, window.text).toBe(201)
    const path = `/maintenance-windows/${window.body.data.id}`
    expect((await owner.post(`${path}/start`)).status).toBe(200)
    await stream.next(({ event, data }) => event === 'monitor.status' && data.status === 'maintenance')
    expect((await owner.post(`${path}/stop`)).status).toBe(200)
    await stream.next(({ event, data }) => event === 'monitor.status' && data.status === 'up')
  })

  test('sends a topic only to those who asked for it', async () => {
    const owner = await given.tenant()
    const incidents = await streamOf(owner, 'incidents')
    const all = await streamOf(owner)
    await emitEvents(platform, [monitorEvent(owner.tenantId)])
    await all.next(({ event }) => event === 'monitor.updated')
    expect(incidents.named('monitor.updated')).toEqual([])
  })

  test('is open to the cookie of a browser', async () => {
    const browser = await inBrowser(await given.tenant())
    const stream = await streamOf(browser, 'monitors', {
      headers: { Cookie: browser.cookie, 'Sec-Fetch-Site': 'same-origin' },
    })
    await stream.next(({ event }) => event === 'position')
  })

  test('shows a reseller the events of a team that it manages', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const [below, named] = [
      await streamOf(reseller, 'monitors', { path: `${team.path}/stream` }),
      await streamOf(reseller, 'monitors', { headers: { 'X-Tenant-Id': team.tenantId } }),
    ]
    await emitEvents(platform, [monitorEvent(team.tenantId)])
    await below.next(({ event }) => event === 'monitor.updated')
    await named.next(({ event }) => event === 'monitor.updated')
  })
})

describe('what is refused', () => {
  test('names the field of a topic that there is not', async () => {
    const owner = await given.tenant()
    for (const topics of ['', 'monitors,weather', 'runs:x', 'runs', `runs:${'x'.repeat(1_100)}`]) {
      const { status, body } = await owner.get(`/stream?topics=${topics}`)
      expect([status, Object.keys(body.errors)], topics).toEqual([422, ['topics']])
    }
    expect((await owner.get('/stream')).body.errors).toHaveProperty('topics')
  })

  test('takes twenty checks, and no more', async () => {
    const owner = await given.tenant()
    const runs = async (count: number) =>
      Promise.all(Array.from({ length: count }, async () => `runs:${(await aMonitor(owner)).check}`))
    const stream = await streamOf(owner, (await runs(20)).join())
    expect(stream.status).toBe(200)
    const { status, body } = await owner.get(`/stream?topics=${(await runs(21)).join()}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['topics']])
  })

  test('answers a check of another tenant as its neighbours do', async () => {
    const [owner, stranger] = [await given.tenant(), await given.tenant()]
    const { check } = await aMonitor(stranger)
    const { status, body } = await owner.get(`/stream?topics=runs:${check}`)
    expect([status, body.message]).toEqual([404, 'Check not found.'])
  })

  test('needs the scope of each topic', async () => {
    const owner = await given.tenant()
    const { check } = await aMonitor(owner)
    const key = await given.token(owner, 'svc', ['monitors:read'])
    expect((await streamOf(key, 'monitors')).status).toBe(200)
    for (const topics of ['incidents', `monitors,runs:${check}`]) {
      const { status, body } = await key.get(`/stream?topics=${topics}`)
      expect([status, body.code], topics).toEqual([403, 'missing_scope'])
    }
  })

  test('opens three streams for a token, and the next once one has ended', async () => {
    const owner = await given.tenant()
    const first = await streamOf(owner)
    await Promise.all([streamOf(owner), streamOf(owner)])
    const { status, body, headers } = await owner.get('/stream?topics=monitors')
    expect([status, body.code]).toEqual([503, 'too_many_streams'])
    expect(headers.get('retry-after')).toBe('15')
    first.leave()
    await expect.poll(async () => (await streamOf(owner)).status, { timeout: 10_000 }).toBe(200)
  })

  test('answers a HEAD at once', async () => {
    const owner = await given.tenant()
    const { status, text } = await owner.call('HEAD', '/stream?topics=monitors')
    expect([status, text]).toEqual([200, ''])
  })
})
