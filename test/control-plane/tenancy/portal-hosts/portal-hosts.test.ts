import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { attempt } from '#control-plane/alerting/deliveries/attempt.ts'
import { composeMessage } from '#control-plane/alerting/dispatch/message.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { keptOriginOf, originOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
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

/** Every answer with an address that people copy, by what it is of. */
async function addressesGiven(caller: CallerUnderTest): Promise<[string, string][]> {
  const given: [string, string][] = []
  const keep = async (what: string, answering: ReturnType<CallerUnderTest['get']>) => {
    const { status, text, body } = await answering
    expect([what, status], text).toEqual([what, expect.toSatisfy((code: number) => code < 300)])
    // the pages of a list are where it was asked
    given.push([what, JSON.stringify({ ...body, links: null })])
    return body.data
  }
  const beat = { name: 'Backup', schedule_kind: 'simple', period_minutes: 60, grace_minutes: 5 }
  const { id: heartbeat } = await keep('a heartbeat', caller.post('/cron-monitors', beat))
  await keep('heartbeats', caller.get('/cron-monitors'))
  await keep('its snippets', caller.get(`/cron-monitors/${heartbeat}/snippets`))
  await keep('its new address', caller.post(`/cron-monitors/${heartbeat}/rotate-url`))
  const { id: server } = await keep('a server', caller.post('/agent-monitors', { name: 'db1' }))
  await keep('its new token', caller.post(`/agent-monitors/${server}/rotate-token`))
  const shop = { name: 'Shop', url: 'https://shop.example.com/' }
  const monitor = (await caller.post('/monitors', shop)).body.data.id
  await keep('web vitals', caller.post(`/monitors/${monitor}/web-vitals`))
  await keep('their figures', caller.get(`/monitors/${monitor}/web-vitals`))
  const slug = `p-${crypto.randomUUID()}`
  const { id: page } = await keep('a status page', caller.post('/status-pages', { name: 'Shop', slug }))
  await keep('status pages', caller.get('/status-pages'))
  await keep('one of them', caller.get(`/status-pages/${page}`))
  await keep('it, changed', caller.patch(`/status-pages/${page}`, { name: 'Shop status' }))
  await keep('windows, as a calendar', caller.post('/maintenance-windows/calendar'))
  await keep('shifts, as a calendar', caller.post('/on-call-schedules/calendar'))
  await keep('an invitation', caller.post('/invitations', { email: `${crypto.randomUUID()}@example.com` }))
  await keep('a directory', caller.post('/scim-tokens', { name: 'Okta' }))
  return given
}

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
  test('is its own verified portal domain, else its reseller’s, else the installation’s', async () => {
    const reseller = await given.reseller()
    const [team, sibling] = [await given.team(reseller), await given.team(reseller)]
    const of = (tenant: CallerUnderTest) => originOf(platform, config, tenant.tenantId)
    expect(await of(team)).toBe(config.baseUrl)
    const ours = await aPortal(reseller, 'pending_dns')
    expect(await of(team)).toBe(config.baseUrl)
    for (const state of ['verified', 'issuing', 'active'] as const) {
      await setState(ours.id, state)
      expect(await of(team), state).toBe(`https://${ours.hostname}`)
    }
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

describe('under the domain of a portal', () => {
  const ask = async (hostname: string, path: string) => {
    const { statusCode, body } = await request(app.baseUrl + path, { headers: { Host: hostname } })
    return { status: statusCode, text: await body.text() }
  }
  const slugOf = async (id: string) =>
    (await platform.query<{ slug: string }>('select slug from status_pages where id = $1', [id])).rows[0]!.slug

  test('the status pages of its team are served, those of the teams of its reseller, and no others', async () => {
    const reseller = await given.reseller()
    const [team, sibling, stranger] = [await given.team(reseller), await given.team(reseller), await given.tenant()]
    const pages = await Promise.all(
      [team, sibling, stranger].map(async owner => `/status/${await slugOf(await aPage(owner))}`),
    )
    const [theirs, ours] = [await aPortal(team), await aPortal(reseller)]
    for (const { hostname } of [theirs, ours]) expect(await isKnown(hostname)).toBe(true)
    const statuses = async (hostname: string) =>
      Promise.all(pages.map(async page => (await ask(hostname, page)).status))
    expect(await statuses(theirs.hostname)).toEqual([200, 404, 404])
    expect(await statuses(ours.hostname)).toEqual([200, 200, 404])
    expect((await ask(theirs.hostname, `${pages[0]}/badge.svg`)).text).toContain('<svg')
    expect((await ask('portal.unknown.example', pages[0]!)).status).toBe(404)
  })

  test('badges of monitors are served', async () => {
    const team = await given.tenant()
    const { hostname } = await aPortal(team)
    expect(await isKnown(hostname)).toBe(true)
    const monitor = await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
    const { status, text } = await ask(hostname, `/api/badges/${monitor.body.data.id}`)
    expect([status, text.includes('<svg')]).toEqual([200, true])
  })

  test('every address that an answer gives begins, and without a portal at the installation', async () => {
    const [team, without] = [await given.tenant(), await given.tenant()]
    const { hostname } = await aPortal(team)
    const portal = new URL(app.services.config.baseUrl)
    portal.hostname = hostname
    for (const [caller, origin, other] of [
      [team, portal.origin, app.services.config.baseUrl],
      [without, app.services.config.baseUrl, portal.origin],
    ] as const)
      for (const [what, text] of await addressesGiven(caller)) {
        expect(text, what).toContain(origin)
        expect(text, what).not.toContain(other)
      }
  })

  test('the pages of a list are at the host that was asked, if it is a portal', async () => {
    const team = await given.tenant()
    const { hostname } = await aPortal(team)
    expect(await isKnown(hostname)).toBe(true)
    const firstAt = async (host: string) => {
      const headers = { Host: host, Authorization: `Bearer ${team.token}` }
      const { body } = await request(`${app.baseUrl}/api/v1/monitors`, { headers })
      const { links } = (await body.json()) as { links: { first: string } }
      return new URL(links.first).hostname
    }
    expect(await firstAt(hostname)).toBe(hostname)
    expect(await firstAt('portal.unknown.example')).toBe(new URL(app.services.config.baseUrl).hostname)
  })

  test('the links of messages to channels begin', async () => {
    const [team, without] = [await given.tenant(), await given.tenant()]
    const { hostname } = await aPortal(team)
    expect(await keptOriginOf({ platform, config }, team.tenantId)).toBe(`https://${hostname}`)
    expect(await keptOriginOf({ platform, config }, without.tenantId)).toBe(config.baseUrl)
    const bodies: string[] = []
    const receiver = createServer((incoming, response) => {
      let text = ''
      incoming.on('data', chunk => (text += chunk))
      incoming.on('end', () => {
        bodies.push(text)
        response.end()
      })
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    const channel = {
      id: crypto.randomUUID(),
      tenantId: team.tenantId,
      type: 'slack' as const,
      config: { webhook_url: `http://127.0.0.1:${port}/` },
      secrets: null,
    }
    const payload = {
      incident_id: crypto.randomUUID(),
      monitor_id: crypto.randomUUID(),
      monitor_name: 'Shop',
      title: 'Shop is down',
    }
    const body = composeMessage({ event: 'incident.created', at: new Date(), payload }).text
    const deps = { ...app.services, guard: new Guard(parseAllowList('127.0.0.0/8')) }
    expect(await attempt(deps, { id: crypto.randomUUID(), channel, body })).toMatchObject({ isDelivered: true })
    receiver.close()
    const portal = new URL(app.services.config.baseUrl)
    portal.hostname = hostname
    expect(bodies[0]).toContain(`${portal.origin}/app/incidents/${payload.incident_id}`)
    expect(bodies[0]).toContain(`${portal.origin}/acknowledge#`)
    expect(bodies[0]).not.toContain(app.services.config.baseUrl)
  })
})
