import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aMonitor, setObjective, spans, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services
const shop = { name: 'Shop', url: 'https://shop.example.com/' }
const dayMs = 86_400_000

describe('the objective of a monitor', () => {
  test('is null by default, set and changed and removed, and named in the audit trail', async () => {
    const team = await given.tenant()
    const { data } = (await team.post('/monitors', shop)).body
    expect(data.slo).toBeNull()
    const change = async (slo: unknown) => (await team.patch(`/monitors/${data.id}`, { slo })).body.data.slo
    expect(await change({ target_pct: 99.95 })).toEqual({ target_pct: 99.95, window_days: 30 })
    expect(await change({ target_pct: 99, window_days: 90 })).toEqual({ target_pct: 99, window_days: 90 })
    await team.patch(`/monitors/${data.id}`, { notes: 'Other fields leave it.' })
    expect((await team.get(`/monitors/${data.id}`)).body.data.slo).toEqual({ target_pct: 99, window_days: 90 })
    expect((await team.get('/monitors')).body.data[0].slo).toEqual({ target_pct: 99, window_days: 90 })
    expect(await change(null)).toBeNull()
    const { rows } = await platform.query<{ changes: unknown }>(
      `select changes -> 'slo' as changes from audit_entries where tenant_id = $1 and action = 'monitor.updated'
       and changes ? 'slo' order by created_at, id`,
      [team.tenantId],
    )
    expect(rows[0]!.changes).toEqual({ before: null, after: { target_pct: 99.95, window_days: 30 } })
    expect(rows).toHaveLength(3)
  })

  test('is taken in bulk, for jobs and from templates', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const slo = { target_pct: 99.9, window_days: 7 }
    const made = (await team.post('/monitors/bulk', { monitors: [{ ...shop, slo }, shop] })).body.data
    expect(made.map((monitor: { slo: unknown }) => monitor.slo)).toEqual([slo, null])
    const changes = { monitors: [{ id: made[1].id, slo }] }
    expect((await team.patch('/monitors/bulk', changes)).body.data[0].slo).toEqual(slo)
    const job = await team.post('/cron-monitors', { name: 'Backup', schedule: '0 3 * * *', slo })
    expect([job.status, job.body.data.slo]).toEqual([201, slo])
    const template = { name: `T ${randomUUID()}`, monitors: [{ name_template: 'Site', url_template: shop.url, slo }] }
    const { data } = (await reseller.post('/reseller/monitor-templates', template)).body
    expect(data.monitors[0].slo).toEqual(slo)
    const applied = await reseller.post(`${team.path}/apply-template`, { template_id: data.id })
    expect(applied.body.data[0].slo).toEqual(slo)
  })

  test.each([
    [{ target_pct: 50, window_days: 7 }, 201],
    [{ target_pct: 99.999, window_days: 90 }, 201],
    [{ target_pct: 49.999 }, 422],
    [{ target_pct: 100 }, 422],
    [{ target_pct: 99.9999 }, 422],
    [{ target_pct: '99' }, 422],
    [{ target_pct: 99, window_days: 6 }, 422],
    [{ target_pct: 99, window_days: 91 }, 422],
    [{ target_pct: 99, window_days: 7.5 }, 422],
    [{ window_days: 30 }, 422],
    [99, 422],
  ])('%j is answered with %i', async (slo, expected) => {
    const { status, body } = await (await given.tenant()).post('/monitors', { ...shop, slo })
    expect(status).toBe(expected)
    if (status === 422) expect(Object.keys(body.errors).every(path => path.startsWith('slo'))).toBe(true)
  })
})

describe('GET /monitors/{monitor}/slo', () => {
  const ago = (days: number) => new Date(Date.now() - days * dayMs)

  test('has the budget of the window, what is used of it, and how fast', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const monitor = await aMonitor(team)
    await setObjective(monitor, { target_pct: 99.9, window_days: 10 })
    // two minutes are outside of the window, five within it
    const [again, over] = [ago(2), ago(1.9)]
    await verdicts(team, monitor, [
      [ago(30), 'up'],
      [ago(12), 'down'],
      [new Date(ago(12).getTime() + 120_000), 'up'],
      [again, 'down'],
      [over, 'up'],
    ])
    await spans(team, monitor, [{ from: again.getTime() + 300_000, to: over.getTime() }])
    const { status, body } = await team.get(`/monitors/${monitor.id}/slo`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      monitor_id: monitor.id,
      target_pct: 99.9,
      window_days: 10,
      budget_s: 864,
      used_s: 300,
      left_s: 564,
      left_pct: 65.28,
      burn_rate_1h: 0,
      burn_rate_24h: 0,
      exhausted_at: null,
      formula_version: 3,
    })
    expect(body.data.uptime_pct).toBeLessThan(100)
    expect(Date.parse(body.data.to) - Date.parse(body.data.from)).toBe(10 * dayMs)
    const twin = await reseller.get(`${team.path}/monitors/${monitor.id}/slo`)
    expect(twin.body.data).toMatchObject({ budget_s: 864, used_s: 300 })

    await verdicts(team, monitor, [[ago(0.001), 'down']])
    const later = (await team.get(`/monitors/${monitor.id}/slo`)).body.data
    expect(later.burn_rate_1h).toBeGreaterThan(20)
    expect(later.burn_rate_1h).toBeGreaterThan(later.burn_rate_24h)
    expect(Date.parse(later.exhausted_at)).toBeGreaterThan(Date.now())
  })

  test('is 404 without an objective and for the monitor of another team', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const monitor = await aMonitor(team)
    expect((await team.get(`/monitors/${monitor.id}/slo`)).status).toBe(404)
    await setObjective(monitor, { target_pct: 99, window_days: 30 })
    expect((await other.get(`/monitors/${monitor.id}/slo`)).body.message).toBe('Monitor not found.')
    const { data } = (await team.get(`/monitors/${monitor.id}/slo`)).body
    expect(data).toMatchObject({ uptime_pct: null, used_s: 0, left_pct: 100, burn_rate_1h: null, exhausted_at: null })
  })
})

describe('an objective of a monitor without a check that counts for its uptime', () => {
  const slo = { target_pct: 99.9, window_days: 7 }
  const health = { ...shop, checks: [{ type: 'application_health', severity: 'minor' }] }

  test('is refused when the monitor is made, alone and in bulk', async () => {
    const team = await given.tenant()
    const one = await team.post('/monitors', { ...health, slo })
    expect([one.status, Object.keys(one.body.errors)]).toEqual([422, ['slo']])
    const many = await team.post('/monitors/bulk', { monitors: [shop, { ...health, slo }] })
    expect([many.status, Object.keys(many.body.errors)]).toEqual([422, ['monitors.1.slo']])
    expect((await team.post('/agent-monitors', { name: 'db1', slo })).status).toBe(201)
  })

  test('is refused when the monitor is changed, and the stored one is taken back as it is', async () => {
    const team = await given.tenant()
    const { id } = (await team.post('/monitors', health)).body.data
    const refused = await team.patch(`/monitors/${id}`, { slo })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['slo']])
    await setObjective({ id }, slo)
    expect((await team.patch(`/monitors/${id}`, { slo, notes: 'As it is.' })).status).toBe(200)
    await team.patch(`/monitors/${id}`, { slo: null })
    expect((await team.post(`/monitors/${id}/checks`, { type: 'uptime' })).status).toBe(201)
    expect((await team.patch(`/monitors/${id}`, { slo })).body.data.slo).toEqual(slo)
  })

  test('keeps the last check that it is measured by from being deleted', async () => {
    const team = await given.tenant()
    const { id, checks } = (await team.post('/monitors', { ...shop, slo })).body.data
    const [uptime] = checks
    const refused = await team.delete(`/checks/${uptime.id}`)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['check']])
    const lighter = await team.patch(`/checks/${uptime.id}`, { severity: 'warning' })
    expect([lighter.status, Object.keys(lighter.body.errors)]).toEqual([422, ['severity']])
    expect((await team.patch(`/checks/${uptime.id}`, { severity: 'major' })).status).toBe(200)
    await team.patch(`/monitors/${id}`, { slo: null })
    expect((await team.delete(`/checks/${uptime.id}`)).status).toBe(204)
  })

  test.each(['/cron-monitors', '/agent-monitors'])(
    'keeps the check of %s from a severity that takes it down no more',
    async path => {
      const team = await given.tenant()
      const more = path === '/cron-monitors' ? { period_minutes: 60 } : {}
      const { id } = (await team.post(path, { name: 'Night', slo, ...more })).body.data
      const refused = await team.patch(`${path}/${id}`, { severity: 'minor' })
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['severity']])
      expect((await team.patch(`${path}/${id}`, { severity: 'major' })).status).toBe(200)
      expect((await team.patch(`${path}/${id}`, { slo: null, severity: 'minor' })).status).toBe(200)
    },
  )
})
