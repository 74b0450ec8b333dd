import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { purgeTeam } from '#control-plane/reselling/managed-teams/purge.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'
import { noted, refusedTo, storedTeam, trail } from './given.ts'

const { platform } = app.services
const remove = async (reseller: CallerUnderTest, team: TeamUnderTest, daysAgo = 0) => {
  const { name } = (await reseller.get(team.path)).body.data
  await reseller.delete(team.path, { confirm_name: name })
  if (daysAgo === 0) return
  for (const table of ['managed_teams', 'tenants'])
    await platform.query(
      `update ${table} set deleted_at = deleted_at - $2 * interval '1 day'
       where ${table === 'tenants' ? 'id' : 'tenant_id'} = $1`,
      [team.tenantId, daysAgo],
    )
}

describe('POST /reseller/managed-teams/{id}/restore', () => {
  test('brings everything back', async () => {
    const reseller = await given.reseller({ scopes: ['teams:manage'] })
    const team = await given.team(reseller)
    const { check } = await aMonitor(team)
    const before = (await reseller.get(team.path)).body.data
    await remove(reseller, team)
    expect((await team.get('/monitors')).status).toBe(401)
    const { status, body } = await reseller.post(`${team.path}/restore`)
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...before, updated_at: body.data.updated_at })
    expect((await team.get('/monitors')).body.meta.total).toBe(1)
    expect((await reseller.get(team.path)).body).toEqual(body)
    expect((await platform.query('select deleted_at from tenants where id = $1', [team.tenantId])).rows).toEqual([
      { deleted_at: null },
    ])
    for (const each of [reseller, team])
      expect((await trail(each)).at(-1)).toMatchObject({
        action: 'managed_tenant.restored',
        entity_type: 'managed_tenant',
        entity_id: team.id,
        changes: { deleted_at: { before: expect.any(String), after: null } },
      })
    expect(await noted(check)).toEqual(['paused', 'none'])
    expect(await app.emitted(reseller)).toEqual(['team.deleted', 'team.restored'])
  })

  test('publishes to the reseller that a deleted team is back, once', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await reseller.delete(team.path, { confirm_name: (await reseller.get(team.path)).body.data.name })
    for (let times = 0; times < 2; times++) expect((await reseller.post(`${team.path}/restore`)).status).toBe(200)
    expect((await app.emitted(reseller)).slice(-2)).toEqual(['team.deleted', 'team.restored'])
  })

  test('a team that was paused is active again', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await reseller.post(`${team.path}/pause`, { reason: 'unpaid' })
    await remove(reseller, team)
    expect((await reseller.post(`${team.path}/restore`)).body.data).toMatchObject({
      is_paused: false,
      paused_at: null,
      paused_reason: null,
      deleted_at: null,
    })
  })

  test('a team that is not deleted is answered as it is', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const before = await storedTeam(team)
    const { status, body } = await reseller.post(`${team.path}/restore`)
    expect(status).toBe(200)
    expect(body.data.id).toBe(team.id)
    expect(await storedTeam(team)).toEqual(before)
    expect(await app.audited(reseller)).toEqual([])
  })

  test('until the thirtieth day is over', async () => {
    const reseller = await given.reseller()
    const [early, late] = [await given.team(reseller), await given.team(reseller)]
    await remove(reseller, early, 30 - 1 / 1_440)
    await remove(reseller, late, 30)
    const before = await storedTeam(late)
    expect((await reseller.post(`${early.path}/restore`)).status).toBe(200)
    expect((await reseller.post(`${late.path}/restore`)).status).toBe(404)
    expect(await storedTeam(late)).toEqual(before)
  })

  test('restored and deleted over again, each time with a moment of its own', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    for (let n = 0; n < 3; n++) {
      await remove(reseller, team)
      expect((await reseller.post(`${team.path}/restore`)).status).toBe(200)
    }
    const { rows } = await platform.query(
      `select payload ->> 'id' as id from outbox where name = 'teamPurge' and tenant_id = any($1)`,
      [[reseller.tenantId, team.tenantId]],
    )
    expect(new Set(rows.map(row => row.id)).size).toBe(3)
  })

  test('at once with eight others it is restored once', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await remove(reseller, team)
    const answers = await Promise.all(Array.from({ length: 8 }, () => reseller.post(`${team.path}/restore`)))
    expect(answers.every(({ status, body }) => status === 200 && body.data.deleted_at === null)).toBe(true)
    expect((await app.audited(reseller)).filter(action => action === 'managed_tenant.restored')).toHaveLength(1)
  })

  test('another reseller’s 403, unknown and no UUID 404, and never without the scope', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    await remove(reseller, team)
    const before = await storedTeam(team)
    const others = [
      rival,
      await given.token(reseller, 'rk', ['teams:read']),
      await given.token(reseller, 'ss', []),
      await given.tenant(),
    ]
    expect(await refusedTo(others, 'POST', `${team.path}/restore`)).toEqual([403, 403, 403, 403])
    expect(await refusedTo([team, given.stranger()], 'POST', `${team.path}/restore`)).toEqual([401, 401])
    for (const id of [crypto.randomUUID(), 'x', team.tenantId])
      expect((await reseller.post(`/reseller/managed-teams/${id}/restore`)).status).toBe(404)
    expect(await storedTeam(team)).toEqual(before)
  })
})

describe('GET /reseller/managed-teams/trashed', () => {
  test('lists what can be restored, the latest first, by pages', async () => {
    const reseller = await given.reseller({ scopes: ['teams:manage'] })
    const teams = [
      await given.team(reseller),
      await given.team(reseller),
      await given.team(reseller),
      await given.team(reseller),
    ]
    await remove(reseller, teams[0]!, 29)
    await remove(reseller, teams[1]!)
    await remove(reseller, teams[2]!, 30)
    const { status, body } = await reseller.get('/reseller/managed-teams/trashed')
    expect(status).toBe(200)
    expect(body.data.map((team: { id: string }) => team.id)).toEqual([teams[1]!.id, teams[0]!.id])
    expect(body.data[0]).toMatchObject({ days_until_purge: 30, deleted_at: expect.any(String) })
    expect(body.data[1].days_until_purge).toBe(1)
    expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 2 })
    const second = (await reseller.get('/reseller/managed-teams/trashed?per_page=1&page=2')).body
    expect(second.data.map((team: { id: string }) => team.id)).toEqual([teams[0]!.id])
    expect((await reseller.get('/reseller/managed-teams')).body.data.map((team: { id: string }) => team.id)).toEqual([
      teams[3]!.id,
    ])
  })

  test('is each reseller’s own', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller({ scopes: ['teams:read'] })]
    await remove(reseller, await given.team(reseller))
    expect((await rival.get('/reseller/managed-teams/trashed')).body.data).toEqual([])
    for (const caller of [await given.token(reseller, 'rk', ['teams:write']), await given.token(reseller, 'ss', [])])
      expect((await caller.get('/reseller/managed-teams/trashed')).status).toBe(403)
  })

  test.each(['page=0', 'per_page=0', 'per_page=251', 'page=x'])('refuses %s', async query => {
    expect((await (await given.reseller()).get(`/reseller/managed-teams/trashed?${query}`)).status).toBe(422)
  })
})

test('a team that is restored and purged at the same moment is either whole or gone', async () => {
  const reseller = await given.reseller()
  const outcomes = new Set<string>()
  for (let round = 0; round < 40; round++) {
    const team = await given.team(reseller)
    const { id: monitor } = await aMonitor(team)
    await remove(await given.token(reseller, 'rk', ['teams:manage']), team)
    const { rows } = await platform.query<{ deleted_at: Date }>('select deleted_at from managed_teams where id = $1', [
      team.id,
    ])
    const deletedAt = rows[0]!.deleted_at
    const calendar = { now: async () => new Date(deletedAt.getTime() + 30 * 86_400_000), dayMs: 86_400_000 }
    const restorer = await given.token(reseller, 'rk', ['teams:manage'])
    const purge = async () => {
      await sleep(round % 10)
      return purgeTeam(platform, team.id, deletedAt, calendar)
    }
    const [restored, purged] = await Promise.all([restorer.post(`${team.path}/restore`), purge()])
    outcomes.add(`${restored.status} ${String(purged)}`)
    const tables = [
      'tenants where id',
      'managed_teams where tenant_id',
      'monitors where tenant_id',
      'memberships where tenant_id',
      'tenant_counts where tenant_id',
    ]
    const left: (number | null)[] = []
    for (const table of tables)
      left.push((await platform.query(`select 1 from ${table} = $1`, [team.tenantId])).rowCount)
    if (restored.status === 200) {
      expect([purged, ...left]).toEqual(['kept', 1, 1, 1, 1, 1])
      expect((await team.get(`/monitors/${monitor}`)).status).toBe(200)
    } else expect([restored.status, purged, ...left]).toEqual([404, 'purged', 0, 0, 0, 0, 0])
  }
  expect([...outcomes].every(outcome => outcome === '200 kept' || outcome === '404 purged')).toBe(true)
}, 120_000)
