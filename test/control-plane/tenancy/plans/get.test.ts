import { describe, expect, test } from 'vitest'
import { planLimits } from '#contract/plans.ts'
import { given } from '#test/support/app.ts'

describe('GET /plan', () => {
  test('tells limits with their overrides, and what is used', async () => {
    const team = await given.tenant({ plan: 'hobby', overrides: { monitors: null, min_check_interval: 10, team_members: 'many', unknown: 1 } })
    await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/', checks: [{ type: 'uptime' }, { type: 'ssl' }] })
    const { status, body } = await team.get('/plan')
    expect(status).toBe(200)
    expect(body.data).toEqual({
      plan: 'hobby',
      limits: { ...planLimits.hobby, monitors: null, min_check_interval: 10 },
      usage: { monitors: 1, checks: 2, team_members: 1 },
    })
  })

  test('by a reseller in its own team only', async () => {
    const [reseller, rival] = [await given.reseller({ scopes: ['teams:read'] }), await given.reseller()]
    const team = await given.team(reseller, { plan: 'free' })
    expect((await reseller.get(`${team.path}/plan`)).body.data.plan).toBe('free')
    expect((await rival.get(`${team.path}/plan`)).status).toBe(403)
    expect((await given.stranger().get('/plan')).status).toBe(401)
  })
})
