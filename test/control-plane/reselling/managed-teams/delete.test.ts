import { describe, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given, TeamUnderTest } from '#test/support/app.ts'
import { anImpersonator, noted, published, refusedTo, storedTeam, trail } from './given.ts'

const { platform } = app.services
const named = async (reseller: CallerUnderTest, name: string) => {
  const { body } = await reseller.post('/reseller/managed-teams', { name, slug: `t-${crypto.randomUUID()}` })
  return new TeamUnderTest(body.data.id, body.data.tenant_id, null, null)
}
const remove = (caller: CallerUnderTest, team: TeamUnderTest, confirm_name: unknown) =>
  caller.delete(team.path, { confirm_name })

describe('DELETE /reseller/managed-teams/{id}', () => {
  test('deletes team and tenant, emits an event to the reseller, and starts the purge', async () => {
    const reseller = await given.reseller({ scopes: ['teams:manage'] })
    const team = await named(reseller, 'Acme')
    const { status, text } = await remove(reseller, team, 'Acme')
    expect(status).toBe(204)
    expect(text).toBe('')
    const { rows } = await platform.query(
      `select m.deleted_at as team, t.deleted_at as tenant from managed_teams m
       join tenants t on t.id = m.tenant_id where m.id = $1`,
      [team.id],
    )
    expect(rows[0].team).toEqual(rows[0].tenant)
    const deletedAtMs = rows[0].team.getTime()
    expect((await published(reseller)).at(-1)).toEqual({
      name: 'team.deleted',
      payload: { managed_team_id: team.id, tenant_id: team.tenantId, tenant_name: 'Acme' },
    })
    expect([...(await published(team, 'workflow')), ...(await published(reseller, 'workflow'))]).toEqual([
      {
        name: 'teamPurge',
        payload: {
          id: `team-purge:${team.id}:${deletedAtMs}`,
          input: { teamId: team.id, tenantId: team.tenantId, deletedAtMs },
        },
      },
    ])
    for (const each of [reseller, team])
      expect((await trail(each)).at(-1)).toMatchObject({
        action: 'managed_tenant.deleted',
        entity_type: 'managed_tenant',
        entity_id: team.id,
      })
  })

  test('from that moment nothing of the team can be reached', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { id, check } = await aMonitor(team)
    const others = [
      await given.token(team, 'svc', ['monitors:read']),
      await anImpersonator(reseller, team),
      await given.token(team, 'sk', ['monitors:read']),
    ]
    for (const caller of [team, ...others]) expect((await caller.get('/monitors')).status).toBe(200)
    const { name } = (await reseller.get(team.path)).body.data
    await remove(reseller, team, name)
    for (const caller of [team, ...others]) expect((await caller.get('/monitors')).status).toBe(401)
    expect((await reseller.get('/monitors', { headers: { 'X-Tenant-Id': team.tenantId } })).status).toBe(403)
    for (const path of ['', '/summary', '/monitors', `/monitors/${id}`, '/incidents', '/plan'])
      expect((await reseller.get(team.path + path)).status, path).toBe(404)
    expect((await reseller.patch(team.path, { name: 'Late' })).status).toBe(404)
    expect((await reseller.post(`${team.path}/pause`)).status).toBe(404)
    expect((await given.stranger().get(`/api/badges/${id}`)).status).toBe(404)
    expect((await reseller.get('/reseller/managed-teams')).body.meta.total).toBe(0)
    expect(await noted(check)).toEqual(['paused'])
  })

  test('twice is once: the second time it is not found', async () => {
    const reseller = await given.reseller()
    const team = await named(reseller, 'Acme')
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(reseller, team, 'Acme')))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)])
    expect((await app.emitted(reseller)).filter(name => name === 'team.deleted')).toHaveLength(1)
  })

  test.each([
    'acme',
    'ACME',
    'Acme ',
    ' Acme',
    'Acme\n',
    'Acme\u200b',
    'Acm',
    'Аcme',
    '',
    null,
    undefined,
    7,
    ['Acme'],
    { name: 'Acme' },
  ])('refuses Acme for %j', async confirm_name => {
    const reseller = await given.reseller()
    const team = await named(reseller, 'Acme')
    const before = await storedTeam(team)
    const { status, body } = await remove(reseller, team, confirm_name)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['confirm_name'])
    expect(await storedTeam(team)).toEqual(before)
    expect(await app.emitted(reseller)).toEqual(['team.provisioned'])
    expect(await app.audited(team)).toEqual([])
  })

  test('refuses another form of the same letters, and takes the very one', async () => {
    const reseller = await given.reseller()
    const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301']
    const [one, two] = [await named(reseller, composed), await named(reseller, decomposed)]
    expect((await remove(reseller, one, decomposed)).status).toBe(422)
    expect((await remove(reseller, two, composed)).status).toBe(422)
    expect((await remove(reseller, one, composed)).status).toBe(204)
    expect((await remove(reseller, two, decomposed)).status).toBe(204)
  })

  test('needs a body', async () => {
    const reseller = await given.reseller()
    const team = await named(reseller, 'Acme')
    expect((await reseller.delete(team.path)).status).toBe(422)
    expect((await reseller.delete(`${team.path}?confirm_name=Acme`)).status).toBe(422)
  })

  test('refuses everybody else, also with the right name', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    const before = await storedTeam(team)
    const { name } = (await reseller.get(team.path)).body.data
    const others = [
      rival,
      team,
      await given.token(reseller, 'rk', ['teams:read']),
      await given.token(reseller, 'ss', []),
    ]
    expect(await refusedTo(others, 'DELETE', team.path, { confirm_name: name })).toEqual([403, 403, 403, 403])
    expect(await refusedTo([given.stranger()], 'DELETE', team.path, { confirm_name: name })).toEqual([401])
    expect(await storedTeam(team)).toEqual(before)
  })

  test('a sister team is left alone', async () => {
    const reseller = await given.reseller()
    const [team, sister] = [await given.team(reseller), await given.team(reseller)]
    const before = await storedTeam(sister)
    await remove(reseller, team, (await reseller.get(team.path)).body.data.name)
    expect(await storedTeam(sister)).toEqual(before)
    expect((await sister.get('/monitors')).status).toBe(200)
  })
})
