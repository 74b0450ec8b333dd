import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import type { ControlPlane } from '#cli/serve/serve.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { aDomain } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { ProviderBrowser, RealProvider } from './real-provider.ts'
import { aTeamWithProvider, aVerifiedDomain, openPlane, setProvider, Tab } from './scene.ts'

const { platform } = app.services
let plane: ControlPlane
let provider: RealProvider

beforeAll(async () => {
  plane = await openPlane()
  provider = await RealProvider.open()
  await customHostsOf(plane.services).loaded
})
afterAll(async () => {
  await plane.close()
  await provider.close()
})

async function aPortal(tenant: CallerUnderTest): Promise<string> {
  const { id, hostname } = await aDomain(tenant, { purpose: 'portal' })
  await platform.query(`update custom_domains set state = 'active' where id = $1`, [id])
  await until(async () => portalHostsOf(plane.services).find(hostname) !== undefined, {
    withinMs: 10_000,
    everyMs: 20,
  })
  return hostname
}

const slugOf = async ({ tenantId }: CallerUnderTest): Promise<string> =>
  (await platform.query('select slug from tenants where id = $1', [tenantId])).rows[0].slug

const redirectOf = ({ location }: { location: string }) => new URL(location).searchParams.get('redirect_uri')

describe('the sign-in page of a portal', () => {
  const page = (hostname?: string, path = '/login') => new Tab(plane.baseUrl, hostname).get(path)
  const passwordField = 'name="password"'

  test('leads to the provider of its team, beside the password', async () => {
    const { team } = await aTeamWithProvider()
    const { text } = await page(await aPortal(team))
    expect(text).toContain(`href="/sso/login?team=${await slugOf(team)}"`)
    expect(text).toContain(passwordField)
  })

  test('has no password where the team is entered at its provider alone, but on request', async () => {
    const { team } = await aTeamWithProvider({ is_enforced: true, break_glass_user_id: null })
    const hostname = await aPortal(team)
    const { text } = await page(hostname)
    expect(text).toContain(`href="/sso/login?team=${await slugOf(team)}"`)
    expect(text).not.toContain(passwordField)
    expect(text).not.toContain('id="passkey"')
    expect((await page(hostname, '/login?password')).text).toContain(passwordField)
    await platform.query(`update tenants set feature_overrides = '{"sso": false}' where id = $1`, [team.tenantId])
    // custom domains are read again with the plan: the page alone says no more of the provider
    expect((await page(hostname)).text).toContain(passwordField)
  })

  test('has no password where links of the reseller sign people in', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await reseller.patch(`${team.path}/partner-sso`, { hide_password_login: true })
    const { text } = await page(await aPortal(team))
    expect(text).not.toContain(passwordField)
    expect(text).toContain('This team is entered from the pages of')
  })

  test('is the usual one for the platform and for a reseller, whatever their teams demand', async () => {
    const reseller = await given.reseller()
    await aTeamWithProvider({ is_enforced: true })
    for (const hostname of [undefined, await aPortal(reseller)]) {
      const { text } = await page(hostname)
      expect(text).toContain(passwordField)
      expect(text).toContain('href="/sso"')
    }
  })
})

describe('the provider of a team', () => {
  test('sends people back to the portal where they began', async () => {
    const team = await given.tenant()
    const hostname = await aPortal(team)
    const domain = await aVerifiedDomain(team)
    await setProvider(team, provider.addClient(`http://${hostname}/sso/callback`))
    const person = provider.addAccount({ email: `pat@${domain}` })
    const tab = new Tab(plane.baseUrl, hostname)
    const begun = await tab.get(`/sso/login?team=${await slugOf(team)}`)
    expect(redirectOf(begun)).toBe(`http://${hostname}/sso/callback`)
    const back = await new ProviderBrowser().signIn(begun.location, person)
    expect(back.host).toBe(hostname)
    expect(await tab.get(back.pathname + back.search)).toMatchObject({ status: 303, location: '/app' })
    expect(JSON.parse((await tab.get('/api/v1/user')).text)).toMatchObject({ email: person.email })
    const { data } = (await team.get('/sso/config')).body
    expect(data).toMatchObject({
      redirect_uri: `http://${hostname}/sso/callback`,
      post_logout_redirect_uri: `http://${hostname}/sso/signed-out`,
    })
  })

  test('sends people back to the portal of the reseller, and of no one else', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await aVerifiedDomain(team)
    const client = provider.addClient(`${plane.services.config.baseUrl}/sso/callback`)
    await setProvider(team, client)
    const path = `/sso/login?team=${await slugOf(team)}`
    const redirectAt = async (hostname: string) => redirectOf(await new Tab(plane.baseUrl, hostname).get(path))
    const [own, foreign] = [await aPortal(reseller), await aPortal(await given.reseller())]
    expect(await redirectAt(own)).toBe(`http://${own}/sso/callback`)
    expect(await redirectAt(foreign)).toBe(`${plane.services.config.baseUrl}/sso/callback`)
    expect((await new Tab(plane.baseUrl, 'evil.example.com').get(path)).status).toBe(421)
  })
})
