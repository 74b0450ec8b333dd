import { describe, expect, test } from 'vitest'
import { mostDomains } from '#control-plane/publishing/custom-domains/create.ts'
import { app, given } from '#test/support/app.ts'
import { aDomain, aHostname, aPage } from './domains.ts'

const path = '/custom-domains'

describe('custom domains', () => {
  test('are added, listed, changed and deleted, each with its audit entry', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const created = await team.post(path, { hostname: `STATUS.${aHostname()}.`, target_id: page })
    expect(created.status).toBe(201)
    const { id, hostname, dns } = created.body.data
    expect(hostname).toMatch(/^status\.status-[\w-]+\.example\.com$/)
    expect(created.body.data).toMatchObject({ state: 'pending_dns', target_id: page, purpose: 'status_page' })
    expect(dns).toEqual({
      cname: 'localhost',
      txt_name: `_verify.${hostname}`,
      txt_value: expect.stringMatching(/^verify=[\w-]{43}$/),
    })
    expect((await team.get(`${path}/${id}`)).body.data).toEqual(created.body.data)
    expect((await team.get(path)).body.data).toEqual([created.body.data])
    expect((await team.get(`${path}?state=active,failed`)).body.data).toEqual([])

    const off = await team.patch(`${path}/${id}`, { is_enabled: false, target_id: null })
    expect(off.body.data).toMatchObject({ state: 'disabled', target_id: null, next_check_at: null })
    const on = await team.patch(`${path}/${id}`, { is_enabled: true })
    expect(on.body.data).toMatchObject({ state: 'pending_dns' })
    expect(on.body.data.next_check_at).not.toBeNull()
    expect((await team.patch(`${path}/${id}`, {})).status).toBe(200)
    expect((await team.delete(`${path}/${id}`)).status).toBe(204)
    expect((await team.get(`${path}/${id}`)).status).toBe(404)
    expect(await app.audited(team)).toEqual([
      'custom_domain.created',
      'custom_domain.updated',
      'custom_domain.updated',
      'custom_domain.deleted',
    ])
  })

  test('are not checked while they are disabled', async () => {
    const team = await given.tenant()
    const { id } = await aDomain(team)
    await team.patch(`${path}/${id}`, { is_enabled: false })
    const refused = await team.post(`${path}/${id}/verify`)
    expect(refused.status).toBe(422)
    expect(refused.body.code).toBe('domain_disabled')
  })

  test('are checked on demand; a hostname that does not exist stays pending', async () => {
    const team = await given.tenant()
    const { id } = await aDomain(team)
    const checked = await team.post(`${path}/${id}/verify`)
    expect(checked.status).toBe(200)
    expect(checked.body.data.state).toBe('pending_dns')
    expect(['txt_missing', 'dns_unanswered']).toContain(checked.body.data.last_error)
    expect(checked.body.data.last_checked_at).not.toBeNull()
  })

  test.each([
    [{ hostname: 'co.uk' }, 'hostname'],
    [{ hostname: 'localhost' }, 'hostname'],
    [{ hostname: 'status.example.com:443' }, 'hostname'],
    [{ hostname: '' }, 'hostname'],
    [{}, 'hostname'],
    [{ hostname: 7 }, 'hostname'],
    [{ hostname: 'a.example.com', purpose: 'shop' }, 'purpose'],
    [{ hostname: 'a.example.com', target_id: 'x' }, 'target_id'],
    [{ hostname: 'a.example.com', target_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }, 'target_id'],
  ])('refuse %j', async (body, field) => {
    const team = await given.tenant()
    const refused = await team.post(path, body)
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual([field])
  })

  test('are never served with a page of another team', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const page = await aPage(other)
    const { id } = await aDomain(team)
    expect((await team.post(path, { hostname: aHostname(), target_id: page })).status).toBe(422)
    expect((await team.patch(`${path}/${id}`, { target_id: page })).status).toBe(422)
    expect((await other.get(`${path}/${id}`)).status).toBe(404)
    expect((await other.patch(`${path}/${id}`, { is_enabled: false })).status).toBe(404)
    expect((await other.post(`${path}/${id}/verify`)).status).toBe(404)
    expect((await other.delete(`${path}/${id}`)).status).toBe(404)
  })

  test('of two teams may have one hostname, those of one team not', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const { hostname } = await aDomain(team)
    const again = await team.post(path, { hostname })
    expect(again.status).toBe(422)
    expect(again.body.code).toBe('in_use')
    const theirs = await aDomain(other, { hostname })
    expect(theirs.state).toBe('pending_dns')
  })

  test('lose a page that is deleted, and stay', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const { id } = await aDomain(team, { target_id: page })
    await app.services.platform.query('delete from status_pages where id = $1', [page])
    expect((await team.get(`${path}/${id}`)).body.data.target_id).toBeNull()
  })

  test('are limited in number', async () => {
    const team = await given.tenant()
    await app.services.platform.query(
      `insert into custom_domains (id, tenant_id, hostname, txt_token)
       select gen_random_uuid(), $1, gen_random_uuid() || '.example.com', 'token' from generate_series(2, $2)`,
      [team.tenantId, mostDomains],
    )
    const answers = await Promise.all([1, 2, 3].map(() => team.post(path, { hostname: aHostname() })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  })

  test('need a plan that includes them, and may be deleted without it', async () => {
    const team = await given.tenant({ plan: 'hobby' })
    const refused = await team.post(path, { hostname: aHostname() })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ code: 'not_in_plan', quota: 'custom_domains' })
    const rich = await given.tenant()
    const { id } = await aDomain(rich)
    await app.services.platform.query(`update tenants set plan = 'free' where id = $1`, [rich.tenantId])
    expect((await rich.patch(`${path}/${id}`, { target_id: null })).status).toBe(403)
    expect((await rich.post(`${path}/${id}/verify`)).status).toBe(403)
    expect((await rich.delete(`${path}/${id}`)).status).toBe(204)
  })

  test('of a managed team are its reseller’s to change, with the scope of the portal', async () => {
    const reseller = await given.reseller({ scopes: ['portal:manage'] })
    const team = await given.team(reseller)
    const created = await reseller.post(`${team.path}${path}`, { hostname: aHostname() })
    expect(created.status).toBe(201)
    const { id } = created.body.data
    expect((await team.get(`${path}/${id}`)).body.data).toEqual(created.body.data)
    expect((await reseller.patch(`${team.path}${path}/${id}`, { is_enabled: false })).body.data.state).toBe('disabled')
    expect((await reseller.delete(`${team.path}${path}/${id}`)).status).toBe(204)
    const without = await given.token(reseller, 'rk', ['status-pages:manage'])
    expect((await without.get(`${team.path}${path}`)).status).toBe(403)
  })
})
