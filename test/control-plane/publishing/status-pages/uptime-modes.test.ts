import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openClickhouse } from '#analytics/client.ts'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { Rollups } from '#analytics/rollup.ts'
import { readPage } from '#control-plane/publishing/status-pages/site/read-page.ts'
import { aWindow, minutesFromNow } from '#test/control-plane/monitoring/maintenance-windows/windows.ts'
import { aMonitor, minutesAgo, storeResults, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { Relay } from '#test/control-plane/relay.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { addTo } from './pages.ts'
import { aPublished, visit } from './served.ts'

const { clickhouse, clock } = app.services
const day = 1_440
const rolled = new Rollups({ clickhouse, now: () => clock.nowMs() })
beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  await rolled.reconcile()
}, 120_000)

/** A monitor that was down for an hour and for two minutes within the last two days. */
async function anUnreliableMonitor(owner: CallerUnderTest) {
  const monitor = await aMonitor(owner)
  await verdicts(owner, monitor, [
    [minutesAgo(2 * day), 'up'],
    [minutesAgo(500), 'down'],
    [minutesAgo(440), 'up'],
    [minutesAgo(100), 'down'],
    [minutesAgo(98), 'up'],
  ])
  return monitor
}

async function uptimeOf(owner: CallerUnderTest, monitorId: string, fields: Record<string, unknown>) {
  const page = await aPublished(owner, fields)
  const component = await addTo(owner, `${page.id}/components`, {
    name: 'Shop',
    type: 'monitor',
    monitor_id: monitorId,
  })
  const read = async () => {
    const model = await readPage(app.services, page.slug)
    return model?.groups.flatMap(({ components }) => components)[0]?.uptimePct ?? null
  }
  return { page, component, read }
}

test('downtime shorter than `min_incident_minutes` does not count towards the uptime of a page', async () => {
  const owner = await given.tenant()
  const { id } = await anUnreliableMonitor(owner)
  const uptime = async (min_incident_minutes: number) => {
    const { read } = await uptimeOf(owner, id, { min_incident_minutes })
    return (await read())!
  }
  const total = 2 * day
  expect(await uptime(0)).toBeCloseTo(100 * (1 - 62 / total), 1)
  expect(await uptime(5)).toBeCloseTo(100 * (1 - 60 / total), 1)
  expect(await uptime(120)).toBe(100)
})

test('in the mode `requests` the uptime is the share of results that passed, however many a day has', async () => {
  const owner = await given.tenant()
  const monitor = await anUnreliableMonitor(owner)
  const few = Array.from({ length: 20 }, (_, n) => minutesAgo(3 * day + n))
  const many = Array.from({ length: 60 }, (_, n) => minutesAgo(5 * day + n))
  const at = [...few, ...many]
  await storeResults(
    owner,
    monitor,
    at.map((time, n) => ({ at: time, outcome: n < 5 ? 'down' : 'up' })),
  )
  const hourMs = 3_600_000
  const hours = new Set(at.map(time => Math.floor(time.getTime() / hourMs) * hourMs))
  rolled.touched([...hours].map(hour => ({ tenant: owner.tenantId, monitor: monitor.id, hour })))
  await rolled.tick()
  const { page, read } = await uptimeOf(owner, monitor.id, { uptime_mode: 'requests' })
  expect(await read()).toBeCloseTo(93.75, 5)

  // without ClickHouse a page is shown all the same: with the figures that it had last, or with none
  const relay = new Relay(app.stores.clickhouseUrl)
  await relay.mend()
  const away = openClickhouse(relay.of(app.stores.clickhouseUrl))
  onTestFinished(async () => {
    await away.close()
    await relay.cut()
  })
  const services: typeof app.services = Object.create(app.services, { clickhouse: { value: away } })
  const uptime = async (slug: string) =>
    (await readPage(services, slug))?.groups.flatMap(({ components }) => components)[0]?.uptimePct
  expect(await uptime(page.slug)).toBeCloseTo(93.75, 5)
  await relay.cut()
  expect(await uptime(page.slug)).toBeCloseTo(93.75, 5)
  const other = await uptimeOf(owner, monitor.id, { uptime_mode: 'requests', show_response: true })
  expect(await uptime(other.page.slug)).toBeNull()
  await relay.mend()
})

test('in the mode `manual` only published incidents that count as downtime do, from the component’s creation on', async () => {
  const owner = await given.tenant()
  const { id } = await anUnreliableMonitor(owner)
  const { page, component, read } = await uptimeOf(owner, id, { uptime_mode: 'manual', min_incident_minutes: 10 })
  await app.services.platform.query(
    `update status_page_components set created_at = now() - interval '1000 minutes' where id = $1`,
    [component.id],
  )
  expect(await read()).toBe(100)
  const post = (minutes: number, fields: Record<string, unknown>) =>
    addTo(owner, `${page.id}/posts`, {
      title: 'Outage',
      impact: 'major',
      phase: 'resolved',
      body: 'It is over.',
      started_at: minutesAgo(300).toISOString(),
      resolved_at: minutesAgo(300 - minutes).toISOString(),
      components: [{ component_id: component.id, status: 'major_outage' }],
      ...fields,
    })
  await post(200, { counts_as_downtime: false })
  await post(9, { counts_as_downtime: true })
  expect(await read()).toBe(100)
  await post(100, { counts_as_downtime: true })
  expect(await read()).toBeCloseTo(90, 1)
})

test('maintenance is announced on the pages that a window names, and on no other', async () => {
  const owner = await given.tenant()
  const monitor = await aMonitor(owner)
  const [named, other] = [await aPublished(owner), await aPublished(owner)]
  const components = { name: 'Shop', type: 'monitor', monitor_id: monitor.id }
  for (const { id } of [named, other]) await addTo(owner, `${id}/components`, components)
  const window = await aWindow(owner, {
    title: 'New disks',
    description: 'The shop is read-only.',
    scope: { monitor_ids: [monitor.id] },
    starts_at: minutesFromNow(60),
    timezone: 'UTC',
    status_page_ids: [named.id],
  })
  const { text } = await visit(`/status/${named.slug}`)
  expect(text).toContain('New disks')
  expect(text).toContain('The shop is read-only.')
  expect((await visit(`/status/${other.slug}`)).text).not.toContain('New disks')
  const summary = JSON.parse((await visit(`/status/${named.slug}/summary.json`)).text)
  expect(summary.scheduled_maintenances).toMatchObject([{ id: window.id, name: 'New disks', status: 'scheduled' }])
  await owner.post(`/maintenance-windows/${window.id}/start`)
  await expect
    .poll(async () => JSON.parse((await visit(`/status/${named.slug}/summary.json`)).text).scheduled_maintenances)
    .toMatchObject([{ id: window.id, name: 'New disks', status: 'in_progress' }])
  await owner.post(`/maintenance-windows/${window.id}/stop`)
  const read = async (path: string) => (await visit(`/status/${named.slug}${path}`)).text
  await expect
    .poll(async () => JSON.parse(await read('/scheduled-maintenances.json')).scheduled_maintenances)
    .toMatchObject([{ id: window.id, name: 'New disks', status: 'completed', components: [{ name: 'Shop' }] }])
  expect(JSON.parse(await read('/summary.json')).scheduled_maintenances).toEqual([])
  for (const path of ['', '/history']) {
    expect(await read(path)).toContain('New disks')
    expect(await read(path)).toMatch(/maintenance completed after .* Affected: Shop/)
  }
  expect(await read('?lang=de')).not.toContain('Maintenance in progress')
  expect(await read('/maintenance.ics')).toMatch(new RegExp(`UID:${window.id}`))
  expect((await visit(`/status/${other.slug}/scheduled-maintenances.json`)).text).not.toContain('New disks')
})

test('maintenance names the components that it covers, however its scope names their monitors', async () => {
  const owner = await given.tenant()
  const tags = ['disks']
  const [named, tagged, grouped, spared] = [
    await aMonitor(owner),
    await aMonitor(owner, { tags }),
    await aMonitor(owner, { tags }),
    await aMonitor(owner),
  ]
  await owner.patch(`/monitors/${grouped.id}`, { group: 'Stores' })
  const page = await aPublished(owner)
  const components = [
    ['Named', { type: 'monitor', monitor_id: named.id }],
    ['Tagged', { type: 'monitor', monitor_id: tagged.id }],
    ['Grouped', { type: 'group', monitor_group: 'Stores' }],
    ['Spared', { type: 'monitor', monitor_id: spared.id }],
    ['Office', { type: 'static', static_status: 'operational' }],
  ] as const
  for (const [name, fields] of components) await addTo(owner, `${page.id}/components`, { name, ...fields })
  const scopes = {
    'By id': [{ monitor_ids: [named.id] }, ['Named']],
    'By tag': [{ tags }, ['Tagged', 'Grouped']],
    'By id in a group': [{ monitor_ids: [grouped.id] }, ['Grouped']],
    'Of all': [{ all: true }, ['Named', 'Tagged', 'Grouped', 'Spared']],
  } as const
  const windows: string[] = []
  for (const [title, [scope]] of Object.entries(scopes)) {
    const { id } = await aWindow(owner, { title, scope, status_page_ids: [page.id] })
    windows.push(id)
  }
  const shown = async (status: string) => {
    const { text } = await visit(`/status/${page.slug}/scheduled-maintenances.json`)
    const of = JSON.parse(text).scheduled_maintenances.filter((one: { status: string }) => one.status === status)
    return Object.fromEntries(
      of.map((one: { name: string; components: { name: string }[] }) => [one.name, one.components.map(c => c.name)]),
    )
  }
  const expected = Object.fromEntries(Object.entries(scopes).map(([title, [, names]]) => [title, names]))
  await expect.poll(() => shown('scheduled')).toEqual(expected)
  for (const id of windows) await owner.post(`/maintenance-windows/${id}/start`)
  await expect.poll(() => shown('in_progress')).toEqual(expected)
  for (const id of windows) await owner.post(`/maintenance-windows/${id}/stop`)
  // what was covered then stays, whatever is changed later
  await owner.patch(`/monitors/${tagged.id}`, { tags: [] })
  await expect.poll(() => shown('completed')).toEqual(expected)
})

test('each occurrence of a window that recurs stays on its page, beside the next one', async () => {
  const owner = await given.tenant()
  const page = await aPublished(owner)
  const { id } = await aWindow(owner, { title: 'Each night', rrule: 'FREQ=DAILY', status_page_ids: [page.id] })
  for (const verb of ['start', 'stop', 'start', 'stop'])
    expect((await owner.post(`/maintenance-windows/${id}/${verb}`)).status).toBe(200)
  const read = async () => {
    const { text } = await visit(`/status/${page.slug}/scheduled-maintenances.json`)
    return JSON.parse(text).scheduled_maintenances as { id: string; status: string }[]
  }
  const statuses = async () => (await read()).map(({ status }) => status)
  await expect.poll(statuses).toEqual(['scheduled', 'completed', 'completed'])
  expect(new Set((await read()).map(one => one.id)).size).toBe(3)
})
