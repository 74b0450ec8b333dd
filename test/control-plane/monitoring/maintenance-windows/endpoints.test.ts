import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { blockedBy, mostBlockedMs } from '#test/support/loop.ts'
import { aWindow, maintenanceEvents, minutesFromNow, newWindow } from './windows.ts'

const path = '/maintenance-windows'

describe('creating a maintenance window', () => {
  test('answers its next occurrence in UTC and publishes it', async () => {
    const team = await given.tenant()
    const { status, body } = await team.post(path, newWindow())
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      title: 'Database upgrade',
      description: '',
      scope: { monitor_ids: [], tags: [], all: true },
      starts_at: '2120-11-29T02:00:00',
      rrule: null,
      until: null,
      mode: 'suppress_alerts',
      state: 'scheduled',
      next_starts_at: '2120-11-29T01:00:00.000000Z',
      next_ends_at: '2120-11-29T02:00:00.000000Z',
      actual_started_at: null,
      actual_ended_at: null,
    })
    expect(await maintenanceEvents(team)).toEqual(['maintenance.scheduled'])
    const { body: log } = await team.get(`/audit-log?entity_type=maintenance_window&entity_id=${body.data.id}`)
    expect(log.data.map((entry: { action: string }) => entry.action)).toEqual(['maintenance_window.created'])
  })

  test('previews the next five dates as they will be, and stores nothing', async () => {
    const team = await given.tenant()
    const { starts_at, timezone, duration_minutes } = newWindow()
    const schedule = { starts_at, timezone, duration_minutes, rrule: 'FREQ=WEEKLY', until: null }
    const { status, body } = await team.post(`${path}/preview`, schedule)
    expect([status, body.data.occurrences.map((each: { starts_at: string }) => each.starts_at)]).toEqual([
      200,
      ['29', '06', '13', '20', '27'].map((day, index) => `2120-${index === 0 ? 11 : 12}-${day}T01:00:00.000000Z`),
    ])
    expect((await team.post(`${path}/preview`, { ...schedule, rrule: null })).body.data.occurrences).toEqual([
      { starts_at: '2120-11-29T01:00:00.000000Z', ends_at: '2120-11-29T02:00:00.000000Z' },
    ])
    const short = await team.post(`${path}/preview`, { ...schedule, until: '2120-12-06T02:00' })
    expect(short.body.data.occurrences).toHaveLength(2)
    expect((await team.get(path)).body.data).toEqual([])
    for (const [field, change] of [
      ['rrule', { rrule: 'FREQ=HOURLY' }],
      ['timezone', { timezone: 'Mars/Olympus' }],
      ['starts_at', { starts_at: '2001-01-01T00:00', rrule: null }],
      ['starts_at', { starts_at: 'soon' }],
    ] as const) {
      const refused = await team.post(`${path}/preview`, { ...schedule, ...change })
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]])
    }
  })

  test('accepts one that has begun, and refuses one that is over', async () => {
    const team = await given.tenant()
    const begun = { timezone: 'UTC', duration_minutes: 60 }
    expect((await team.post(path, newWindow({ ...begun, starts_at: minutesFromNow(-59) }))).status).toBe(201)
    const { status, body } = await team.post(path, newWindow({ ...begun, starts_at: minutesFromNow(-61) }))
    expect([status, Object.keys(body.errors)]).toEqual([422, ['starts_at']])
  })

  test.each([
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(256) }],
    ['description', { description: 'x'.repeat(5_001) }],
    ['starts_at', { starts_at: '2120-11-31T02:00' }],
    ['starts_at', { starts_at: '2120-11-29T02:00Z' }],
    ['starts_at', { starts_at: '2120-11-29T24:00' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['duration_minutes', { duration_minutes: 0 }],
    ['duration_minutes', { duration_minutes: 43_201 }],
    ['duration_minutes', { duration_minutes: 1_441, rrule: 'FREQ=DAILY' }],
    ['rrule', { rrule: 'FREQ=HOURLY' }],
    ['rrule', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }],
    ['until', { until: '2120-11-29T02:00' }],
    ['until', { rrule: 'FREQ=DAILY', until: '2120-11-29T01:59' }],
    ['mode', { mode: 'pause' }],
    ['scope', { scope: {} }],
    ['scope', { scope: { all: true, tags: ['shop'] } }],
    ['scope.tags.0', { scope: { tags: [''] } }],
    ['scope.monitor_ids.0', { scope: { monitor_ids: [randomUUID()] } }],
    ['scope.monitor_ids', { scope: { monitor_ids: Array.from({ length: 1_001 }, () => randomUUID()) } }],
  ])('refuses %s of %j', async (field, changes) => {
    const team = await given.tenant()
    const { status, body } = await team.post(path, newWindow(changes))
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    expect(await maintenanceEvents(team)).toEqual([])
  })

  test('accepts each limit', async () => {
    const team = await given.tenant()
    const edges = { title: 'x'.repeat(255), description: 'x'.repeat(5_000), duration_minutes: 43_200 }
    expect((await team.post(path, newWindow(edges))).status).toBe(201)
    expect((await team.post(path, newWindow({ duration_minutes: 1_440, rrule: 'FREQ=DAILY' }))).status).toBe(201)
  })

  test('refuses a monitor of another team, and leaves out one that was deleted since', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const monitor = { name: 'Shop', url: 'https://shop.example.com/' }
    const [own, foreign] = [await team.post('/monitors', monitor), await other.post('/monitors', monitor)]
    const scope = (id: string) => ({ scope: { monitor_ids: [id] } })
    const refused = await team.post(path, newWindow(scope(foreign.body.data.id)))
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['scope.monitor_ids.0']])
    const { id } = await aWindow(team, scope(own.body.data.id))
    await team.delete(`/monitors/${own.body.data.id}`)
    expect((await team.get(`${path}/${id}`)).body.data.scope.monitor_ids).toEqual([])
  })

  test('counts scheduled and active windows against the plan, and no others', async () => {
    const team = await given.tenant({ overrides: { maintenance_windows: 1 } })
    const first = await aWindow(team)
    const refused = await team.post(path, newWindow())
    expect([refused.status, refused.body.code, refused.body.quota, refused.body.current, refused.body.limit]).toEqual([
      422,
      'plan_limit',
      'maintenance_windows',
      1,
      1,
    ])
    expect((await team.get('/plan')).body.data.usage.maintenance_windows).toBe(1)
    await team.post(`${path}/${first.id}/cancel`)
    expect((await team.post(path, newWindow())).status).toBe(201)
  })
})

describe('listing maintenance windows', () => {
  test('shows a page of them, newest first, by state', async () => {
    const team = await given.tenant()
    const [one, two, three] = [await aWindow(team), await aWindow(team), await aWindow(team)]
    await team.post(`${path}/${two.id}/cancel`)
    const ids = async (query: string) =>
      (await team.get(`${path}?${query}`)).body.data.map((window: { id: string }) => window.id)
    expect(await ids('')).toEqual([three.id, two.id, one.id])
    expect(await ids('per_page=1&page=2')).toEqual([two.id])
    expect(await ids('state=scheduled,active')).toEqual([three.id, one.id])
    expect((await team.get(`${path}?state=over`)).status).toBe(422)
  })

  test('shows no window of another team', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const { id } = await aWindow(other)
    expect((await team.get(path)).body.data).toEqual([])
    for (const { status } of [
      await team.get(`${path}/${id}`),
      await team.patch(`${path}/${id}`, { title: 'Ours' }),
      await team.delete(`${path}/${id}`),
      await team.post(`${path}/${id}/start`),
    ])
      expect(status).toBe(404)
  })
})

describe('updating a maintenance window', () => {
  test('moves its next occurrence and notes what changed', async () => {
    const team = await given.tenant()
    const { id } = await aWindow(team)
    const { status, body } = await team.patch(`${path}/${id}`, { timezone: 'UTC', title: 'Upgrade' })
    expect([status, body.data.title, body.data.next_starts_at]).toEqual([200, 'Upgrade', '2120-11-29T02:00:00.000000Z'])
    expect(await maintenanceEvents(team)).toEqual(['maintenance.scheduled', 'maintenance.scheduled'])
    await team.patch(`${path}/${id}`, { description: 'Only words.', scope: { tags: ['shop'] } })
    await team.patch(`${path}/${id}`, { description: 'Only words.' })
    expect(await maintenanceEvents(team)).toHaveLength(2)
    const { body: log } = await team.get(`/audit-log?entity_id=${id}&action=maintenance_window.updated`)
    expect(log.data.map((entry: { changes: object }) => Object.keys(entry.changes).sort())).toEqual([
      ['description', 'scope'],
      ['timezone', 'title'],
    ])
  })

  test('checks the schedule as a whole', async () => {
    const team = await given.tenant()
    const { id } = await aWindow(team, { rrule: 'FREQ=DAILY' })
    const { status, body } = await team.patch(`${path}/${id}`, { duration_minutes: 2_000 })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['duration_minutes']])
    expect((await team.patch(`${path}/${id}`, { duration_minutes: 2_000, rrule: null })).status).toBe(200)
  })

  test('changes only the words of an active window, and nothing of one that is over', async () => {
    const team = await given.tenant()
    const { id } = await aWindow(team)
    await team.post(`${path}/${id}/start`)
    expect((await team.patch(`${path}/${id}`, { title: 'Longer than thought' })).status).toBe(200)
    const active = await team.patch(`${path}/${id}`, { duration_minutes: 90 })
    expect([active.status, active.body.code]).toEqual([422, 'window_active'])
    expect(Object.keys(active.body.errors).sort()).toEqual(['duration_minutes'])
    expect((await team.delete(`${path}/${id}`)).body.code).toBe('window_active')
    await team.post(`${path}/${id}/stop`)
    for (const answer of [
      await team.patch(`${path}/${id}`, { title: 'Too late' }),
      await team.delete(`${path}/${id}`),
      await team.post(`${path}/${id}/start`),
      await team.post(`${path}/${id}/stop`),
      await team.post(`${path}/${id}/cancel`),
      await team.post(`${path}/${id}/extend`, { minutes: 5 }),
    ])
      expect([answer.status, answer.body.code]).toEqual([422, 'window_over'])
  })
})

test('deleting a scheduled maintenance window cancels it', async () => {
  const team = await given.tenant()
  const { id } = await aWindow(team)
  expect((await team.delete(`${path}/${id}`)).status).toBe(204)
  expect((await team.get(`${path}/${id}`)).status).toBe(404)
  expect(await maintenanceEvents(team)).toEqual(['maintenance.scheduled', 'maintenance.cancelled'])
})

test('a reseller manages the maintenance windows of its team', async () => {
  const reseller = await given.reseller({ scopes: ['maintenance:manage'] })
  const team = await given.team(reseller)
  const own = `${team.path}${path}`
  const { body } = await reseller.post(own, newWindow())
  const id = body.data.id
  expect((await reseller.get(own)).body.data).toHaveLength(1)
  expect((await reseller.patch(`${own}/${id}`, { title: 'Theirs' })).body.data.title).toBe('Theirs')
  for (const action of ['start', 'stop'])
    expect((await reseller.post(`${own}/${id}/${action}`)).status, action).toBe(200)
  expect(await maintenanceEvents(team)).toEqual(['maintenance.scheduled', 'maintenance.started', 'maintenance.ended'])
  const { rows } = await app.services.platform.query(
    `select count(*)::int as entries from audit_entries where tenant_id = $1 and entity_id = $2`,
    [team.tenantId, id],
  )
  expect(rows[0].entries).toBe(4)
})

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n).join(',')

describe('a recurrence rule that is expensive to compute', () => {
  test.each([
    `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYMONTHDAY=${numbers(1, 31)};BYSETPOS=-366;COUNT=500`,
    `FREQ=YEARLY;BYWEEKNO=${numbers(1, 53)};BYYEARDAY=${numbers(1, 60)};BYMONTH=${numbers(1, 12)};BYMONTHDAY=31;BYSETPOS=500`,
    `FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30`,
    `FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30,31`,
    `FREQ=DAILY;INTERVAL=999;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=500`,
    `FREQ=MONTHLY;BYDAY=5MO,5TU,5WE,5TH,5FR;BYMONTH=2;COUNT=500`,
    `FREQ=WEEKLY;INTERVAL=999;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=7;COUNT=500`,
    `FREQ=YEARLY;BYYEARDAY=${numbers(300, 349)};BYDAY=MO;BYMONTH=1`,
    `FREQ=DAILY;UNTIL=19700101T000000Z`,
  ])('(%s) blocks the event loop for milliseconds, at a preview and at a save', async rrule => {
    const team = await given.tenant({ role: 'owner' })
    const viewer = await given.colleague(team, 'viewer')
    const { title, scope, ...schedule } = newWindow({ rrule, timezone: 'Australia/Lord_Howe' })
    const blocked = await blockedBy(async () => {
      expect([200, 422]).toContain((await viewer.post(`${path}/preview`, schedule)).status)
      expect([201, 422]).toContain((await team.post(path, { title, scope, ...schedule })).status)
    })
    expect(blocked).toBeLessThan(mostBlockedMs)
  })

  test('leaves previews of other teams undisturbed, and is refused by 429 beyond a few', async () => {
    const [hog, honest] = [await given.tenant(), await given.tenant()]
    const { title: _, scope: __, ...schedule } = newWindow()
    const rrule = `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYMONTHDAY=${numbers(1, 31)};BYSETPOS=-366;COUNT=500`
    const hogged = Array.from({ length: 20 }, () => hog.post(`${path}/preview`, { ...schedule, rrule }))
    const { status } = await honest.post(`${path}/preview`, { ...schedule, rrule: 'FREQ=WEEKLY;BYDAY=SU' })
    expect(status).toBe(200)
    const answers = await Promise.all(hogged)
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([422, 429]))
  })

  test.each([
    'FREQ=DAILY',
    'FREQ=DAILY;INTERVAL=10;COUNT=500',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;WKST=SU',
    'FREQ=MONTHLY;BYDAY=2TU',
    'FREQ=MONTHLY;BYDAY=-1SU',
    'FREQ=MONTHLY;BYMONTHDAY=1,15',
    'FREQ=MONTHLY;BYMONTHDAY=-1',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    'FREQ=MONTHLY;INTERVAL=3;BYDAY=1SA;COUNT=200',
    'FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
    'FREQ=YEARLY;BYMONTH=1,4,7,10;BYDAY=1MO',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
    'FREQ=YEARLY;BYYEARDAY=1,100,200',
    'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR',
  ])('is none that people use: %s is accepted and previewed', async rrule => {
    const team = await given.tenant()
    const { title, scope, ...schedule } = newWindow({ rrule, starts_at: '2020-01-01T04:00', duration_minutes: 30 })
    const preview = await team.post(`${path}/preview`, schedule)
    expect([preview.status, preview.body.errors]).toEqual([200, undefined])
    expect((await team.post(path, { title, scope, ...schedule })).status).toBe(201)
  })
})
