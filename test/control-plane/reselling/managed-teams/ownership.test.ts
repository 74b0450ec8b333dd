import { expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { storedTeam } from './given.ts'

const { platform } = app.services

test('the reseller of a team is read for every request', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  const { name } = (await reseller.get(team.path)).body.data
  for (let round = 0; round < 40; round++) {
    const [acting, inside] = [
      await given.token(reseller, 'rk', ['teams:manage']),
      await given.token(reseller, 'rk', ['monitors:manage', 'teams:read']),
    ]
    const context = { headers: { 'X-Tenant-Id': team.tenantId } }
    expect((await acting.delete(team.path, { confirm_name: name })).status).toBe(204)
    expect([
      (await inside.get('/monitors', context)).status,
      (await inside.get(`${team.path}/monitors`)).status,
      (await team.get('/monitors')).status,
    ]).toEqual([403, 404, 401])
    expect((await acting.post(`${team.path}/restore`)).status).toBe(200)
    expect([
      (await inside.get('/monitors', context)).status,
      (await inside.get(`${team.path}/monitors`)).status,
      (await team.get('/monitors')).status,
    ]).toEqual([200, 200, 200])
  }
}, 120_000)

test('another reseller’s team is 403 on each path, without a change or an audit entry', async () => {
  const [reseller, rival] = [await given.reseller(), await given.reseller()]
  const team = await given.team(reseller)
  const { name } = (await reseller.get(team.path)).body.data
  const before = await storedTeam(team)
  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', '', { confirm_name: name }],
    ['POST', '/pause', { reason: 'x' }],
    ['POST', '/unpause'],
    ['POST', '/restore'],
    ['POST', '/decouple'],
    ['GET', '/summary'],
  ] as const) {
    const foreign = await rival.call(method, team.path + path, body)
    expect([foreign.status, foreign.body.code], `${method} ${path}`).toEqual([403, 'team_not_managed'])
    const unknown = await rival.call(method, `/reseller/managed-teams/${crypto.randomUUID()}${path}`, body)
    expect(unknown.status, `${method} ${path}`).toBe(404)
    expect(foreign.text).not.toContain(name)
  }
  expect(await storedTeam(team)).toEqual(before)
  for (const each of [rival, reseller, team]) expect(await app.audited(each)).toEqual([])
  expect(
    (
      await platform.query('select 1 from outbox where tenant_id = any($1)', [
        [rival.tenantId, team.tenantId, reseller.tenantId],
      ])
    ).rowCount,
  ).toBe(0)
})
