import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import type { ControlPlane } from '#cli/serve/serve.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'
import { ProviderBrowser, RealProvider } from '#test/control-plane/identity/sso/real-provider.ts'
import { attemptsOf, aVerifiedDomain, openPlane, setProvider, Tab } from '#test/control-plane/identity/sso/scene.ts'
import { aDomain } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { addTo, newPage } from './pages.ts'
import { aPublished } from './served.ts'

const { platform } = app.services
const { baseUrl } = app.services.config
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

/** A team with a provider, and a published page for its people. */
async function aScene(redirectUri = `${baseUrl}/sso/callback`) {
  const team = await given.tenant()
  const domain = await aVerifiedDomain(team)
  await setProvider(team, provider.addClient(redirectUri))
  const page = await aPublished(team, { name: 'Secret name', access: 'sso', locales: ['en', 'de'] })
  return { team, domain, page, person: provider.addAccount({ email: `pat@${domain}` }) }
}

const feeds = ['/feed.atom', '/feed.rss', '/maintenance.ics', '/badge.svg']

const pathOf = (url: string) => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** Goes to the provider and back until the page has taken the ticket, or said why not. */
async function enter(tab: Tab, slug: string, person: { sub: string }) {
  const begun = await tab.get(`/status/${slug}/access?sign-in`)
  expect(begun.status, begun.text).toBe(303)
  const back = await new ProviderBrowser().signIn(begun.location, person)
  const ended = await tab.get(back.pathname + back.search)
  expect(ended.status).toBe(303)
  return { begun, back, ended, answer: await tab.get(pathOf(ended.location)) }
}

const isMember = async ({ team, person }: { team: CallerUnderTest; person: { email: string } }) =>
  (await platform.query('select 1 from users where email = $1', [person.email])).rowCount !== 0 ||
  (await team.get('/members')).body.data.length > 1

const sees = async (tab: Tab, slug: string, path = '') => (await tab.get(`/status/${slug}${path}`)).status

describe('a page for people of the provider of its team', () => {
  test('is opened by a sign-in there, in all its forms and for eight hours, and makes no member', async () => {
    const scene = await aScene()
    const { page, person, team } = scene
    await addTo(team, `${page.id}/components`, { name: 'Hidden part', type: 'static', static_status: 'operational' })
    const stranger = new Tab(plane.baseUrl)
    for (const path of ['', '/history', '/subscribe', '/access', '/summary.json', '/api/v2/status.json', ...feeds]) {
      const { status, text } = await stranger.get(`/status/${page.slug}${path}`)
      expect(status, path).toBe(401)
      expect(text, path).not.toMatch(/Secret|Hidden|Vedette/)
    }
    const tab = new Tab(plane.baseUrl)
    const gate = await tab.get(`/status/${page.slug}`)
    expect(gate.text).toContain(`href="/status/${page.slug}/access?sign-in&amp;lang=en"`)
    const { answer, ended } = await enter(tab, page.slug, person)
    expect(ended.location).toMatch(new RegExp(`^${baseUrl}/status/${page.slug}/access\\?ticket=[\\w-]{43}$`))
    expect([answer.status, answer.location]).toEqual([303, `/status/${page.slug}`])
    for (const path of ['', '/summary.json', '/feed.atom', '/badge.svg'])
      expect(await sees(tab, page.slug, path), path).toBe(200)
    expect((await tab.get(`/status/${page.slug}`)).text).toContain('Secret name')
    // no session of the app, no account, no member
    expect(tab.cookies.has('vedette')).toBe(false)
    expect(await isMember(scene)).toBe(false)
    expect(await attemptsOf(team)).toMatchObject([{ outcome: 'visited' }])
    const end = Number(tab.cookies.get('vedette_status_page')?.split('.')[0]) * 1_000
    expect((end - plane.services.clock.nowMs()) / 3_600_000).toBeCloseTo(8, 1)
  })

  test('takes a ticket once, and that of no other page; a state is no ticket', async () => {
    const { page, person, team } = await aScene()
    const tab = new Tab(plane.baseUrl)
    const { ended, begun } = await enter(tab, page.slug, person)
    const again = new Tab(plane.baseUrl)
    const used = await again.get(pathOf(ended.location))
    expect(used.status).toBe(401)
    expect(used.text).toContain('was used already')
    const other = await aPublished(team, { access: 'sso' })
    const second = new Tab(plane.baseUrl)
    const begunThere = await second.get(`/status/${page.slug}/access?sign-in`)
    const back = await new ProviderBrowser().signIn(begunThere.location, person)
    const state = new URL(begunThere.location).searchParams.get('state')
    expect((await second.get(`/status/${page.slug}/access?ticket=${state}`)).status).toBe(401)
    const { location } = await second.get(back.pathname + back.search)
    const ticket = new URL(location).searchParams.get('ticket')
    expect((await second.get(`/status/${other.slug}/access?ticket=${ticket}`)).status).toBe(401)
    expect((await second.get(`/sso/callback?state=${ticket}`)).status).toBe(403)
    expect((await second.get(pathOf(location))).status).toBe(303)
    // a cookie opens its own page alone
    expect(await sees(second, other.slug)).toBe(401)
    expect(new URL(begun.location).searchParams.get('code_challenge_method')).toBe('S256')
    expect(tab.cookies.get('vedette_status_page')).not.toBe(ticket)
  })

  test('refuses an address outside of the verified domains, and one that the provider does not confirm', async () => {
    const { page, domain, team } = await aScene()
    for (const [account, sentence, outcome] of [
      [{ email: `pat@sub.${domain}` }, 'of no domain that may see this page', 'domain_unverified'],
      [{ email: `sam@${domain}`, email_verified: false }, 'does not confirm your e-mail address', 'email_unverified'],
    ] as const) {
      const tab = new Tab(plane.baseUrl)
      const { answer } = await enter(tab, page.slug, provider.addAccount(account))
      expect(answer.status).toBe(401)
      expect(answer.text).toContain(sentence)
      expect(tab.cookies.has('vedette_status_page')).toBe(false)
      expect((await attemptsOf(team))[0]).toMatchObject({ outcome })
    }
    await platform.query('update sso_domains set verified_at = null where domain = $1', [domain])
    const { answer } = await enter(new Tab(plane.baseUrl), page.slug, provider.addAccount({ email: `kim@${domain}` }))
    expect(answer.text).toContain('of no domain that may see this page')
  })

  test('shows a sentence and no one enters once single sign-on is off, also who had entered', async () => {
    const { page, person, team } = await aScene()
    const tab = new Tab(plane.baseUrl)
    const { ended } = await enter(tab, page.slug, person)
    expect(await sees(tab, page.slug)).toBe(200)
    const pending = await tab.get(`/status/${page.slug}/access?sign-in`)
    await platform.query('update sso_configs set is_enabled = false where tenant_id = $1', [team.tenantId])
    const isShut = async () => (await sees(tab, page.slug)) === 401
    expect(await until(isShut, { withinMs: 2_000, everyMs: 20 })).toBe(true)
    for (const path of [
      '',
      '/access',
      '/access?sign-in',
      pathOf(ended.location).slice(`/status/${page.slug}`.length),
    ]) {
      const { status, text } = await tab.get(`/status/${page.slug}${path}`)
      expect(status, path).toBe(401)
      expect(text, path).toContain('is switched off')
      expect(text, path).not.toMatch(/class="go"|Secret/)
    }
    expect(await sees(tab, page.slug, '/summary.json')).toBe(401)
    const back = await new ProviderBrowser().signIn(pending.location, person)
    const late = await tab.get(back.pathname + back.search)
    expect(new URL(late.location).searchParams.get('refused')).toBe('off')
    await platform.query('update sso_configs set is_enabled = true where tenant_id = $1', [team.tenantId])
    expect(await until(async () => !(await isShut()), { withinMs: 2_000, everyMs: 20 })).toBe(true)
    // the list of domains bounds who enters: people who entered by another list sign in again
    await aVerifiedDomain(team)
    expect(await until(isShut, { withinMs: 2_000, everyMs: 20 })).toBe(true)
  })

  test('leads from a domain of its own to where the provider answers, and back to that domain alone', async () => {
    const { page, person, team } = await aScene()
    const { id, hostname } = await aDomain(team, { purpose: 'status_page', target_id: page.id })
    await platform.query(`update custom_domains set state = 'active' where id = $1`, [id])
    const hosts = customHostsOf(plane.services)
    await until(async () => hosts.find(hostname) !== undefined, { withinMs: 10_000, everyMs: 20 })
    const there = new Tab(plane.baseUrl, hostname)
    expect((await there.get('/')).text).toContain('href="/access?sign-in&amp;lang=en"')
    const { location } = await there.get('/access?sign-in&lang=de')
    expect(location).toBe(`${baseUrl}/status/${page.slug}/access?sign-in=&at=${hostname}&lang=de`)
    const here = new Tab(plane.baseUrl)
    const begun = await here.get(pathOf(location))
    const back = await new ProviderBrowser().signIn(begun.location, person)
    const ended = await here.get(back.pathname + back.search)
    const url = new URL(ended.location)
    expect([url.hostname, url.pathname, url.searchParams.get('lang')]).toEqual([hostname, '/access', 'de'])
    expect(await there.get(url.pathname + url.search)).toMatchObject({ status: 303, location: '/?lang=de' })
    expect((await there.get('/')).text).toContain('Secret name')
    // a host that is not the page's is left out
    const elsewhere = await here.get(`/status/${page.slug}/access?sign-in&at=evil.example.com`)
    const backHere = await new ProviderBrowser().signIn(elsewhere.location, person)
    expect((await here.get(backHere.pathname + backHere.search)).location).toMatch(
      `${baseUrl}/status/${page.slug}/access`,
    )
  })

  test('takes subscribers who have entered, with addresses of the verified domains', async () => {
    const { page, person, domain } = await aScene()
    const tab = new Tab(plane.baseUrl)
    const subscribe = (email: string) => tab.post(`/status/${page.slug}/subscribe`, { email })
    expect((await subscribe(`pat@${domain}`)).status).toBe(401)
    await enter(tab, page.slug, person)
    expect((await tab.get(`/status/${page.slug}/subscribe`)).text).not.toContain('name="url"')
    expect((await subscribe('pat@elsewhere.example')).status).toBe(422)
    expect((await subscribe(`pat@${domain}`)).status).toBe(200)
    const byApi = await given.stranger().post(`/status/${page.slug}/subscribe`, {
      channel: 'email',
      address: `sam@${domain}`,
    })
    expect([byApi.status, byApi.body.code]).toEqual([422, 'page_private'])
  })
})

test('the access mode sso is refused without an enabled single sign-on, and what a page has may stay', async () => {
  const team = await given.tenant()
  const refused = await team.post('/status-pages', newPage({ access: 'sso' }))
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['access']])
  const { issuer } = provider
  await setProvider(team, { issuer, clientId: randomUUID(), clientSecret: 'secret' }, { is_enabled: false })
  const { id } = await aPublished(team)
  const off = await team.patch(`/status-pages/${id}`, { access: 'sso' })
  expect([off.status, Object.keys(off.body.errors)]).toEqual([422, ['access']])
  await platform.query('update sso_configs set is_enabled = true where tenant_id = $1', [team.tenantId])
  expect((await team.patch(`/status-pages/${id}`, { access: 'sso' })).body.data.access).toBe('sso')
  await platform.query('update sso_configs set is_enabled = false where tenant_id = $1', [team.tenantId])
  expect((await team.patch(`/status-pages/${id}`, { access: 'sso', name: 'Other' })).status).toBe(200)
})
