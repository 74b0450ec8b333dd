import { describe, expect, test } from 'vitest'
import { aMonitor, anIncident, minutesAgo } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

describe('GET /reseller/overview', () => {
  test('counts across all teams, and names the worst and what is open', async () => {
    const reseller = await given.reseller({ scopes: ['teams:manage'] })
    const [calm, bad, worse, gone] = [
      await given.team(reseller, { label: 'gold' }),
      await given.team(reseller),
      await given.team(reseller, { label: 'silver' }),
      await given.team(reseller),
    ]
    await aMonitor(calm)
    const monitor = await aMonitor(bad, { status: 'down', name: 'Shop' })
    const older = await anIncident(bad, { monitor, startedAt: minutesAgo(9) })
    for (let n = 0; n < 2; n++) await aMonitor(worse, { status: 'down' })
    const newer = await anIncident(worse, { severity: 'minor', startedAt: minutesAgo(3) })
    await anIncident(worse, { resolvedAt: new Date() })
    await aMonitor(gone, { status: 'down' })
    await anIncident(gone)
    await app.services.platform.query('update managed_teams set deleted_at = now() where id = $1', [gone.id])
    await reseller.post(`${bad.path}/pause`)
    await reseller.patch(calm.path, { trial_days: 5 })
    await anIncident(await given.team(await given.reseller()))

    const { status, body } = await reseller.get('/reseller/overview')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      teams: { total: 3, active: 2, paused: 1, on_trial: 1, with_incidents: 2, trashed: 1 },
      monitors: { total: 6, up: 3, down: 2 },
      members: 3,
      open_incidents: { total: 2, critical: 1, major: 0, minor: 1 },
    })
    expect(body.data.worst_teams).toMatchObject([
      {
        id: worse.id,
        tenant_id: worse.tenantId,
        label: 'silver',
        is_paused: false,
        monitors_count: 4,
        monitors_down_count: 2,
        open_incidents_count: 1,
      },
      { id: bad.id, is_paused: true, monitors_down_count: 0, open_incidents_count: 1 },
    ])
    expect(body.data.incidents).toMatchObject([
      { incident_id: newer, managed_team_id: worse.id, severity: 'minor' },
      {
        incident_id: older,
        managed_team_id: bad.id,
        tenant_id: bad.tenantId,
        monitor_id: monitor.id,
        monitor_name: 'Shop',
        severity: 'critical',
        acknowledged_at: null,
      },
    ])
    expect(body.data.incidents[0].started_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  })

  test('shows ten teams and twenty-five incidents at the most, and counts all', async () => {
    const reseller = await given.reseller()
    const ids: string[] = []
    for (let n = 0; n < 12; n++) {
      const team = await given.team(reseller)
      for (let m = 0; m < 3; m++) ids.push(await anIncident(team, { startedAt: minutesAgo(100 - ids.length) }))
    }
    const { data } = (await reseller.get('/reseller/overview')).body
    expect(data.open_incidents.total).toBe(36)
    expect(data.worst_teams).toHaveLength(10)
    expect(data.incidents.map((incident: { incident_id: string }) => incident.incident_id)).toEqual(
      ids.toReversed().slice(0, 25),
    )
  })

  test('is zero where there is nothing', async () => {
    const { body } = await (await given.reseller({ scopes: ['teams:read'] })).get('/reseller/overview')
    expect(body.data).toEqual({
      teams: { total: 0, active: 0, paused: 0, on_trial: 0, with_incidents: 0, trashed: 0 },
      monitors: { total: 0, up: 0, down: 0 },
      members: 0,
      open_incidents: { total: 0, critical: 0, major: 0, minor: 0 },
      worst_teams: [],
      incidents: [],
    })
  })

  test('takes no token but a reseller token with the scope', async () => {
    const reseller = await given.reseller()
    const others = [
      await given.tenant(),
      await given.team(reseller),
      await given.token(reseller, 'ss', []),
      await given.token(reseller, 'rk', ['incidents:manage']),
    ]
    for (const caller of others) expect((await caller.get('/reseller/overview')).status).toBe(403)
    expect((await given.stranger().get('/reseller/overview')).status).toBe(401)
  })
})
