import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startControlPlane } from '#cli/serve/serve.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const shop = { name: 'Shop', url: 'https://shop.example.com/' }
const inTenant = (id: string) => ({ headers: { 'X-Tenant-Id': id } })

async function aWorld() {
  const [reseller, rival] = [await given.reseller(), await given.reseller()]
  const [team, sister, foreign] = [await given.team(reseller), await given.team(reseller), await given.team(rival)]
  for (const each of [team, sister, foreign]) await each.post('/monitors', { ...shop, name: each.id })
  return { reseller, rival, team, sister, foreign, person: await given.colleague(reseller, 'owner') }
}
const namesSeen = async (caller: CallerUnderTest, header: string) =>
  (await caller.get('/monitors', inTenant(header))).body.data.map((monitor: { name: string }) => monitor.name)

describe('X-Tenant-Id', () => {
  test('a reseller’s token and users act in the teams it manages, in their own name', async () => {
    const { reseller, person, team, sister } = await aWorld()
    for (const caller of [reseller, person]) {
      expect(await namesSeen(caller, team.tenantId)).toEqual([team.id])
      expect(await namesSeen(caller, sister.tenantId.toUpperCase())).toEqual([sister.id])
      expect((await caller.get('/monitors')).body.data).toEqual([])
      const made = await caller.post('/monitors', { ...shop, name: 'By header' }, inTenant(team.tenantId))
      expect(made.status).toBe(201)
      expect((await team.get(`/monitors/${made.body.data.id}`)).status).toBe(200)
      const { rows } = await platform.query('select tenant_id, user_id from audit_entries where entity_id = $1', [
        made.body.data.id,
      ])
      expect(rows).toEqual([{ tenant_id: team.tenantId, user_id: caller.userId }])
      expect((await team.delete(`/monitors/${made.body.data.id}`)).status).toBe(204)
    }
  })

  test('an operator acts in any tenant', async () => {
    const { team, foreign } = await aWorld()
    const operator = await given.operator()
    for (const each of [team, foreign]) expect(await namesSeen(operator, each.tenantId)).toEqual([each.id])
    expect((await operator.get('/monitors', inTenant(randomUUID()))).status).toBe(403)
    expect((await operator.get('/monitors', inTenant('x'))).status).toBe(400)
  })

  test('an unknown, foreign, deleted, detached or own tenant is the same 403', async () => {
    const { reseller, person, foreign } = await aWorld()
    const independent = await given.tenant()
    const [deleted, gone] = [await given.team(reseller), await given.team(reseller)]
    await platform.query('update managed_teams set deleted_at = now() where id = $1', [deleted.id])
    await platform.query('delete from managed_teams where id = $1', [gone.id])
    const strange = [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '11111111-1111-1111-1111-111111111111',
      randomUUID(),
    ]
    const bytes = new Set<string>()
    for (const caller of [reseller, person])
      for (const id of [
        foreign.tenantId,
        foreign.id,
        independent.tenantId,
        deleted.tenantId,
        gone.tenantId,
        reseller.tenantId,
        ...strange,
      ])
        for (const [method, body] of [['GET'], ['POST', shop]] as const) {
          const answer = await caller.call(method, '/monitors', body, inTenant(id))
          expect(answer.status, id).toBe(403)
          bytes.add(JSON.stringify({ ...answer.body, request_id: '' }))
        }
    expect([...bytes]).toEqual([
      JSON.stringify({ message: 'You do not manage this tenant.', code: 'tenant_not_managed', request_id: '' }),
    ])
  })

  test('a value that is no UUID is 400, before any other check', async () => {
    const { reseller, person, team } = await aWorld()
    const id = team.tenantId
    for (const caller of [reseller, person, await given.operator()])
      for (const bad of [
        '',
        ' ',
        'not-a-uuid',
        `${id}0`,
        id.slice(1),
        `{${id}}`,
        `urn:uuid:${id}`,
        id.replaceAll('-', ''),
        `${id},${id}`,
        `${id}, ${id}`,
        `"${id}"`,
        `'${id}' or 1=1`,
      ])
        expect((await caller.get('/monitors', inTenant(bad))).status, bad).toBe(400)
    expect(await twice(reseller, id, id)).toBe(400)
    expect(await twice(reseller, id, randomUUID())).toBe(400)
    expect(await twice(team, id, id)).toBe(200)
  })

  test('the header of any other caller is ignored', async () => {
    const { reseller, team, sister, foreign } = await aWorld()
    const others = [
      team,
      await given.colleague(team, 'admin'),
      await given.colleague(team, 'member'),
      await given.colleague(team, 'viewer'),
      await given.token(team, 'sk', ['monitors:read']),
      await given.token(team, 'svc', ['monitors:read']),
      await given.impersonation(reseller, team),
    ]
    for (const caller of others)
      for (const header of [sister.tenantId, foreign.tenantId, reseller.tenantId, randomUUID(), 'garbage', '', '{}'])
        expect(await namesSeen(caller, header)).toEqual([team.id])
    const key = await given.token(reseller, 'svc', ['monitors:read'])
    expect(await namesSeen(key, team.tenantId)).toEqual([])
  })

  test('no other header, no query and no body names a tenant', async () => {
    const { reseller, team, sister } = await aWorld()
    const forged = {
      tenantid: sister.tenantId,
      'tenant-id': sister.tenantId,
      projectid: sister.tenantId,
      'is-multi-tenant-query': 'true',
      'X-Tenant': sister.tenantId,
    }
    const query = `?tenant_id=${sister.tenantId}&tenant=${sister.tenantId}&X-Tenant-Id=${sister.tenantId}`
    const names = async (caller: CallerUnderTest, headers: Record<string, string>) =>
      (await caller.get(`/monitors${query}`, { headers: { ...forged, ...headers } })).body.data.map(
        (monitor: { name: string }) => monitor.name,
      )
    expect(await names(team, {})).toEqual([team.id])
    expect(await names(reseller, {})).toEqual([])
    expect(await names(reseller, { 'x-TENANT-id': team.tenantId })).toEqual([team.id])
    const made = await team.post(
      `/monitors${query}`,
      { ...shop, name: 'Here', tenant_id: sister.tenantId, tenantId: sister.tenantId, tenant: sister.tenantId },
      { headers: forged },
    )
    expect(made.status).toBe(201)
    expect((await sister.get('/monitors')).body.meta.total).toBe(1)
    expect((await team.get(`/monitors/${made.body.data.id}`)).body.data.name).toBe('Here')
  })

  test('does not widen what the caller may do', async () => {
    const { reseller, team } = await aWorld()
    const viewer = await given.colleague(reseller, 'viewer')
    expect((await viewer.get('/monitors', inTenant(team.tenantId))).status).toBe(200)
    expect((await viewer.post('/monitors', shop, inTenant(team.tenantId))).status).toBe(403)
    const reader = await given.token(reseller, 'rk', ['monitors:read'])
    expect((await reader.get('/monitors', inTenant(team.tenantId))).status).toBe(200)
    expect((await reader.post('/monitors', shop, inTenant(team.tenantId))).status).toBe(403)
    expect((await reader.get('/incidents', inTenant(team.tenantId))).status).toBe(403)
  })

  test('has a rate of its own, counted by token whichever tenant it names', async () => {
    const { reseller, team, sister } = await aWorld()
    const other = await given.token(reseller, 'rk', ['monitors:read'])
    const left = async (caller: CallerUnderTest, id?: string) => {
      const { headers } = await caller.get('/monitors', id === undefined ? {} : inTenant(id))
      return [Number(headers.get('x-ratelimit-limit')), Number(headers.get('x-ratelimit-remaining'))]
    }
    expect(await left(reseller, team.tenantId)).toEqual([600, 599])
    expect(await left(reseller, sister.tenantId)).toEqual([600, 598])
    expect(await left(reseller, randomUUID())).toEqual([600, 597])
    expect(await left(other, team.tenantId)).toEqual([600, 599])
    expect((await left(reseller))[0]).toBe(300)
    expect((await left(team, sister.tenantId))[0]).toBe(300)
  })
})

test('every process reads on every request who manages a team', { timeout: 120_000 }, async () => {
  const { reseller, team } = await aWorld()
  const config = { ...app.services.config, port: 0, metricsPort: 0 }
  const second = await startControlPlane(config, ['api'])
  try {
    const rounds = 100
    const tokens = await Promise.all(
      Array.from({ length: 4 }, () => given.token(reseller, 'rk', ['monitors:read', 'teams:write'])),
    )
    const ask = async (baseUrl: string, round: number) => {
      const { token } = tokens[round % tokens.length]!
      const answers = await Promise.all(
        ['/monitors', `/reseller/managed-teams/${team.id}/monitors`].map(path =>
          fetch(`${baseUrl}/api/v1${path}`, {
            headers: { Authorization: `Bearer ${token}`, 'X-Tenant-Id': team.tenantId },
          }),
        ),
      )
      return answers.map(({ status }) => status)
    }
    const stale: unknown[] = []
    for (let round = 0; round < rounds; round++) {
      const isDeleted = round % 2 === 0
      await platform.query(`update managed_teams set deleted_at = ${isDeleted ? 'now()' : 'null'} where id = $1`, [
        team.id,
      ])
      const [first, other] = round % 4 < 2 ? [app.baseUrl, second.baseUrl] : [second.baseUrl, app.baseUrl]
      for (const baseUrl of [first, other]) {
        const seen = await ask(baseUrl, round)
        if (String(seen) !== String(isDeleted ? [403, 404] : [200, 200])) stale.push([round, seen])
      }
    }
    expect(stale).toEqual([])
  } finally {
    await second.close()
  }
})

/** One request with the header on two lines of its own. */
function twice(caller: CallerUnderTest, one: string, two: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${app.baseUrl}/api/v1/monitors`,
      { headers: { Authorization: `Bearer ${caller.token}`, 'X-Tenant-Id': [one, two] } },
      response => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    call.on('error', reject).end()
  })
}
