import { randomInt } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { KeyAndCert } from '#test/checks/certificates.ts'
import { attemptsOf, aVerifiedDomain, Tab } from '#test/control-plane/identity/sso/scene.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { blockedBy, mostBlockedMs } from '#test/support/loop.ts'
import { encoded, issuer, newCertificate, responseXml, signBoth, type Wish } from './test-provider.ts'

const { baseUrl } = app.services.config
const acs = `${baseUrl}/sso/saml/acs`
const metadata = `${baseUrl}/sso/saml/metadata`
const signInUrl = 'https://idp.example.com/sso'

let provider: KeyAndCert
beforeAll(async () => {
  provider = await newCertificate()
})

async function aTeam(changes: Record<string, unknown> = {}) {
  const team = await given.tenant({ overrides: { sso: true } })
  const domain = await aVerifiedDomain(team)
  const set = await team.patch('/sso/config', {
    protocol: 'saml',
    issuer,
    sign_in_url: signInUrl,
    certificates: [provider.cert],
    is_enabled: true,
    ...changes,
  })
  expect(set.status, set.text).toBe(200)
  return { team, domain, config: set.body.data }
}

const slugOf = async ({ tenantId }: CallerUnderTest): Promise<string> =>
  (await app.services.platform.query<{ slug: string }>('select slug from tenants where id = $1', [tenantId])).rows[0]!
    .slug

/** Begins a sign-in in a browser. Returns the request that it was sent to the provider with. */
async function begin(team: CallerUnderTest, tab: Tab) {
  const { status, location } = await tab.get(`/sso/login?team=${await slugOf(team)}`)
  expect(status).toBe(303)
  expect(location.startsWith(`${signInUrl}?`)).toBe(true)
  const query = new URL(location).searchParams
  const xml = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString()
  return { xml, requestId: / ID="([^"]*)"/.exec(xml)?.[1] ?? '', state: query.get('RelayState') ?? '' }
}

/** Posts an answer as the browser does from another site: without cookies. */
async function answer(state: string, xml: string) {
  const response = await fetch(`${app.baseUrl}/sso/saml/acs`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      Origin: 'https://idp.example.com',
      'Sec-Fetch-Site': 'cross-site',
      'X-Forwarded-For': `203.0.113.${randomInt(250)}`,
    },
    body: new URLSearchParams({ SAMLResponse: encoded(xml), RelayState: state }),
  })
  await response.body?.cancel()
  return { status: response.status, location: response.headers.get('location') ?? '' }
}

const stated = (requestId: string, wish: Wish) =>
  signBoth(responseXml({ requestId, recipient: acs, destination: acs, audience: metadata, ...wish }), provider)

const sessionIn = (tab: Tab) => [...tab.cookies.keys()].some(name => /vedette$/.test(name))

describe('signing in at a SAML provider', () => {
  test('opens a session of a new member in the browser that began, with name and role of the provider', async () => {
    const { team, domain, config } = await aTeam({ groups_claim: 'groups', role_map: { Admins: 'admin' } })
    expect(config).toMatchObject({ protocol: 'saml', client_id: metadata, client_secret: null, redirect_uri: acs })
    const tab = new Tab(app.baseUrl)
    const { xml, requestId, state } = await begin(team, tab)
    expect(xml).toContain(`AssertionConsumerServiceURL="${acs}"`)
    const attributes = { displayName: ['Pat Person'], groups: ['Users', 'Admins'] }
    const signed = stated(requestId, { nameId: `Pat@${domain}`, attributes })
    const { status, location } = await answer(state, signed)
    expect(status).toBe(303)
    const ended = await tab.get(location)
    expect([ended.status, ended.location]).toEqual([303, '/app'])
    expect(sessionIn(tab)).toBe(true)
    const members = (await team.get('/members?search=pat@')).body.data
    expect(members).toMatchObject([{ name: 'Pat Person', email: `pat@${domain}`, role: 'admin' }])
    expect((await attemptsOf(team))[0]).toMatchObject({ outcome: 'signed_in' })
    // the same answer, and the same end of the sign-in, once more
    expect((await answer(state, signed)).status).toBe(403)
    expect((await tab.get(location)).status).toBe(403)
  })

  test('is refused in another browser, without an answer, and with a second answer to one request', async () => {
    const { team, domain } = await aTeam()
    const [tab, thief] = [new Tab(app.baseUrl), new Tab(app.baseUrl)]
    const { requestId, state } = await begin(team, tab)
    const end = `/sso/callback?${new URLSearchParams({ state })}`
    await begin(team, thief)
    expect((await thief.get(end)).status).toBe(403)
    expect((await answer(state, stated(requestId, { nameId: `pat@${domain}` }))).status).toBe(303)
    expect((await answer(state, stated(requestId, { nameId: `boss@${domain}` }))).status).toBe(403)
    expect((await thief.get(end)).status).toBe(403)
    expect(sessionIn(thief)).toBe(false)
    expect((await tab.get(end)).status).toBe(303)
    const other = await begin(team, tab)
    expect((await tab.get(`/sso/callback?${new URLSearchParams({ state: other.state })}`)).status).toBe(403)
    // an answer to one request does not serve another
    const third = await begin(team, tab)
    expect((await answer(third.state, stated(requestId, { nameId: `pat@${domain}` }))).status).toBe(403)
  })

  test('is refused for what was not stated so by the provider of the team, with the reason for administrators', async () => {
    const { team, domain } = await aTeam()
    const reasons: [string, Wish, ((xml: string) => string)?][] = [
      ['token_invalid', { nameId: `pat@${domain}` }, xml => xml.replace(`pat@${domain}`, `boss@${domain}`)],
      [
        'token_invalid',
        { nameId: `pat@${domain}` },
        xml => xml.replace(`pat@${domain}`, `pat@${domain}<!---->.evil.com`),
      ],
      ['token_invalid', { nameId: `pat@${domain}`, audience: 'https://other.example.com' }],
      ['token_invalid', { nameId: `pat@${domain}`, recipient: 'https://other.example.com' }],
      ['issuer_mismatch', { nameId: `pat@${domain}`, issuer: 'https://other.example.com' }],
      ['provider_refused', { nameId: `pat@${domain}`, status: 'Responder' }],
      ['email_missing', { nameId: 'pat' }],
    ]
    for (const [outcome, wish, change = (xml: string) => xml] of reasons) {
      const { requestId, state } = await begin(team, new Tab(app.baseUrl))
      expect((await answer(state, change(stated(requestId, wish)))).status, outcome).toBe(403)
      expect((await attemptsOf(team))[0]?.outcome).toBe(outcome)
    }
    const tab = new Tab(app.baseUrl)
    const { requestId, state } = await begin(team, tab)
    const { location } = await answer(state, stated(requestId, { nameId: 'pat@unproven.example.com' }))
    expect((await tab.get(location)).status).toBe(403)
    expect((await attemptsOf(team))[0]?.outcome).toBe('domain_unverified')
    for (const nothing of ['', 'x', '\0'])
      expect((await answer(nothing, nothing)).status, JSON.stringify(nothing)).toBe(403)
  })

  test('takes the address from an attribute, where one is named', async () => {
    const { team, domain } = await aTeam({ email_attribute: 'mail' })
    const tab = new Tab(app.baseUrl)
    const first = await begin(team, tab)
    expect((await answer(first.state, stated(first.requestId, { nameId: `pat@${domain}` }))).status).toBe(403)
    expect((await attemptsOf(team))[0]?.outcome).toBe('email_missing')
    const { requestId, state } = await begin(team, tab)
    const attributes = { mail: [`pat@${domain}`], givenName: ['Pat'], surname: ['Person'] }
    const { location } = await answer(state, stated(requestId, { nameId: 'p-1', attributes }))
    expect((await tab.get(location)).status).toBe(303)
    expect((await team.get('/members?search=pat@')).body.data).toMatchObject([{ name: 'Pat Person' }])
  })
})

describe('an answer that is expensive to read', () => {
  const tags = (count: number) => '<a/>'.repeat(count)
  /** As `stated`, with what its provider did not sign: it is verified for nothing. */
  const forged = (requestId: string, wish: Wish) =>
    signBoth(responseXml({ requestId, recipient: acs, destination: acs, audience: metadata, ...wish }), stranger)
  const attributes = (xml: string) => `<saml:AttributeStatement>${xml}</saml:AttributeStatement>`
  let stranger: KeyAndCert
  let others: KeyAndCert[]
  beforeAll(async () => {
    stranger = await newCertificate()
    others = await Promise.all([1, 2, 3, 4].map(newCertificate))
  })

  test.each<[what: string, xmlFor: (requestId: string) => string]>([
    ['8,000 elements that do not close', () => `<r>${tags(8_000)}`],
    ['49,000 elements that do not close', () => `<r>${tags(49_000)}`],
    ['20,000 elements within each other', () => '<a>'.repeat(20_000)],
    ['elements that close in another order', () => `${'<a><b>'.repeat(20)}${'</a></b>'.repeat(20)}`],
    ['190,000 angle brackets', () => '<'.repeat(190_000)],
    ['an attribute that does not end', () => `<a b="${'<'.repeat(190_000)}`],
    ['30,000 attributes', () => `<a ${Array.from({ length: 15_000 }, (_, n) => `a${n}="" `).join('')}/>`],
    ['1,000 namespaces', () => `<a ${Array.from({ length: 1_000 }, (_, n) => `xmlns:a${n}="b" `).join('')}/>`],
    ['40,000 entities', () => `<a>${'&amp;'.repeat(38_000)}</a>`],
    [
      '900 elements under signatures that are not those of five certificates',
      requestId => forged(requestId, { attributesXml: attributes(tags(900)) }),
    ],
    [
      '90 namespaces under such signatures',
      requestId =>
        forged(requestId, {
          attributesXml: attributes(
            `<b ${Array.from({ length: 90 }, (_, n) => `xmlns:a${n}="b${n}" `).join('')}>${tags(900)}</b>`,
          ),
        }),
    ],
  ])('(%s) is refused, and blocks the event loop for milliseconds', async (_, xmlFor) => {
    const { team } = await aTeam({ certificates: [provider, ...others].map(({ cert }) => cert) })
    const tab = new Tab(app.baseUrl)
    let blocked = Number.POSITIVE_INFINITY
    for (let n = 0; n < 5 && blocked > mostBlockedMs; n++) {
      const { requestId, state } = await begin(team, tab)
      // to sign it is what its sender does
      const xml = xmlFor(requestId)
      const sent = () => answer(state, xml).then(({ status }) => expect(status).toBe(403))
      blocked = Math.min(blocked, await blockedBy(sent, 1))
    }
    expect(blocked).toBeLessThan(mostBlockedMs)
    expect(['token_invalid', 'provider_refused']).toContain((await attemptsOf(team))[0]?.outcome)
  })

  test('of a person in 900 groups, with signs of XML in them, opens a session', async () => {
    const { team, domain } = await aTeam({ groups_claim: 'groups', role_map: { 'a > "b" & <c>': 'admin' } })
    const tab = new Tab(app.baseUrl)
    const { requestId, state } = await begin(team, tab)
    const groups = [
      ...Array.from({ length: 900 }, (_, n) => `cn=group ${n},ou=groups,dc=corp,dc=test`),
      'a > "b" & <c>',
    ]
    const { location } = await answer(state, stated(requestId, { nameId: `pat@${domain}`, attributes: { groups } }))
    expect((await tab.get(location)).status).toBe(303)
    expect((await team.get('/members?search=pat@')).body.data).toMatchObject([{ role: 'admin' }])
  })

  test('uses up its sign-in, whatever it is', async () => {
    const { team, domain } = await aTeam()
    const tab = new Tab(app.baseUrl)
    const { requestId, state } = await begin(team, tab)
    expect((await answer(state, '<a/>')).status).toBe(403)
    const second = await answer(state, stated(requestId, { nameId: `pat@${domain}` }))
    expect(second.status).toBe(403)
    expect((await tab.get(`/sso/callback?state=${state}`)).status).toBe(403)
  })
})

describe('the configuration of a SAML provider', () => {
  test('needs its address and a certificate with a strong key', async () => {
    const team = await given.tenant({ overrides: { sso: true } })
    const set = async (changes: Record<string, unknown>) => {
      const { status, body } = await team.patch('/sso/config', { protocol: 'saml', issuer, ...changes })
      return [status, Object.keys(body.errors ?? {}).sort()]
    }
    expect(await set({})).toEqual([422, ['certificates', 'sign_in_url']])
    expect(await set({ sign_in_url: signInUrl, certificates: ['x'] })).toEqual([422, ['certificates.0']])
    expect(await set({ sign_in_url: 'javascript:alert(1)', certificates: [provider.cert] })).toEqual([
      422,
      ['sign_in_url'],
    ])
    expect(await set({ sign_in_url: 'http://idp.example.com/', certificates: [provider.cert] })).toEqual([
      422,
      ['sign_in_url'],
    ])
    const bare = provider.cert.replace(/-----[^-]*-----|\s/g, '')
    expect(await set({ sign_in_url: signInUrl, certificates: [bare] })).toEqual([200, []])
    const { body } = await team.post('/sso/config/test')
    expect(body.data.problems.map(({ field }: { field: string }) => field)).toEqual(['domains'])
    const back = await team.patch('/sso/config', {
      protocol: 'oidc',
      issuer: 'https://login.example.com',
      client_id: 'x',
    })
    expect(back.body.data).toMatchObject({ protocol: 'oidc', sign_in_url: null, certificates: [], client_id: 'x' })
  })

  test('is read by the provider as metadata', async () => {
    const response = await fetch(`${app.baseUrl}/sso/saml/metadata`)
    expect(response.headers.get('content-type')).toContain('application/samlmetadata+xml')
    const xml = await response.text()
    expect(xml).toContain(`entityID="${metadata}"`)
    expect(xml).toContain(`Location="${acs}"`)
    expect(xml).toContain('WantAssertionsSigned="true"')
  })
})
