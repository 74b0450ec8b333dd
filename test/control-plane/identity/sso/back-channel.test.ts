import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ControlPlane } from '#cli/serve/serve.ts'
import { app, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { ProviderBrowser, RealProvider } from './real-provider.ts'
import { aPersonOf, aTeamWithProvider, aVerifiedDomain, openPlane, setProvider, Tab } from './scene.ts'

const { platform } = app.services
const path = '/sso/backchannel-logout'
let plane: ControlPlane
let provider: RealProvider

beforeAll(async () => {
  plane = await openPlane()
  provider = await RealProvider.open()
})
afterAll(async () => {
  await plane.close()
  await provider.close()
})

const send = (logout_token: string) => new Tab(plane.baseUrl).post(path, { logout_token })
const statusOf = async (tab: Tab) => (await tab.get('/api/v1/user')).status

describe('oidc-provider', () => {
  test.each([true, false])('ends the sessions of a person, with session_required %s', async isBySession => {
    const team = await given.tenant()
    const domain = await aVerifiedDomain(team)
    const client = provider.addClient(`${app.services.config.baseUrl}/sso/callback`, {
      backchannel_logout_uri: plane.baseUrl + path,
      backchannel_logout_session_required: isBySession,
    })
    await setProvider(team, client)
    const [person, other] = ['pat', 'mo'].map(name => provider.addAccount({ email: `${name}@${domain}` }))
    const enter = async (account = person!) => {
      const tab = new Tab(plane.baseUrl)
      const back = await new ProviderBrowser().signIn(
        (await tab.get(`/sso/login?email=${account.email}`)).location,
        account,
      )
      expect((await tab.get(back.pathname + back.search)).status).toBe(303)
      return tab
    }
    const [first, second, foreign] = [await enter(), await enter(), await enter(other)]
    const { rows } = await platform.query<{ sso_sid: string | null }>(
      `select k.sso_sid from tokens k join users u on u.id = k.user_id where u.email = $1 order by k.created_at`,
      [person!.email],
    )
    expect(rows.map(({ sso_sid }) => sso_sid !== null)).toEqual([isBySession, isBySession])
    await provider.endAt(client.clientId, { sub: person!.sub, sid: rows[0]?.sso_sid ?? undefined })
    expect([await statusOf(first), await statusOf(second), await statusOf(foreign)]).toEqual(
      isBySession ? [401, 200, 200] : [401, 401, 200],
    )
    expect((await app.audited(team)).filter(action => action === 'session.deleted')).toHaveLength(isBySession ? 1 : 2)
  })
})

async function aSession() {
  const scene = await aTeamWithProvider()
  const person = { ...aPersonOf(scene.domain), sid: randomUUID() }
  scene.provider.claims = person
  const tab = new Tab(plane.baseUrl)
  const { location } = await tab.get(`/sso/login?email=${person.email}`)
  expect((await tab.get(`/sso/callback?${scene.provider.authorize(location)}`)).status).toBe(303)
  return { ...scene, person, tab }
}

describe('a logout token', () => {
  test('is taken once, and its answer is stored nowhere', async () => {
    const { provider: lying, person, tab } = await aSession()
    const token = await lying.logoutToken({ sid: person.sid })
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
    expect(await statusOf(tab)).toBe(401)
    const again = await send(token)
    expect(JSON.parse(again.text)).toMatchObject({ error: 'invalid_request', error_description: /used already/ })
  })

  const now = Math.floor(Date.now() / 1_000)
  test.each<[string, Record<string, unknown>, { alg?: string; typ?: string }?]>([
    ['without a signature', {}, { alg: 'none' }],
    ['signed with the client secret', {}, { alg: 'HS256' }],
    ['that is an ID token by its type', {}, { typ: 'id_token+jwt' }],
    ['with a nonce', { nonce: 'x' }],
    ['without its event', { events: {} }],
    ['without any events', { events: undefined }],
    ['for another client', { aud: 'another' }],
    ['of another issuer', { iss: 'https://login.example.org' }],
    ['that is over', { exp: now - 120 }],
    ['without an end', { exp: undefined }],
    ['older than a day', { iat: now - 90_000 }],
    ['from the future', { iat: now + 600 }],
    ['without an id', { jti: undefined }],
    ['that names neither session nor person', { sid: undefined, sub: undefined }],
    ['with text that the database cannot hold', { iss: 'a\0b' }],
    ['with a session that the database cannot hold', { sid: 'a\0b' }],
    ['with a long id of a person', { sub: 'x'.repeat(256) }],
  ])('%s ends nothing', async (_, claims, header) => {
    const { provider: lying, person, tab } = await aSession()
    const { status, text } = await send(await lying.logoutToken({ sid: person.sid, ...claims }, header))
    expect(status, text).toBe(400)
    expect(JSON.parse(text).error).toBe('invalid_request')
    expect(await statusOf(tab)).toBe(200)
  })

  test('of one provider ends no session of another team, nor one that a password opened', async () => {
    const [scene, victim] = [await aSession(), await aSession()]
    const member = await given.colleague(scene.team, 'member')
    const { userId } = member
    await platform.query(
      `insert into sso_identities (tenant_id, issuer, subject, user_id) values ($1, $2, 'both', $3)`,
      [scene.team.tenantId, scene.provider.issuer, userId],
    )
    const browser = await inBrowser(member)
    const by = { sub: victim.person.sub, sid: victim.person.sid }
    expect((await send(await scene.provider.logoutToken(by))).status).toBe(200)
    expect((await send(await scene.provider.logoutToken({ sub: 'both' }))).status).toBe(200)
    expect([await statusOf(victim.tab), await statusOf(scene.tab)]).toEqual([200, 200])
    expect((await browser.get('/user')).status).toBe(200)
  })

  test('that cannot be checked is to be sent again', async () => {
    const { provider: lying, person, tab } = await aSession()
    lying.answers.set('/jwks', response => response.writeHead(500).end())
    const token = await lying.logoutToken({ sid: person.sid })
    expect((await send(token)).status).toBe(503)
    lying.answers.clear()
    expect((await send(token)).status).toBe(200)
    expect(await statusOf(tab)).toBe(401)
  })

  test.each(['', 'x', 'a.b.c', `${'x'.repeat(9_000)}.y.z`])('that is none is refused: %.10s', async token => {
    expect((await send(token)).status).toBe(400)
  })
})
