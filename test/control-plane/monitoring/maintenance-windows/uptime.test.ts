import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBadgeStatus } from '#control-plane/monitoring/badges/status.ts'
import { moveWindows } from '#control-plane/monitoring/maintenance-windows/watch.ts'
import { aMonitor, minutesAgo, spans, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { aWindow, minutesFromNow } from './windows.ts'

const { platform, log, clock, bounded } = app.services
const path = '/maintenance-windows'
const move = () => moveWindows({ platform, log, bounded })

interface Span {
  monitor_id: string
  window_id: string | null
  started_at: Date
  ended_at: Date | null
  is_excluded: boolean
}

const spansOf = async ({ tenantId }: { tenantId: string }) =>
  (
    await platform.query<Span>(
      `select monitor_id, window_id, started_at, ended_at, is_excluded from maintenance_spans
       where tenant_id = $1 order by started_at, id`,
      [tenantId],
    )
  ).rows
const openSpans = async (team: { tenantId: string }) =>
  (await spansOf(team))
    .filter(({ ended_at }) => ended_at === null)
    .map(({ window_id, monitor_id }) => `${window_id} ${monitor_id}`)
    .sort()
const newMonitor = async (team: CallerUnderTest, tags: string[] = []): Promise<string> =>
  (await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/', tags })).body.data.id
const start = async (team: CallerUnderTest, id: string) => (await team.post(`${path}/${id}/start`)).body.data

describe('time in maintenance', () => {
  test('counts as neither up nor down in every figure, once where windows overlap', async () => {
    const team = await given.tenant()
    const monitor = await aMonitor(team)
    await verdicts(team, monitor, [
      [minutesAgo(8 * 60), 'up'],
      [minutesAgo(2 * 60), 'down'],
    ])
    const at = (minutes: number) => minutesAgo(minutes).getTime()
    // six hours up and two down; of these one and a half in maintenance, and two of those up
    await spans(team, monitor, [
      { from: at(7 * 60), to: at(5.5 * 60) },
      { from: at(6 * 60), to: at(5 * 60) },
      { from: at(90), to: null },
    ])
    await spans(team, monitor, [{ from: at(4 * 60), to: at(3 * 60) }], false)
    const share = expect.closeTo(100 * (4 / 4.5), 0)
    const uptime = (await team.get(`/monitors/${monitor.id}/uptime`)).body.data
    expect(uptime).toMatchObject({ uptime_pct: share, up_s: 14_400, formula_version: 3 })
    expect(uptime.downtime_s).toBeCloseTo(1_800, -1)
    expect(uptime.maintenance_s).toBeCloseTo(3.5 * 3_600, -1)
    const report = (await team.get(`/monitors/${monitor.id}/report`)).body.data
    expect(report.overall).toMatchObject({ uptime_pct: share, downtime_s: uptime.downtime_s })
    const batch = (await team.post('/monitors/stats-batch', { monitor_ids: [monitor.id] })).body.data
    expect(batch).toMatchObject([{ uptime_30d: share }])
    const stats = (await team.get('/dashboard/stats')).body.data
    expect([stats.uptime_24h, stats.uptime_30d]).toEqual([share, share])
    expect((await readBadgeStatus(platform, monitor.id, clock.now()))?.uptimePct).toEqual(share)
  })

  test('counts in the monthly report, where it has a field of its own', async () => {
    const team = await given.tenant()
    const monitor = await aMonitor(team)
    await platform.query(`update monitors set created_at = '2026-02-01' where id = $1`, [monitor.id])
    await verdicts(team, monitor, [
      [new Date('2026-02-01T00:00:00Z'), 'up'],
      [new Date('2026-02-03T00:00:00Z'), 'down'],
      [new Date('2026-02-05T00:00:00Z'), 'paused'],
    ])
    const [from, to] = [Date.parse('2026-02-04T00:00:00Z'), Date.parse('2026-02-06T00:00:00Z')]
    await spans(team, monitor, [{ from, to }])
    const { body } = await team.get('/monthly-report?month=2026-02')
    expect(body.data).toMatchObject({ formula_version: 3, uptime_pct: 66.6666, downtime_s: 86_400 })
    expect(body.data.monitors).toMatchObject([{ maintenance_s: 172_800, uptime_pct: 66.6666 }])
  })
})

describe('a window', () => {
  test('that begins and ends by itself covers what was planned, not when it was moved', async () => {
    const team = await given.tenant()
    const monitor = await newMonitor(team)
    const window = await aWindow(team)
    const planned = { from: minutesAgo(10), to: minutesAgo(2) }
    await platform.query(`update monitors set created_at = $2 where id = $1`, [monitor, minutesAgo(60)])
    await platform.query(
      `update maintenance_windows set next_starts_at = $2, next_ends_at = $3, updated_at = $4 where id = $1`,
      [window.id, planned.from, planned.to, minutesAgo(60)],
    )
    await move()
    await move()
    expect(await spansOf(team)).toMatchObject([
      { monitor_id: monitor, window_id: window.id, started_at: planned.from, ended_at: planned.to, is_excluded: true },
    ])
  })

  test('that is created after its start covers no time before it was created', async () => {
    const team = await given.tenant()
    const monitor = await newMonitor(team)
    await platform.query(`update monitors set created_at = $2 where id = $1`, [monitor, minutesAgo(60)])
    const before = clock.nowMs()
    await aWindow(team, { timezone: 'UTC', starts_at: minutesFromNow(-30) })
    await move()
    const [span] = await spansOf(team)
    expect(span!.started_at.getTime()).toBeGreaterThan(before - 5_000)
    expect(span!.ended_at).toBeNull()
  })

  test('that is extended and stopped covers the time until it was stopped', async () => {
    const team = await given.tenant()
    await newMonitor(team)
    const { id } = await aWindow(team)
    const started = await start(team, id)
    await team.post(`${path}/${id}/extend`, { minutes: 60 })
    const stopped = (await team.post(`${path}/${id}/stop`)).body.data
    const [span] = await spansOf(team)
    expect(span!.started_at.toISOString().slice(0, 23)).toBe(started.actual_started_at.slice(0, 23))
    // the window ends by the clock of the process, its span at the latest by that of the database
    expect(Math.abs(span!.ended_at!.getTime() - Date.parse(stopped.actual_ended_at))).toBeLessThan(50)
  })

  test('does not count towards uptime unless it says so, and says so only before it starts', async () => {
    const team = await given.tenant()
    await newMonitor(team)
    expect((await aWindow(team)).exclude_from_uptime).toBe(true)
    const { id } = await aWindow(team)
    expect((await team.patch(`${path}/${id}`, { exclude_from_uptime: false })).body.data).toMatchObject({
      exclude_from_uptime: false,
    })
    await start(team, id)
    const { status, body } = await team.patch(`${path}/${id}`, { exclude_from_uptime: true })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['exclude_from_uptime']])
    expect(await spansOf(team)).toMatchObject([{ window_id: id, is_excluded: false }])
  })

  test('that is deleted between two occurrences leaves its time behind', async () => {
    const team = await given.tenant()
    await newMonitor(team)
    const { id } = await aWindow(team, { rrule: 'FREQ=DAILY' })
    await start(team, id)
    await team.post(`${path}/${id}/stop`)
    expect((await team.delete(`${path}/${id}`)).status).toBe(204)
    expect(await spansOf(team)).toMatchObject([{ window_id: null, ended_at: expect.any(Date) }])
  })

  test('covers a monitor from when it is created or gets a tag until it loses the tag or is deleted', async () => {
    const team = await given.tenant()
    const [all, shop] = [await aWindow(team), await aWindow(team, { scope: { tags: ['shop'] } })]
    for (const { id } of [all, shop]) await start(team, id)
    const [plain, tagged] = [await newMonitor(team), await newMonitor(team, ['shop'])]
    const pairs = (...of: string[][]) => of.map(pair => pair.join(' ')).sort()
    expect(await openSpans(team)).toEqual(pairs([all.id, plain], [all.id, tagged], [shop.id, tagged]))
    await team.patch(`/monitors/${plain}`, { tags: ['shop', 'eu'] })
    await team.patch(`/monitors/${tagged}`, { tags: ['eu'] })
    expect(await openSpans(team)).toEqual(pairs([all.id, plain], [all.id, tagged], [shop.id, plain]))
    await team.delete(`/monitors/${plain}`)
    await team.post(`${path}/${all.id}/stop`)
    expect(await openSpans(team)).toEqual([])
    // what was judged of the deleted one stays
    expect((await spansOf(team)).map(({ monitor_id }) => monitor_id).sort()).toEqual(
      [plain, plain, tagged, tagged].sort(),
    )
  })

  test('and a tag that change at the same time agree, whichever comes first', async () => {
    const team = await given.tenant()
    const monitor = await newMonitor(team)
    for (let round = 0; round < 12; round++) {
      const { id } = await aWindow(team, { scope: { tags: ['shop'] } })
      await platform.query(`update maintenance_windows set next_starts_at = clock_timestamp() where id = $1`, [id])
      await Promise.all([move(), team.patch(`/monitors/${monitor}`, { tags: ['shop'] }), move()])
      await move()
      expect(await openSpans(team)).toEqual([`${id} ${monitor}`])
      await Promise.all([team.post(`${path}/${id}/stop`), team.patch(`/monitors/${monitor}`, { tags: [] })])
      expect(await openSpans(team)).toEqual([])
    }
  })
})

test('after any changes the monitors in maintenance are those that active windows cover', async () => {
  const tags = ['a', 'b']
  const operation = fc.record({
    does: fc.constantFrom('start', 'stop', 'tag', 'create', 'delete'),
    which: fc.nat(3),
    tags: fc.subarray(tags),
  })
  const run = fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 10 }), async operations => {
    const team = await given.tenant()
    const monitors: { id: string; tags: string[] }[] = []
    const create = async (own: string[]) => monitors.push({ id: await newMonitor(team, own), tags: own })
    for (const own of [[], ['a'], ['a', 'b']]) await create(own)
    const scopes = [{ all: true }, { tags: ['a'] }, { tags: ['b'] }, { monitor_ids: [monitors[0]!.id], tags: ['b'] }]
    const windows: { id: string; isActive: boolean; covers(monitor: (typeof monitors)[number]): boolean }[] = []
    for (const scope of scopes)
      windows.push({
        id: (await aWindow(team, { scope, rrule: 'FREQ=DAILY' })).id,
        isActive: false,
        covers: ({ id, tags: own }) =>
          scope.all === true || scope.monitor_ids?.includes(id) === true || own.some(tag => scope.tags?.includes(tag)),
      })
    for (const { does, which, tags: own } of operations) {
      const window = windows[which]!
      const monitor = monitors[which % monitors.length]
      if (does === 'start' || does === 'stop') {
        const { status } = await team.post(`${path}/${window.id}/${does}`)
        expect(status).toBe((does === 'stop') === window.isActive ? 200 : 422)
        window.isActive = does === 'start'
      } else if (does === 'create') await create(own)
      else if (monitor && does === 'tag') {
        await team.patch(`/monitors/${monitor.id}`, { tags: own })
        monitor.tags = own
      } else if (monitor) {
        await team.delete(`/monitors/${monitor.id}`)
        monitors.splice(monitors.indexOf(monitor), 1)
      }
      const expected = windows.flatMap(one =>
        monitors.filter(other => one.isActive && one.covers(other)).map(({ id }) => `${one.id} ${id}`),
      )
      expect(await openSpans(team), does).toEqual(expected.sort())
    }
  })
  await fc.assert(run, { numRuns: 8 })
}, 120_000)
