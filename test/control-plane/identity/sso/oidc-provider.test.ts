import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ControlPlane } from '#cli/serve/serve.ts'
import { Visitor } from '#test/control-plane/identity/pages/visitor.ts'
import { aPerson, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { ProviderBrowser, RealProvider } from './real-provider.ts'
import { aTeamWithProvider, attemptsOf, aVerifiedDomain, openPlane, setProvider, Tab } from './scene.ts'

const { platform } = app.services
const redirectUri = `${app.services.config.baseUrl}/sso/callback`
const signedOutUri = `${app.services.config.baseUrl}/sso/signed-out`
let plane: ControlPlane
const providers: RealProvider[] = []

beforeAll(async () => {
  plane = await openPlane()
})
afterAll(async () => {
  await plane.close()
  for (const provider of providers) await provider.close()
})

/** A team whose people sign in at oidc-provider. */
async function aTeam(changes: Record<string, unknown> = {}) {
  const team = await given.tenant()
  const domain = await aVerifiedDomain(team)
  const provider = await RealProvider.open()
  providers.push(provider)
  const client = provider.addClient(redirectUri, { post_logout_redirect_uris: [signedOutUri] })
  await setProvider(team, client, changes)
  const person = provider.addAccount({ email: `pat@${domain}` })
  return { team, domain, provider, client, person }
}

type Scene = Awaited<ReturnType<typeof aTeam>>

async function begin({ domain }: Pick<Scene, 'domain'>, tab = new Tab(plane.baseUrl)) {
  const { status, location } = await tab.get(`/sso/login?email=someone@${domain}`)
  expect(status).toBe(303)
  return { tab, location }
}

async function signIn(scene: Scene, person = scene.person) {
  const { tab, location } = await begin(scene)
  const back = await new ProviderBrowser().signIn(location, person)
  return { tab, back, ...(await tab.get(back.pathname + back.search)) }
}

const whoIs = async (tab: Tab) => JSON.parse((await tab.get('/api/v1/user')).text)

async function refused(scene: Scene, outcome: string, detail: RegExp, person = scene.person) {
  const { status, tab } = await signIn(scene, person)
  expect([403, 502]).toContain(status)
  expect(tab.cookies.has('vedette')).toBe(false)
  expect((await attemptsOf(scene.team))[0]).toMatchObject({ outcome, detail: expect.stringMatching(detail) })
}

describe('oidc-provider', () => {
  test('signs an unknown person in, who becomes a member; PKCE is demanded', async () => {
    const scene = await aTeam()
    const { status, back, tab } = await signIn(scene)
    expect(back.origin + back.pathname).toBe(redirectUri)
    expect(back.searchParams.get('iss')).toBe(scene.provider.issuer)
    expect(status).toBe(303)
    expect(await whoIs(tab)).toMatchObject({
      email: scene.person.email,
      tenant_id: scene.team.tenantId,
      role: 'member',
    })
    expect(await attemptsOf(scene.team)).toMatchObject([{ outcome: 'signed_in' }])
    await signIn(scene)
    expect((await scene.team.get('/members')).body.data).toHaveLength(2)
  })

  test('gives the role of the highest mapped group at each sign-in', async () => {
    const role_map = JSON.stringify({ ops: 'admin', guests: 'viewer' })
    const scene = await aTeam({ groups_claim: 'groups', role_map, scopes: ['openid', 'email', 'profile', 'groups'] })
    for (const [groups, role] of [
      [['guests', 'ops'], 'admin'],
      [['guests'], 'viewer'],
      [[], 'member'],
    ] as const) {
      scene.provider.accounts.set(scene.person.sub, { ...scene.person, groups: [...groups] })
      expect(await whoIs((await signIn(scene)).tab)).toMatchObject({ role })
    }
  })

  test('signs no person in whose address it does not call verified', async () => {
    const scene = await aTeam()
    const person = scene.provider.addAccount({ email: `new@${scene.domain}`, email_verified: false })
    await refused(scene, 'email_unverified', /email_verified/, person)
  })

  test('redeems no code a second time, not of another client, and not in another sign-in', async () => {
    const [scene, other] = [await aTeam(), await aTeam()]
    // the same provider, with a client of its own
    const client = scene.provider.addClient(redirectUri)
    await setProvider(other.team, client)
    const atProvider = async (of: Scene) => {
      const { tab, location } = await begin(of)
      const { searchParams } = await new ProviderBrowser().signIn(location, scene.person)
      return { query: searchParams, end: () => tab.get(`/sso/callback?${searchParams}`) }
    }
    for (const stolen of [await atProvider(other), await atProvider(scene)]) {
      const own = await atProvider(scene)
      own.query.set('code', stolen.query.get('code') ?? '')
      expect((await own.end()).status).toBe(403)
      expect((await attemptsOf(scene.team))[0]).toMatchObject({
        outcome: 'provider_refused',
        detail: expect.stringContaining('invalid_grant'),
      })
    }
    const last = await atProvider(scene)
    expect((await last.end()).status).toBe(303)
    expect((await last.end()).status).toBe(403)
  })

  test('refuses a client with a wrong secret', async () => {
    const scene = await aTeam()
    await setProvider(scene.team, { ...scene.client, clientSecret: 'wrong' })
    await refused(scene, 'client_refused', /invalid_client/)
  })

  test('may rotate its keys, even between the two halves of a sign-in', async () => {
    const scene = await aTeam()
    expect((await signIn(scene)).status).toBe(303)
    scene.provider.rotateKeys()
    expect((await signIn(scene)).status).toBe(303)
    const { tab, location } = await begin(scene)
    const back = await new ProviderBrowser().signIn(location, scene.person)
    scene.provider.rotateKeys()
    expect((await tab.get(back.pathname + back.search)).status).toBe(303)
  })

  test('is given up after ten seconds where its token address hangs', { timeout: 40_000 }, async () => {
    const scene = await aTeam()
    scene.provider.hanging.add('/token')
    await refused(scene, 'timeout', /ten seconds/)
    scene.provider.hanging.clear()
    expect((await signIn(scene)).status).toBe(303)
  })

  test('is not reached without EGRESS_ALLOW', async () => {
    const scene = await aTeam()
    const { status } = await new Tab(app.baseUrl).get(`/sso/login?email=someone@${scene.domain}`)
    expect(status).toBe(502)
    expect((await attemptsOf(scene.team))[0]).toMatchObject({ outcome: 'blocked' })
  })
})

describe('signing out', () => {
  test('ends the session here, and offers to sign out at the provider, which leads back', async () => {
    const scene = await aTeam()
    const { tab } = await signIn(scene)
    const slug = (await platform.query('select slug from tenants where id = $1', [scene.team.tenantId])).rows[0].slug
    const form = await tab.get('/logout')
    const token = /name="form_token" value="([\w-]+)"/.exec(form.text)?.[1] ?? ''
    const out = await tab.post('/logout', { form_token: token })
    expect(out).toMatchObject({ status: 303, location: `/sso/signed-out?team=${slug}` })
    expect((await tab.get('/api/v1/user')).status).toBe(401)
    const page = await tab.get(out.location)
    expect(page.text).toContain(`href="/sso/logout?team=${slug}"`)
    const { status, location } = await tab.get(`/sso/logout?team=${slug}`)
    expect(status).toBe(303)
    const asked = new URL(location)
    expect(asked.origin).toBe(scene.provider.issuer)
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      client_id: scene.client.clientId,
      post_logout_redirect_uri: signedOutUri,
    })
    // the provider knows client and address, and asks the person
    const confirmation = await fetch(location)
    expect(confirmation.status).toBe(200)
    expect((await tab.get('/sso/signed-out')).text).not.toContain('/sso/logout')
  })

  test('leads to the sign-in page from a session that a password opened', async () => {
    const person = await aPerson()
    const visitor = new Visitor()
    await visitor.signIn(person.email, password)
    await visitor.get('/logout')
    expect((await visitor.post('/logout', {})).location).toBe('/login?out')
  })

  test('says so where the provider has no address for it, or an unsafe one, and where the team is unknown', async () => {
    const { team, provider } = await aTeamWithProvider()
    const slug = (await platform.query('select slug from tenants where id = $1', [team.tenantId])).rows[0].slug
    for (const end_session_endpoint of [undefined, 'javascript:alert(1)', 'http://provider.example.com/end']) {
      provider.description = { end_session_endpoint }
      const { status, text } = await new Tab(plane.baseUrl).get(`/sso/logout?team=${slug}`)
      expect(status).toBe(200)
      expect(text).toContain('Sign out there yourself')
    }
    for (const query of ['', '?team=%00', '?team=unknown'])
      expect(await new Tab(plane.baseUrl).get(`/sso/logout${query}`)).toMatchObject({
        status: 303,
        location: '/sso/signed-out',
      })
  })
})

describe('an invitation to a team that is entered at its provider alone', () => {
  const enforced = { is_enforced: true, is_jit: false, break_glass_user_id: null }
  const invite = async ({ team, person }: Scene, role: string) =>
    (await team.post('/invitations', { email: person.email, role })).body

  test('names the provider, is refused with a password, and is accepted by signing in there', async () => {
    const scene = await aTeam(enforced)
    await refused(scene, 'not_a_member', /is_jit/)
    const { plain_text_token: token, data } = await invite(scene, 'admin')
    const stranger = given.stranger()
    const found = await stranger.post('/invitations/lookup', { token })
    const slug = (await platform.query('select slug from tenants where id = $1', [scene.team.tenantId])).rows[0].slug
    expect(found.body.data.sign_in_url).toBe(`${app.services.config.baseUrl}/sso/login?team=${slug}`)
    const accepted = await stranger.post('/invitations/accept', { token, password, name: 'Pat' })
    expect([accepted.status, accepted.body.code]).toEqual([422, 'password_login_hidden'])
    expect(await whoIs((await signIn(scene)).tab)).toMatchObject({ email: scene.person.email, role: 'admin' })
    expect((await scene.team.get(`/invitations/${data.id}`)).body.data.status).toBe('accepted')
    expect(await app.audited(scene.team)).toEqual(expect.arrayContaining(['invitation.accepted', 'member.added']))
    // a later sign-in changes nothing
    expect(await whoIs((await signIn(scene)).tab)).toMatchObject({ role: 'admin' })
  })

  test('that has expired or was revoked admits no one', async () => {
    const scene = await aTeam(enforced)
    const { data } = await invite(scene, 'admin')
    await platform.query(`update invitations set expires_at = now() where id = $1`, [data.id])
    await refused(scene, 'not_a_member', /is_jit/)
    const again = await invite(scene, 'admin')
    await scene.team.delete(`/invitations/${again.data.id}`)
    await refused(scene, 'not_a_member', /is_jit/)
  })

  test('gives the role of the groups where they are mapped', async () => {
    const role_map = JSON.stringify({ guests: 'viewer' })
    const scene = await aTeam({ ...enforced, groups_claim: 'groups', role_map, scopes: ['openid', 'email', 'groups'] })
    await invite(scene, 'admin')
    scene.provider.accounts.set(scene.person.sub, { ...scene.person, groups: ['guests'] })
    expect(await whoIs((await signIn(scene)).tab)).toMatchObject({ role: 'viewer' })
  })

  test('has no such address where a password opens the team', async () => {
    const scene = await aTeam()
    const { plain_text_token: token } = await invite(scene, 'viewer')
    expect((await given.stranger().post('/invitations/lookup', { token })).body.data.sign_in_url).toBeNull()
    expect(await whoIs((await signIn(scene)).tab)).toMatchObject({ role: 'viewer' })
  })
})
