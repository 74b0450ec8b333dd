import { describe, expect, test } from 'vitest'
import { aMonitor, anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { given } from '#test/support/app.ts'
import { refusedTo } from './given.ts'

describe('GET /reseller/managed-teams/{id}/summary', () => {
  test('counts what a team has', async () => {
    const reseller = await given.reseller({ scopes: ['teams:read'] })
    const team = await given.team(reseller)
    await given.colleague(team, 'viewer')
    for (const status of ['up', 'up', 'down', 'warning', null]) await aMonitor(team, { status })
    await anIncident(team)
    await anIncident(team, { resolvedAt: new Date() })
    expect(
      (
        await team.post('/notification-channels', {
          name: 'On call',
          type: 'email',
          config: { recipients: ['ops@example.com'] },
        })
      ).status,
    ).toBe(201)
    const { status, body } = await reseller.get(`${team.path}/summary`)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      monitors_count: 7,
      monitors_up: 4,
      monitors_down: 1,
      active_incidents: 1,
      notification_channels_count: 1,
      status_pages_count: 0,
      members_count: 2,
    })
  })

  test('is zero for a team that has nothing', async () => {
    const reseller = await given.reseller()
    const { body } = await reseller.post('/reseller/managed-teams', { name: 'Empty', slug: `t-${crypto.randomUUID()}` })
    const summary = (await reseller.get(`/reseller/managed-teams/${body.data.id}/summary`)).body.data
    expect(Object.values(summary)).toEqual([0, 0, 0, 0, 0, 0, 0])
  })

  test('is its reseller’s alone', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    const others = [
      rival,
      team,
      await given.token(reseller, 'rk', ['monitors:manage']),
      await given.token(reseller, 'ss', []),
    ]
    expect(await refusedTo(others, 'GET', `${team.path}/summary`)).toEqual([403, 403, 403, 403])
    for (const id of [crypto.randomUUID(), 'x'])
      expect((await reseller.get(`/reseller/managed-teams/${id}/summary`)).status).toBe(404)
  })
})
