import { describe, expect, test } from 'vitest'
import { given } from '#test/support/app.ts'

const shop = { name: 'Shop', url: 'https://shop.example.com/' }
const unknown = '7b4f1a52-5d0e-4a3d-9c55-f1b0a1a0c001'

describe('monitors of a managed team for its reseller', () => {
  test('a reseller works in its own team', async () => {
    const reseller = await given.reseller({ scopes: ['monitors:manage'] })
    const team = await given.team(reseller)
    const { status, body } = await reseller.post(`${team.path}/monitors`, shop)
    expect(status).toBe(201)
    const path = `/monitors/${body.data.id}`
    expect((await team.get(path)).body.data.name).toBe('Shop')
    expect((await reseller.patch(team.path + path, { name: 'Store' })).body.data.name).toBe('Store')
    expect((await reseller.post(`${team.path}${path}/disable`)).body.data.status).toBe('paused')
    expect((await reseller.get(`${team.path}/monitors`)).body.meta.total).toBe(1)
    expect((await reseller.get(`${team.path}/tags`)).body.data).toEqual([])
    expect((await reseller.get('/monitors', { headers: { 'X-Tenant-Id': team.tenantId } })).body.data[0].id).toBe(
      body.data.id,
    )
    expect((await reseller.delete(team.path + path)).status).toBe(204)
  })

  test('not in another reseller’s team, nor with less than the scope', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    const { id } = (await team.post('/monitors', shop)).body.data
    for (const [method, path, body] of [
      ['GET', '/monitors'],
      ['POST', '/monitors', shop],
      ['GET', `/monitors/${id}`],
      ['PATCH', `/monitors/${id}`, { name: 'Mine' }],
      ['DELETE', `/monitors/${id}`],
      ['POST', '/monitors/bulk', { monitors: [shop] }],
    ] as const)
      expect((await rival.call(method, team.path + path, body)).status, `${method} ${path}`).toBe(403)
    const reader = new (reseller.constructor as typeof import('#test/support/app.ts').CallerUnderTest)(
      reseller.tenantId,
      null,
      (await given.token(reseller, 'rk', ['monitors:read'])).token,
    )
    expect((await reader.get(`${team.path}/monitors/${id}`)).status).toBe(200)
    expect((await reader.patch(`${team.path}/monitors/${id}`, { name: 'Mine' })).status).toBe(403)
    expect((await team.get(`${team.path}/monitors/${id}`)).status).toBe(403)
    expect((await team.get(`/monitors/${id}`)).body.data.name).toBe('Shop')
  })

  test('a monitor of another team gets the same 404 as an unknown one', async () => {
    const reseller = await given.reseller()
    const [team, sister] = [await given.team(reseller), await given.team(reseller)]
    const { id } = (await sister.post('/monitors', shop)).body.data
    for (const [method, suffix, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/enable'],
      ['POST', '/disable'],
      ['GET', '/checks'],
      ['POST', '/checks', { type: 'ssl' }],
    ] as const) {
      const foreign = await reseller.call(method, `${team.path}/monitors/${id}${suffix}`, body)
      const absent = await reseller.call(method, `${team.path}/monitors/${unknown}${suffix}`, body)
      expect(foreign.status, `${method} ${suffix}`).toBe(404)
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' })
    }
    const { body } = await reseller.patch(`${team.path}/monitors/bulk`, { monitors: [{ id, name: 'Mine' }] })
    expect(body.errors).toEqual({ 'monitors.0.id': ['Monitor not found.'] })
    expect((await sister.get(`/monitors/${id}`)).body.data).toMatchObject({ name: 'Shop', is_enabled: true })
  })

  test('an id that is not a UUID is not found', async () => {
    const team = await given.tenant()
    for (const id of ['1', 'abc', '%00', "'; drop table monitors", '../agents'])
      expect((await team.get(`/monitors/${encodeURIComponent(id)}`)).status).toBe(404)
  })
})
