import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { historyOf, momentOf, type ReadOutage } from '#importers/history.ts'
import { withPastOfEach } from '#importers/past.ts'
import { fetchPdf, readPdf } from '#test/control-plane/publishing/reports/pdfs.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { kumaFile } from './kuma-file.ts'
import { type Item, importAll, migrationOf, OldProvider, sendFile } from './old-provider.ts'

const { platform } = app.services
const key = 'u1234567-0123456789abcdef'
let provider: OldProvider
beforeAll(async () => {
  provider = await OldProvider.open()
})
afterAll(() => provider?.close())

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** Midnight in UTC, so many days ago, and a time of that day. */
const ago = (days: number, ms = 0) => new Date(Math.floor(Date.now() / day) * day - days * day + ms).toISOString()
const dateOf = (at: string) => at.slice(0, 10)

interface ItemOfHistory extends Item {
  past_incidents: number | null
}
const itemsOf = async (team: CallerUnderTest, id: string): Promise<ItemOfHistory[]> =>
  (await team.get(`/migrations/${id}/items?per_page=100`)).body.data
const incidentsOf = async (team: CallerUnderTest) => (await team.get('/incidents?per_page=100')).body.data
const reportOf = async (team: CallerUnderTest, monitor: { id: string } | undefined, days = 30) => {
  const { status, body, text } = await team.get(
    `/monitors/${monitor?.id}/report?from=${dateOf(ago(days))}&to=${dateOf(ago(0))}`,
  )
  expect(status, text).toBe(200)
  return body.data
}

interface RobotIncident {
  id: string
  monitor: { id: number }
  [field: string]: unknown
}
const outage = (id: string, monitor: number, startedAt: string, forMs: number, more = {}): RobotIncident => ({
  id,
  status: 'Resolved',
  type: 'Downtime',
  reason: '503 Service Unavailable',
  monitor: { id: monitor },
  startedAt,
  resolvedAt: new Date(Date.parse(startedAt) + forMs).toISOString(),
  ...more,
})

/** UptimeRobot by version 3 with two monitors, and these incidents, two a page. */
function robotWith(incidents: readonly RobotIncident[], fields: Record<string, unknown> = {}, createdAt = ago(20)) {
  provider.handle = ({ path }, response) => {
    const url = new URL(path, provider.url)
    if (url.pathname === '/v3/incidents') {
      if (fields.refused) {
        response.statusCode = 403
        return { message: 'Forbidden' }
      }
      expect(Date.parse(url.searchParams.get('started_after') ?? '')).toBeLessThan(Date.now() - 89 * day)
      const from = Number(url.searchParams.get('cursor') ?? '0')
      const nextLink = from + 2 < incidents.length ? `https://elsewhere.example.com/?cursor=${from + 2}` : null
      return { data: incidents.slice(from, from + 2), nextLink }
    }
    const monitor = (id: number) => ({
      ...{ id, friendlyName: `Site ${id}`, type: 'HTTP', url: `https://s${id}.example.com/`, interval: 300 },
      ...{ status: 'UP', createDateTime: createdAt },
    })
    return { data: [monitor(1), { ...monitor(2), ...fields }], nextLink: null }
  }
}
const preview = (team: CallerUnderTest) =>
  provider.preview(team, { provider: 'uptimerobot', base_url: `${provider.url}/v3`, api_key: key })

describe('incidents of the past of UptimeRobot', () => {
  const past = [
    outage('11', 1, ago(1, 3 * hour), 30 * minute),
    outage('12', 1, ago(3, 23 * hour), 2 * hour),
    outage('13', 2, ago(2), hour),
    outage('14', 1, ago(2), hour, { type: 'SlowResponse' }),
    outage('15', 9, ago(2), hour),
  ]

  test('are imported once as resolved ones that say so, and no notification is sent of them', async () => {
    robotWith(past)
    const team = await given.tenant()
    const id = await preview(team)
    expect((await itemsOf(team, id)).map(({ past_incidents }) => past_incidents)).toEqual([2, 1])
    expect(await incidentsOf(team)).toEqual([])
    const before = await app.emitted(team)
    const site = (await importAll(provider, team, id)).get('Site 1')!
    const found = await incidentsOf(team)
    expect(found).toMatchObject([
      { monitor_name: 'Site 1', started_at: ago(1, 3 * hour).replace('Z', '000Z'), duration_s: 1_800 },
      { monitor_name: 'Site 2', started_at: ago(2).replace('Z', '000Z'), duration_s: 3_600 },
      { monitor_name: 'Site 1', started_at: ago(3, 23 * hour).replace('Z', '000Z'), duration_s: 7_200 },
    ])
    for (const incident of found)
      expect(incident).toMatchObject({
        status: 'resolved',
        imported_from: 'uptimerobot',
        cause: '503 Service Unavailable',
        check_id: null,
        check_type: 'uptime',
        title: expect.stringMatching(/^Site \d was down$/),
      })
    expect(new Set(found.map(({ number }: { number: number }) => number)).size).toBe(3)
    expect((await team.get(`/incidents/${found[0].id}`)).status).toBe(200)

    const emitted = (await app.emitted(team)).slice(before.length)
    expect(emitted.filter(name => !name.startsWith('monitor.'))).toEqual([])
    for (const table of ['escalation_runs', 'deliveries', 'notification_decisions']) {
      const { rows } = await platform.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [
        team.tenantId,
      ])
      expect([table, rows[0]]).toEqual([table, { n: 0 }])
    }
    expect((await team.get(`/monitors/${site.id}`)).body.data).toMatchObject({ status: 'paused' })

    const again = await preview(team)
    expect((await itemsOf(team, again)).map(({ action }) => action)).toEqual(['skip', 'skip'])
    await platform.query(`update imported_monitors set fingerprint = 'other' where tenant_id = $1`, [team.tenantId])
    const changed = await preview(team)
    expect((await itemsOf(team, changed)).map(({ action }) => action)).toEqual(['update', 'update'])
    await importAll(provider, team, changed)
    expect(await incidentsOf(team)).toHaveLength(3)
  })

  test('count in the report of those days under a formula of their own, beside no figure of ours', async () => {
    robotWith([...past, outage('16', 1, ago(35), hour)])
    const team = await given.tenant()
    const monitors = await importAll(provider, team, await preview(team))
    const report = await reportOf(team, monitors.get('Site 1'))
    expect(report.overall).toMatchObject({ uptime_pct: null, downtime_s: 0, incidents_count: 0 })
    expect(report.daily.every(({ uptime_pct }: { uptime_pct: number | null }) => uptime_pct === null)).toBe(true)
    const { imported } = report
    expect(imported).toMatchObject({ formula: 'imported_incidents_1', source: 'uptimerobot', incidents_count: 2 })
    const byDate = new Map(imported.daily.map((each: { date: string }) => [each.date, each]))
    const whole = 86_400
    expect(byDate.get(dateOf(ago(1)))).toMatchObject({ uptime_pct: 97.9166, downtime_s: 1_800, known_s: whole })
    expect(byDate.get(dateOf(ago(2)))).toMatchObject({ downtime_s: 3_600 })
    expect(byDate.get(dateOf(ago(3)))).toMatchObject({ downtime_s: 3_600 })
    expect(byDate.get(dateOf(ago(4)))).toMatchObject({ uptime_pct: 100, downtime_s: 0 })
    // the monitor was created there twenty days ago
    expect(byDate.get(dateOf(ago(20)))).toMatchObject({ uptime_pct: 100 })
    expect(byDate.has(dateOf(ago(21)))).toBe(false)
    expect(imported.downtime_s).toBe(1_800 + 7_200)
    const pdf = await fetch(`${app.baseUrl}/api/v1/monitors/${monitors.get('Site 1')?.id}/report.pdf`, {
      headers: { Authorization: `Bearer ${team.token}`, 'X-Forwarded-For': team.ip },
    })
    expect(pdf.status).toBe(200)
    // a month that is over, of monitors that were there in it
    await platform.query('update monitors set created_at = $2 where tenant_id = $1', [team.tenantId, ago(80)])
    const month = (await team.get(`/monthly-report?month=${dateOf(ago(35)).slice(0, 7)}`)).body.data
    expect(month).toMatchObject({ monitors_count: 2, incidents_count: 0, incidents: [] })
  })

  test('are in the monthly report apart from every figure of ours, of monitors that were not here yet too', async () => {
    const now = new Date()
    const [first, next] = [-1, 0].map(months => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
    const on = (date: number, ms = 0) => new Date(first! + (date - 1) * day + ms).toISOString()
    const days = (next! - first!) / day
    const outages = [
      outage('31', 1, on(3, hour), 30 * minute),
      outage('32', 1, on(7), hour),
      outage('33', 2, on(days, 23 * hour), 2 * hour),
      // of the month before
      outage('34', 2, on(1, -2 * hour), hour),
    ]
    robotWith(outages, {}, ago(89))
    const [team, other] = [await given.tenant(), await given.tenant()]
    const monitors = await importAll(provider, team, await preview(team))
    const month = on(1).slice(0, 7)
    const reportOf = async (caller: CallerUnderTest, query = '') => {
      const { status, text, body } = await caller.get(`/monthly-report?month=${month}${query}`)
      expect(status, text).toBe(200)
      return body.data
    }
    const report = await reportOf(team)
    expect(report).toMatchObject({ monitors_count: 0, uptime_pct: null, downtime_s: 0, incidents_count: 0 })
    const known_s = (days * day) / 1_000
    const site = (n: number) => ({ monitor_id: monitors.get(`Site ${n}`)?.id, monitor_name: `Site ${n}` })
    expect(report.imported).toMatchObject({
      ...{ formula: 'imported_incidents_1', downtime_s: 9_000, known_s: 2 * known_s, incidents_count: 3 },
      monitors: [
        { ...site(1), source: 'uptimerobot', days_count: days, downtime_s: 5_400, known_s, incidents_count: 2 },
        { ...site(2), source: 'uptimerobot', days_count: days, downtime_s: 3_600, known_s, incidents_count: 1 },
      ],
    })
    expect(report.imported.uptime_pct).toBeCloseTo(100 - (100 * 9_000) / (2 * known_s), 3)
    expect((await reportOf(other)).imported).toBeNull()

    await platform.query('update monitors set created_at = $2 where tenant_id = $1', [team.tenantId, on(1)])
    const check = (await team.get(`/monitors/${monitors.get('Site 1')?.id}/checks`)).body.data[0].id
    await platform.query(
      `insert into verdict_changes (tenant_id, monitor_id, check_id, verdict, at)
       values ($1, $5, $2, 'up', $3), ($1, $5, $2, 'paused', $4)`,
      [team.tenantId, check, on(3, 5 * hour), on(3, 6 * hour), monitors.get('Site 1')?.id],
    )
    const own = await reportOf(team)
    expect(own).toMatchObject({ monitors_count: 2, uptime_pct: 100 })
    expect(own.imported.monitors[0]).toMatchObject({ days_count: days - 1, downtime_s: 3_600, incidents_count: 1 })
    // by days of UTC, as far as they lie in a month that begins elsewhere
    const berlin = await reportOf(team, '&timezone=Europe/Berlin')
    expect(berlin.imported.monitors[1]).toMatchObject({ monitor_name: 'Site 2', days_count: days + 1 })
    const pdf = await fetchPdf(team, `/monthly-report.pdf?month=${month}`)
    expect(pdf.status).toBe(200)
    expect((await readPdf(pdf.bytes)).text).toContain('Imported from the provider before')
  })

  test('do not count on a day of which we have results ourselves', async () => {
    robotWith(past)
    const team = await given.tenant()
    const site = (await importAll(provider, team, await preview(team))).get('Site 1')!
    const check = (await team.get(`/monitors/${site.id}/checks`)).body.data[0].id
    await platform.query(
      `insert into verdict_changes (tenant_id, monitor_id, check_id, verdict, at)
       values ($1, $5, $2, 'up', $3), ($1, $5, $2, 'paused', $4)`,
      [team.tenantId, check, ago(1, hour), ago(1, 2 * hour), site.id],
    )
    const { imported, overall } = await reportOf(team, site)
    expect(imported.daily.map(({ date }: { date: string }) => date)).not.toContain(dateOf(ago(1)))
    expect(imported).toMatchObject({ downtime_s: 7_200, incidents_count: 1 })
    expect(overall).toMatchObject({ uptime_pct: 100 })
  })

  test('that began after the monitor was created here are not imported', async () => {
    robotWith(past)
    const team = await given.tenant()
    await importAll(provider, team, await preview(team))
    await platform.query(`update monitors set created_at = $2 where tenant_id = $1`, [team.tenantId, ago(2, 12 * hour)])
    await platform.query('delete from incidents where tenant_id = $1', [team.tenantId])
    await platform.query('delete from imported_histories where tenant_id = $1', [team.tenantId])
    await platform.query(`update imported_monitors set fingerprint = 'other' where tenant_id = $1`, [team.tenantId])
    await importAll(provider, team, await preview(team))
    const found = await incidentsOf(team)
    expect(found.map(({ monitor_name: name }: { monitor_name: string }) => name)).toEqual(['Site 2', 'Site 1'])
  })

  test('that last are not imported, and the time since is not known', async () => {
    robotWith([outage('21', 1, ago(2), hour, { resolvedAt: null, status: 'Ongoing' }), outage('22', 1, ago(5), hour)])
    const team = await given.tenant()
    const site = (await importAll(provider, team, await preview(team))).get('Site 1')
    expect(await incidentsOf(team)).toHaveLength(1)
    const { imported } = await reportOf(team, site)
    expect(imported.daily.at(-1)).toMatchObject({ date: dateOf(ago(3)) })
  })

  test('that the key does not show are named in the preview, and the monitors are imported', async () => {
    robotWith([], { refused: true })
    const team = await given.tenant()
    const id = await preview(team)
    expect(await itemsOf(team, id)).toMatchObject([
      { action: 'create', past_incidents: null },
      { action: 'create', past_incidents: null },
      { action: 'skip', name: 'Past incidents', reason: expect.stringContaining('They were not read.') },
    ])
    const site = (await importAll(provider, team, id)).get('Site 1')
    expect((await reportOf(team, site)).imported).toBeNull()
  })

  test('stay when their monitor is deleted, and another team sees none of them', async () => {
    robotWith(past)
    const [team, other] = [await given.tenant(), await given.tenant()]
    const site = (await importAll(provider, team, await preview(team))).get('Site 1')!
    const [incident] = await incidentsOf(team)
    expect((await other.get(`/incidents/${incident.id}`)).status).toBe(404)
    expect(await incidentsOf(other)).toEqual([])
    const before = await incidentsOf(team)
    const month = ago(32).slice(0, 7)
    const imported = async () => (await team.get(`/monthly-report?month=${month}`)).body.data.imported
    const figures = await imported()
    await team.delete(`/monitors/${site.id}`)
    const named = ({ id, monitor_name }: { id: string; monitor_name: string }) => [id, monitor_name]
    expect((await incidentsOf(team)).map(named)).toEqual(before.map(named))
    expect(await imported()).toEqual(figures)
  })

  test('are read from the logs of version 2', async () => {
    const at = Math.floor(Date.parse(ago(3)) / 1_000)
    let asked = new URLSearchParams()
    provider.handle = ({ body }) => {
      asked = new URLSearchParams(body)
      const log = {
        id: 7,
        type: 1,
        datetime: at,
        duration: 600,
        reason: { code: '503', detail: 'Service Unavailable' },
      }
      const site = { url: 'https://o.example.com/', type: 1, interval: 300, create_datetime: at - 86_400 }
      return {
        stat: 'ok',
        pagination: { total: 2 },
        monitors: [
          { ...site, id: 1, friendly_name: 'Old 1', status: 2, logs: [log, { ...log, id: 8, type: 2 }] },
          { ...site, id: 2, friendly_name: 'Old 2', status: 9, logs: [log, { ...log, id: 9, datetime: at - 7_200 }] },
        ],
      }
    }
    const team = await given.tenant()
    const id = await provider.preview(team, { provider: 'uptimerobot', base_url: `${provider.url}/v2`, api_key: key })
    expect(Object.fromEntries(asked)).toMatchObject({ logs: '1', log_types: '1', logs_limit: '101' })
    expect((await itemsOf(team, id)).map(({ past_incidents }) => past_incidents)).toEqual([1, 1])
    await importAll(provider, team, id)
    expect(await incidentsOf(team)).toMatchObject([
      { monitor_name: 'Old 1', duration_s: 600, cause: 'Service Unavailable' },
      { monitor_name: 'Old 2', started_at: new Date((at - 7_200) * 1_000).toISOString().replace('Z', '000Z') },
    ])
  })
})

test('incidents of Better Stack are imported for monitors and heartbeats', async () => {
  const incident = (id: number, kind: 'monitor' | 'heartbeat', started_at: string, cause: string) => ({
    id: String(id),
    type: 'incident',
    attributes: { started_at, resolved_at: new Date(Date.parse(started_at) + hour).toISOString(), cause },
    relationships: { [kind]: { data: { id: '1', type: kind } } },
  })
  provider.handle = ({ path }) => {
    const url = new URL(path, provider.url)
    const created_at = ago(60)
    switch (url.pathname) {
      case '/api/v2/monitors':
        return {
          data: [{ id: '1', attributes: { url: 'https://a.example.com/', pronounceable_name: 'Shop', created_at } }],
        }
      case '/api/v2/heartbeats':
        return { data: [{ id: '1', attributes: { name: 'Backup', period: 3_600, created_at } }] }
      case '/api/v2/incidents': {
        expect(url.searchParams.get('from')).toBe(dateOf(ago(90)))
        const isFirst = url.searchParams.get('page') === '1'
        return {
          data: isFirst
            ? [incident(1, 'monitor', ago(2), 'Status 503')]
            : [incident(2, 'heartbeat', ago(3), 'Missed heartbeat'), { id: '3', attributes: 'damaged' }],
          pagination: { next: isFirst ? `${provider.url}/api/v2/incidents?page=2` : null },
        }
      }
      default:
        return { data: [] }
    }
  }
  const team = await given.tenant()
  const id = await provider.preview(team, { provider: 'better-stack', base_url: provider.url, api_key: key })
  await importAll(provider, team, id)
  expect(await incidentsOf(team)).toMatchObject([
    { monitor_name: 'Shop', cause: 'Status 503', check_type: 'uptime', imported_from: 'better-stack' },
    { monitor_name: 'Backup', cause: 'Missed heartbeat', check_type: 'cron', imported_from: 'better-stack' },
  ])
})

test.each([true, false])('outages of Healthchecks are those between its flips, of each check (%s)', async isWrapped => {
  const uuids = [randomUUID(), randomUUID(), randomUUID()]
  provider.handle = ({ path }, response) => {
    const url = new URL(path, provider.url)
    if (url.pathname === '/api/v3/checks/')
      return { checks: uuids.map((uuid, n) => ({ name: `Job ${n}`, uuid, timeout: 3_600, status: 'up' })) }
    expect(Number(url.searchParams.get('start'))).toBeLessThan(Date.now() / 1_000 - 89 * 86_400)
    if (url.pathname.includes(uuids[2]!)) {
      response.statusCode = 500
      return {}
    }
    if (url.pathname !== `/api/v3/checks/${uuids[0]}/flips/`) return []
    // its documents show a list; it answers with one in an object
    const flips = [
      { timestamp: ago(2, hour).replace('Z', '+00:00'), up: 1 },
      { timestamp: ago(2), up: 0 },
      { timestamp: ago(4), up: 1 },
    ]
    return isWrapped ? { flips } : flips
  }
  const team = await given.tenant()
  const id = await provider.preview(team, { provider: 'healthchecks', base_url: provider.url, api_key: key })
  const items = await itemsOf(team, id)
  expect(items.map(({ past_incidents }) => past_incidents)).toEqual([1, null, null, null])
  expect(items[3]?.reason).toMatch(/^Those of 1 monitors were not read\. .*status 500/)
  const monitors = await importAll(provider, team, id)
  expect(await incidentsOf(team)).toMatchObject([
    {
      monitor_name: 'Job 0',
      duration_s: 3_600,
      cause: 'It was down or paused: Healthchecks does not say which.',
      check_type: 'cron',
    },
  ])
  const { imported } = await reportOf(team, monitors.get('Job 0'))
  expect(imported.daily[0]).toMatchObject({ date: dateOf(ago(4)), uptime_pct: 100 })
})

test('outages of Oh Dear are its downtime, of monitors with an uptime check, page by page', async () => {
  const stamp = (at: string) => at.slice(0, 19).replace('T', ' ')
  const uptime = { id: 1, type: 'uptime', enabled: true, settings: [] }
  const monitor = (id: number, checks: unknown[]) => ({
    ...{ id, type: 'http', url: `https://m${id}.example.com`, label: `Monitor ${id}`, checks },
    created_at: stamp(ago(30)),
  })
  const asked: string[] = []
  provider.handle = ({ path }) => {
    const url = new URL(path, provider.url)
    const page = Number(url.searchParams.get('page[number]'))
    if (url.pathname === '/api/monitors')
      return { data: [monitor(1, [uptime]), monitor(2, []), monitor(3, [uptime])], links: { next: null } }
    if (!url.pathname.endsWith('/downtime')) return { data: [], links: { next: null } }
    asked.push(url.pathname)
    expect(url.searchParams.get('filter[started_at]')).toMatch(/^\d{14}$/)
    expect(url.searchParams.get('filter[ended_at]')).toMatch(/^\d{14}$/)
    if (url.pathname !== '/api/monitors/1/downtime') return { data: [], links: { next: null } }
    const notes = { notes_html: '<p>Disk full</p>', notes_markdown: 'Disk full' }
    const data = [
      { id: 25_774_283, started_at: stamp(ago(2)), ended_at: stamp(ago(2, hour)), ...notes },
      { id: 25_774_284, started_at: stamp(ago(4)), ended_at: stamp(ago(4, minute)), notes_html: null },
    ]
    const next = 'https://elsewhere.example.com/api/monitors/1/downtime?page%5Bnumber%5D=2'
    return { data: [data[page - 1]], links: { next: page === 1 ? next : null } }
  }
  const team = await given.tenant()
  const id = await provider.preview(team, { provider: 'oh-dear', base_url: `${provider.url}/api`, api_key: key })
  const monitors = await importAll(provider, team, id)
  expect([...new Set(asked)]).toEqual(['/api/monitors/1/downtime', '/api/monitors/3/downtime'])
  expect(await incidentsOf(team)).toMatchObject([
    { monitor_name: 'Monitor 1', duration_s: 3_600, cause: 'Disk full', imported_from: 'oh-dear' },
    { monitor_name: 'Monitor 1', duration_s: 60, cause: 'Oh Dear did not say why.' },
  ])
  const { imported } = await reportOf(team, monitors.get('Monitor 3'))
  expect(imported).toMatchObject({ downtime_s: 0, incidents_count: 0, uptime_pct: 100 })
})

test('outages of openstatus are its incidents, of which one that is not resolved lasts', async () => {
  const incident = (id: number, monitorId: number | null, startedAt: string, resolvedAt: string | null) => ({
    ...{ id, monitorId, startedAt, resolvedAt, acknowledgedAt: null, acknowledgedBy: null, resolvedBy: null },
  })
  let isRefused = false
  provider.handle = ({ path }, response) => {
    const kind = path.split('/').at(-1)
    const monitor = { url: 'https://m.example.com/', jobType: 'http', periodicity: '5m', active: true }
    if (kind === 'monitor') return [1, 2].map(id => ({ ...monitor, id, name: `Monitor ${id}` }))
    if (kind !== 'incident') return []
    if (isRefused) response.statusCode = 403
    return [
      incident(1, 1, ago(5), ago(5, hour)),
      incident(2, 1, ago(1), null),
      incident(3, null, ago(5), ago(5, hour)),
      incident(4, 2, ago(100), ago(99)),
    ]
  }
  const sent = { provider: 'openstatus', base_url: `${provider.url}/v1`, api_key: key }
  const team = await given.tenant()
  const monitors = await importAll(provider, team, await provider.preview(team, sent))
  expect(await incidentsOf(team)).toMatchObject([
    { monitor_name: 'Monitor 1', duration_s: 3_600, cause: 'openstatus did not say why.' },
  ])
  const { imported } = await reportOf(team, monitors.get('Monitor 1'))
  expect([imported.daily[0].date, imported.daily.at(-1).date]).toEqual([dateOf(ago(5)), dateOf(ago(2))])
  isRefused = true
  const other = await given.tenant()
  const items = await itemsOf(other, await provider.preview(other, sent))
  expect(items.at(-1)).toMatchObject({ name: 'Past incidents', reason: expect.stringContaining('They were not read.') })
})

test('outages of Pingdom are its states, of which one that ends now lasts', async () => {
  const seconds = (at: string) => Date.parse(at) / 1_000
  provider.handle = ({ path }) => {
    const url = new URL(path, provider.url)
    const check = { id: 7, name: 'Shop', hostname: 'shop.example.com', resolution: 5, status: 'up', type: { http: {} } }
    if (url.pathname === '/checks') return { checks: [check] }
    if (url.pathname === '/checks/7') return { check }
    const states = [
      { status: 'unknown', timefrom: seconds(ago(20)), timeto: seconds(ago(10)) },
      { status: 'up', timefrom: seconds(ago(10)), timeto: seconds(ago(3)) },
      { status: 'down', timefrom: seconds(ago(3)), timeto: seconds(ago(3, hour)) },
      { status: 'up', timefrom: seconds(ago(3, hour)), timeto: seconds(ago(1)) },
      { status: 'down', timefrom: seconds(ago(1)), timeto: Number(url.searchParams.get('to')) },
    ]
    return { summary: { states } }
  }
  const team = await given.tenant()
  const id = await provider.preview(team, { provider: 'pingdom', base_url: provider.url, api_key: key })
  const shop = (await importAll(provider, team, id)).get('Shop')
  expect(await incidentsOf(team)).toMatchObject([{ started_at: ago(3).replace('Z', '000Z'), duration_s: 3_600 }])
  const { imported } = await reportOf(team, shop)
  expect([imported.daily[0].date, imported.daily.at(-1).date]).toEqual([dateOf(ago(10)), dateOf(ago(2))])
})

test('outages of StatusCake are its periods of an uptime check', async () => {
  provider.handle = ({ path }) => {
    const url = new URL(path, provider.url)
    const check = {
      id: '7',
      name: 'Shop',
      test_type: 'HTTP',
      website_url: 'https://shop.example.com/',
      check_rate: 300,
    }
    if (url.pathname === '/uptime') return { data: [check], metadata: { page: 1, page_count: 1 } }
    if (url.pathname === '/uptime/7') return { data: check }
    if (url.pathname !== '/uptime/7/periods') return { data: [], metadata: { page: 1, page_count: 1 } }
    expect(url.searchParams.get('limit')).toBe('100')
    return {
      data: [
        { status: 'up', created_at: ago(3, 30 * minute), duration: 1 },
        { status: 'down', created_at: ago(3), ended_at: ago(3, 30 * minute), duration: 1_800_000 },
        { status: 'up', created_at: ago(200), ended_at: ago(3), duration: 1 },
      ],
    }
  }
  const team = await given.tenant()
  const id = await provider.preview(team, { provider: 'statuscake', base_url: provider.url, api_key: key })
  const shop = (await importAll(provider, team, id)).get('Shop')
  expect(await incidentsOf(team)).toMatchObject([{ started_at: ago(3).replace('Z', '000Z'), duration_s: 1_800 }])
  expect((await reportOf(team, shop)).imported).toMatchObject({ downtime_s: 1_800, incidents_count: 1 })
})

test('a source with more monitors than it has requests is asked for the past of as many as these allow', async () => {
  const items = Array.from({ length: 5 }, (_, n) => ({
    ...{ kind: 'monitor' as const, sourceId: String(n), sourceKind: 'x', name: `Job ${n}` },
    ...{ wanted: { of: 'cron' as const, body: { name: `Job ${n}` } }, standIns: [], isEnabled: true },
  }))
  let left = 22
  const asked: string[] = []
  const found = await withPastOfEach(
    {
      reach: { left: () => left, json: () => Promise.reject(new Error()), text: () => Promise.reject(new Error()) },
      progress: async () => undefined,
    },
    items,
    async id => {
      left--
      asked.push(id)
      return { outages: [], since: 0 }
    },
  )
  expect(asked).toEqual(['0', '1'])
  expect(found).toHaveLength(6)
  expect(found[5]?.reason).toMatch(/^Those of 3 monitors were not read\./)
})

test('outages in a file of Uptime Kuma are those between a heartbeat that is down and the next of another status', async () => {
  const text = (at: string) => at.replace('T', ' ').replace('Z', '')
  const file = kumaFile(database => {
    database.exec(`
      create table heartbeat (id integer primary key, important boolean, monitor_id integer, status smallint, msg text,
        time datetime, ping integer, duration integer);
      insert into monitor (id, name, type, url, interval) values (1, 'Shop', 'http', 'https://shop.example.com/', 60);
      insert into monitor (id, name, type, url, interval) values (2, 'New', 'http', 'https://new.example.com/', 60);`)
    const insert = database.prepare(
      'insert into heartbeat (important, monitor_id, status, msg, time) values (?, ?, ?, ?, ?)',
    )
    insert.run(1, 1, 1, 'OK', text(ago(10)))
    insert.run(1, 1, 0, 'timeout of 48000ms exceeded', text(ago(5)))
    insert.run(0, 1, 0, 'still', text(ago(5, 10 * minute)))
    insert.run(1, 1, 1, 'OK', text(ago(5, 20 * minute)))
    insert.run(1, 1, 0, 'Again', text(ago(1)))
    insert.run(0, 1, 0, 'Again', text(ago(1, hour)))
    insert.run(1, 1, 0, 'No time', 'yesterday')
  })
  const team = await given.tenant()
  const { body } = await team.post('/migrations', { provider: 'uptime-kuma', account: 'home' })
  await sendFile(team, body.data.id, file)
  await provider.advance(body.data.id)
  expect(await migrationOf(team, body.data.id)).toMatchObject({ state: 'previewed' })
  expect((await itemsOf(team, body.data.id)).map(({ past_incidents }) => past_incidents)).toEqual([1, null])
  const monitors = await importAll(provider, team, body.data.id)
  expect(await incidentsOf(team)).toMatchObject([
    {
      monitor_name: 'Shop',
      cause: 'timeout of 48000ms exceeded',
      duration_s: 1_200,
      imported_from: 'uptime-kuma/home',
    },
  ])
  const { imported } = await reportOf(team, monitors.get('Shop'))
  expect(imported.daily[0]).toMatchObject({ date: dateOf(ago(10)) })
  expect(imported.daily.at(-1)).toMatchObject({ date: dateOf(ago(2)) })
})

describe('the past of a monitor', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  const backAt = (ms: number) => new Date(now - ms).toISOString()
  const read = (outages: ReadOutage[], more: Partial<Parameters<typeof historyOf>[0]> = {}) =>
    historyOf({ outages, since: now - 200 * day, until: now, now, ...more })
  const each = (startMs: number, forMs = minute): ReadOutage => ({
    id: randomUUID(),
    start: now - startMs,
    end: now - startMs + forMs,
  })

  test('is that of the last ninety days', () => {
    const within = each(90 * day - 1)
    const history = read([within, each(90 * day + minute), each(91 * day)])
    expect(history).toMatchObject({ from: backAt(90 * day), until: backAt(0), incidents: [{ id: within.id }] })
  })

  test('has the newest hundred outages, and is known since the end of the one before them', () => {
    const hundred = Array.from({ length: 100 }, (_, n) => each((n + 1) * hour))
    expect(read(hundred)).toMatchObject({ from: backAt(90 * day), incidents: { length: 100 } })
    const history = read([...hundred, each(101 * hour)])
    expect(history?.incidents.map(({ id }) => id)).toEqual(hundred.map(({ id }) => id))
    expect(history?.from).toBe(backAt(101 * hour - minute))
  })

  test('is known no longer than its source watched it', () => {
    expect(read([], { since: now - 2 * day })).toEqual({ from: backAt(2 * day), until: backAt(0), incidents: [] })
    expect(read([each(day)], { since: null })?.from).toBe(backAt(day))
    expect(read([], { since: null })).toBeNull()
    expect(read([each(day, hour)], { until: null })?.until).toBe(backAt(day - hour))
    expect(read([], { since: now + day })).toBeNull()
  })

  test('leaves out what has no span of time, or lies in the future', () => {
    const damaged = [
      { id: '1', start: Number.NaN, end: now },
      { id: '2', start: now - day, end: now - 2 * day },
      { id: '3', start: now + day, end: now + 2 * day },
      { id: '4', start: now - day, end: now + hour },
      { id: '5', start: now - day, end: now - day },
    ]
    expect(read(damaged)?.incidents).toEqual([])
    expect(momentOf('2026-11-20 12:00:00.5')).toBe(now + 500)
    expect(momentOf('2026-11-20T13:00:00+01:00')).toBe(now)
    expect(momentOf('soon')).toBeNaN()
  })
})
