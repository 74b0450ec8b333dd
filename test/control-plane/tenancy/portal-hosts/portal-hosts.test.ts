import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { originOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { aDomain, aPage } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const config = { baseUrl: 'https://vedette.example.net' }
const hosts = portalHostsOf(app.services)
beforeAll(() => customHostsOf(app.services).loaded)

async function aPortal(tenant: CallerUnderTest, state = 'active') {
  const domain = await aDomain(tenant, { purpose: 'portal' })
  await platform.query('update custom_domains set state = $2 where id = $1', [domain.id, state])
  return domain
}
const setState = (id: string, state: string) =>
  platform.query('update custom_domains set state = $2 where id = $1', [id, state])
const isKnown = (hostname: string, is = true) =>
  until(async () => (hosts.find(hostname) !== undefined) === is, { withinMs: 10_000, everyMs: 20 })

describe('a portal domain', () => {
  test('is found by its exact name, with its team and reseller', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const alone = await given.tenant()
    const [theirs, ours, own] = [await aPortal(team), await aPortal(reseller), await aPortal(alone, 'verified')]
    for (const { hostname } of [theirs, ours, own]) expect(await isKnown(hostname)).toBe(true)
    expect(hosts.find(`${theirs.hostname.toUpperCase()}.:8443`)).toEqual({
      tenantId: team.tenantId,
      resellerId: reseller.tenantId,
      hostname: theirs.hostname,
    })
    expect(hosts.find(`${ours.hostname}.`)).toMatchObject({
      tenantId: reseller.tenantId,
      resellerId: reseller.tenantId,
    })
    expect(hosts.find(own.hostname)).toMatchObject({ tenantId: alone.tenantId, resellerId: null })
    for (const forged of [
      `x.${own.hostname}`,
      `evil.com:x@${own.hostname}`,
      `${own.hostname}/`,
      `${own.hostname}\u0000`,
    ])
      expect(hosts.find(forged), forged).toBeUndefined()
  })

  test('is no domain of a status page, has no target, and a page’s domain is no portal', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const refused = await team.post('/custom-domains', {
      hostname: 'portal.example.com',
      purpose: 'portal',
      target_id: page,
    })
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual(['target_id'])
    const portal = await aPortal(team)
    expect(portal).toMatchObject({ purpose: 'portal', target_id: null })
    expect((await team.patch(`/custom-domains/${portal.id}`, { target_id: page })).status).toBe(422)
    const domain = await aDomain(team, { target_id: page })
    await setState(domain.id, 'active')
    expect(await isKnown(portal.hostname)).toBe(true)
    expect(hosts.find(domain.hostname)).toBeUndefined()
  })
})

describe('the origin of a team’s links', () => {
  test('is its own active portal domain, else its reseller’s, else the installation’s', async () => {
    const reseller = await given.reseller()
    const [team, sibling] = [await given.team(reseller), await given.team(reseller)]
    const of = (tenant: CallerUnderTest) => originOf(platform, config, tenant.tenantId)
    expect(await of(team)).toBe(config.baseUrl)
    const ours = await aPortal(reseller, 'verified')
    expect(await of(team), 'verified, but no browser has reached it').toBe(config.baseUrl)
    await setState(ours.id, 'active')
    expect(await of(team)).toBe(`https://${ours.hostname}`)
    const theirs = await aPortal(team)
    expect(await of(team)).toBe(`https://${theirs.hostname}`)
    expect(await of(sibling)).toBe(`https://${ours.hostname}`)
    expect(await of(reseller)).toBe(`https://${ours.hostname}`)
    await setState(theirs.id, 'failed')
    expect(await of(team)).toBe(`https://${ours.hostname}`)
    await setState(ours.id, 'disabled')
    expect(await of(team)).toBe(config.baseUrl)
  })

  test('has the scheme and port of the installation, and needs a plan with custom domains', async () => {
    const team = await given.tenant()
    const { hostname } = await aPortal(team)
    const local = { baseUrl: 'http://localhost:8080' }
    expect(await originOf(platform, local, team.tenantId)).toBe(`http://${hostname}:8080`)
    await platform.query(`update tenants set plan = 'free' where id = $1`, [team.tenantId])
    expect(await originOf(platform, local, team.tenantId)).toBe(local.baseUrl)
  })

  test('is never a portal of another team, nor that of a former reseller', async () => {
    const [reseller, other] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    await aPortal(other)
    await aPortal(await given.team(reseller))
    expect(await originOf(platform, config, team.tenantId)).toBe(config.baseUrl)
    const ours = await aPortal(reseller)
    expect(await originOf(platform, config, team.tenantId)).toBe(`https://${ours.hostname}`)
    await platform.query('delete from managed_teams where tenant_id = $1', [team.tenantId])
    expect(await originOf(platform, config, team.tenantId)).toBe(config.baseUrl)
  })
})
