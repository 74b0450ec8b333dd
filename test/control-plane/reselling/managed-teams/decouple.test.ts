import { describe, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import { anImpersonator, refusedTo, storedTeam, trail } from './given.ts'

const { platform } = app.services

describe('POST /reseller/managed-teams/{id}/decouple', () => {
  test('lets a team go: it is a tenant of its own, with all that is its', async () => {
    const reseller = await given.reseller({ scopes: ['teams:manage', 'monitors:manage'] })
    const team = await given.team(reseller)
    await aMonitor(team)
    const [ik, svc, sk] = [
      await anImpersonator(reseller, team),
      await given.token(team, 'svc', ['monitors:read']),
      await given.token(team, 'sk', ['monitors:read']),
    ]
    for (const caller of [ik, svc, sk]) expect((await caller.get('/monitors')).status).toBe(200)
    const { status, body } = await reseller.post(`${team.path}/decouple`)
    expect(status).toBe(200)
    expect(body.data).toEqual({ message: expect.any(String), tenant_id: team.tenantId })
    expect((await team.get('/monitors')).body.meta.total).toBe(1)
    expect((await sk.get('/monitors')).status).toBe(200)
    for (const caller of [ik, svc]) expect((await caller.get('/monitors')).status).toBe(401)
    for (const path of ['', '/monitors', '/summary']) expect((await reseller.get(team.path + path)).status).toBe(404)
    expect((await reseller.post(`${team.path}/restore`)).status).toBe(404)
    expect((await reseller.get('/monitors', { headers: { 'X-Tenant-Id': team.tenantId } })).status).toBe(403)
    for (const each of [reseller, team])
      expect((await trail(each)).at(-1)).toMatchObject({ action: 'managed_tenant.decoupled', entity_id: team.id })
    const counts = await platform.query('select reseller_id, monitors from tenant_counts where tenant_id = $1', [
      team.tenantId,
    ])
    expect(counts.rows).toEqual([{ reseller_id: null, monitors: 1 }])
  })

  test('takes a pause along, and a trial with the plan it lent', async () => {
    const reseller = await given.reseller()
    const [tried, paused] = [await given.team(reseller, { plan: 'pro' }), await given.team(reseller, { plan: 'pro' })]
    await reseller.patch(tried.path, { trial_days: 7 })
    await reseller.post(`${paused.path}/pause`)
    for (const team of [tried, paused]) await reseller.post(`${team.path}/decouple`)
    const { rows } = await platform.query('select id, plan, paused_at from tenants where id = any($1)', [
      [tried.tenantId, paused.tenantId],
    ])
    expect(rows).toContainEqual({ id: tried.tenantId, plan: 'free', paused_at: null })
    expect(rows).toContainEqual({ id: paused.tenantId, plan: 'pro', paused_at: null })
  })

  test('once: then it is not found', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const answers = await Promise.all(Array.from({ length: 4 }, () => reseller.post(`${team.path}/decouple`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    expect(await app.audited(team)).toEqual(['managed_tenant.decoupled'])
  })

  test('refuses everybody else', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    const before = await storedTeam(team)
    const others = [
      rival,
      team,
      await given.token(reseller, 'rk', ['teams:read']),
      await given.token(reseller, 'ss', []),
    ]
    expect(await refusedTo(others, 'POST', `${team.path}/decouple`)).toEqual([403, 403, 403, 403])
    expect(await storedTeam(team)).toEqual(before)
  })
})
