import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ControlPlane } from '#cli/serve/serve.ts'
import { examineProvider } from '#control-plane/identity/sso/examine.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { json, LyingProvider } from './provider.ts'
import {
  aDomainName,
  aPersonOf,
  aTeamWithProvider,
  attemptsOf,
  aVerifiedDomain,
  openPlane,
  setProvider,
  Tab,
} from './scene.ts'

const { platform } = app.services
let plane: ControlPlane

beforeAll(async () => {
  plane = await openPlane()
})
afterAll(() => plane.close())

type Scene = Awaited<ReturnType<typeof aTeamWithProvider>>

async function begin({ domain }: Pick<Scene, 'domain'>, tab = new Tab(plane.baseUrl)) {
  const { status, location } = await tab.get(`/sso/login?email=someone@${domain}`)
  expect(status).toBe(303)
  return { tab, location }
}

async function signIn(scene: Scene, tab?: Tab) {
  const begun = await begin(scene, tab)
  const query = scene.provider.authorize(begun.location)
  return { ...(await begun.tab.get(`/sso/callback?${query}`)), tab: begun.tab, query }
}

async function whoIs(tab: Tab) {
  return (await tab.get('/api/v1/user')).text ? JSON.parse((await tab.get('/api/v1/user')).text) : null
}

async function refused(scene: Scene, outcome: string, detail?: RegExp) {
  const { status, text, tab } = await signIn(scene)
  expect([403, 502]).toContain(status)
  expect(text).toContain('role="alert"')
  expect(tab.cookies.has('vedette')).toBe(false)
  const [attempt] = await attemptsOf(scene.team)
  expect(attempt).toMatchObject({ outcome })
  if (detail) expect(attempt?.detail).toMatch(detail)
}

describe('a sign-in at the provider of a team', () => {
  test('makes an unknown person of a verified domain a member, and opens a session of eight hours', async () => {
    const scene = await aTeamWithProvider()
    const person = aPersonOf(scene.domain)
    scene.provider.claims = person
    const { status, location, tab } = await signIn(scene)
    expect(status).toBe(303)
    expect(location).toBe('/app')
    expect(await whoIs(tab)).toMatchObject({ email: person.email, tenant_id: scene.team.tenantId, role: 'member' })
    const { rows } = await platform.query(
      `select auth_method, is_locked, is_browser, dies_at < now() + interval '8 hours 1 minute' as is_short
       from tokens t join users u on u.id = t.user_id where u.email = $1`,
      [person.email],
    )
    expect(rows).toEqual([{ auth_method: 'oidc', is_locked: false, is_browser: true, is_short: true }])
    expect(await app.audited(scene.team)).toEqual(expect.arrayContaining(['member.added', 'session.created']))
    expect(await app.emitted(scene.team)).toEqual(['member.added'])
    expect(await attemptsOf(scene.team)).toMatchObject([{ outcome: 'signed_in', detail: null }])
    // the second time it is the same person
    await signIn(scene)
    const members = await scene.team.get('/members')
    expect(members.body.data).toHaveLength(2)
  })

  test('asks the provider for a code with PKCE, nonce and state, in no two sign-ins the same', async () => {
    const scene = await aTeamWithProvider()
    const first = new URL((await begin(scene)).location).searchParams
    const second = new URL((await begin(scene)).location).searchParams
    expect(Object.fromEntries(first)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile',
      redirect_uri: `${app.services.config.baseUrl}/sso/callback`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first.get(name)).toMatch(/^[\w-]{43}$/)
      expect(first.get(name)).not.toBe(second.get(name))
    }
  })

  test('can begin by the name of the team, and shows a form for one that is not known', async () => {
    const scene = await aTeamWithProvider()
    const { rows } = await platform.query('select slug from tenants where id = $1', [scene.team.tenantId])
    const tab = new Tab(plane.baseUrl)
    expect((await tab.get(`/sso/login?team=${rows[0].slug}`)).location).toContain(`${scene.provider.issuer}/authorize`)
    const unknown = await tab.get('/sso/login?email=a@nowhere.example.com', { 'Accept-Language': 'de' })
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('<html lang="de">')
    for (const query of ['team=%00', 'email=%00@x', `email=${'a'.repeat(3_000)}`, 'email=a@b@c', 'team='])
      expect([200, 404]).toContain((await tab.get(`/sso/login?${query}`)).status)
  })

  test('reads what the ID token lacks from the provider', async () => {
    const scene = await aTeamWithProvider()
    const person = aPersonOf(scene.domain)
    scene.provider.claims = { sub: person.sub }
    scene.provider.userinfo = person
    expect((await signIn(scene)).status).toBe(303)
    scene.provider.userinfo = { ...person, sub: 'another' }
    await refused(scene, 'token_invalid', /different people/)
  })

  test.each([
    ['an audience that is another client', { aud: 'another' }, /"aud".*"another"/],
    ['the issuer of another provider', { iss: 'https://login.example.org' }, /"iss"/],
    ['another nonce', { nonce: 'x'.repeat(43) }, /"nonce"/],
    ['no nonce', { nonce: undefined }, /nonce/],
    ['a time that is over', { exp: Math.floor(Date.now() / 1_000) - 60 }, /exp/],
    ['a time that has not begun', { nbf: Math.floor(Date.now() / 1_000) + 120 }, /nbf/],
  ])('is refused for a token with %s', async (_, claims, detail) => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = { ...aPersonOf(scene.domain), ...claims }
    await refused(scene, 'token_invalid', detail)
  })

  test('allows clocks that differ by some seconds', async () => {
    const scene = await aTeamWithProvider()
    const now = Math.floor(Date.now() / 1_000)
    scene.provider.claims = { ...aPersonOf(scene.domain), exp: now - 10, nbf: now + 10 }
    expect((await signIn(scene)).status).toBe(303)
  })

  test.each([
    ['without a signature', { alg: 'none' }],
    ['signed with the client secret', { alg: 'HS256' }],
    ['of a key that the provider does not name', { kid: 'unknown' }],
  ])('is refused for a token %s', async (_, header) => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    scene.provider.header = header
    await refused(scene, 'token_invalid')
  })

  test('is refused for an unsigned token even where the provider’s description allows it', async () => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    for (const alg of ['none', 'HS256']) {
      scene.provider.description = { id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'] }
      scene.provider.header = { alg }
      await refused(scene, 'token_invalid')
    }
  })

  test('works on after the provider has rotated its keys', async () => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    expect((await signIn(scene)).status).toBe(303)
    await scene.provider.rotateKey()
    expect((await signIn(scene)).status).toBe(303)
  })

  test('is refused for a token that another key has signed', async () => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    const other = await LyingProvider.open()
    scene.provider.answers.set('/jwks', response => response.writeHead(302, { Location: `${other.issuer}/jwks` }).end())
    await refused(scene, 'bad_answer', /redirects/)
    await other.close()
  })

  test('ends only in the browser that began it, and once', async () => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    const { tab, location } = await begin(scene)
    const query = scene.provider.authorize(location)
    const thief = new Tab(plane.baseUrl)
    expect((await thief.get(`/sso/callback?${query}`)).status).toBe(403)
    const other = (await begin(scene)).tab
    expect((await other.get(`/sso/callback?${query}`)).status).toBe(403)
    const entries = await Promise.all(Array.from({ length: 10 }, () => tab.get(`/sso/callback?${query}`)))
    expect(entries.filter(({ status }) => status === 303)).toHaveLength(1)
    expect((await tab.get(`/sso/callback?${query}`)).status).toBe(403)
    expect((await tab.get('/sso/callback')).status).toBe(403)
  })

  test('is over after ten minutes', async () => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    const { tab, location } = await begin(scene)
    await platform.query('update sso_logins set expires_at = now() where tenant_id = $1', [scene.team.tenantId])
    expect((await tab.get(`/sso/callback?${scene.provider.authorize(location)}`)).status).toBe(403)
  })

  test('does not accept the code of one sign-in in another', async () => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    const [first, second] = [await begin(scene), await begin(scene)]
    const stolen = scene.provider.authorize(first.location).get('code') ?? ''
    const query = scene.provider.authorize(second.location)
    query.set('code', stolen)
    expect((await second.tab.get(`/sso/callback?${query}`)).status).toBe(403)
    expect((await attemptsOf(scene.team))[0]).toMatchObject({ outcome: 'provider_refused' })
  })

  test('is refused when the answer names another issuer', async () => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    const { tab, location } = await begin(scene)
    const query = scene.provider.authorize(location)
    query.set('iss', 'https://login.example.org')
    expect((await tab.get(`/sso/callback?${query}`)).status).toBe(403)
    expect(scene.provider.asked).not.toContain('/token')
  })

  test('is over when the team changes its provider meanwhile', async () => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    const { tab, location } = await begin(scene)
    await platform.query(`update sso_configs set issuer = 'https://other.example.com' where tenant_id = $1`, [
      scene.team.tenantId,
    ])
    expect((await tab.get(`/sso/callback?${scene.provider.authorize(location)}`)).status).toBe(403)
  })

  test.each([
    [{ email_verified: false }, 'email_unverified'],
    [{ email_verified: undefined }, 'email_unverified'],
    [{ email_verified: 'true' }, 'email_unverified'],
    [{ email_verified: undefined, xms_edov: true }, 'email_unverified'],
    [{ email: 'no address' }, 'email_missing'],
    [{ email: ['a@b.example.com'] }, 'email_missing'],
    [{ email: `someone@${aDomainName()}` }, 'domain_unverified'],
  ])('is refused for the address %j', async (claims, outcome) => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = { ...aPersonOf(scene.domain), ...claims }
    await refused(scene, outcome)
  })

  test('is refused for an address below a verified domain', async () => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = { ...aPersonOf(scene.domain), email: `someone@sub.${scene.domain}` }
    await refused(scene, 'domain_unverified')
  })
})

describe('accounts that exist', () => {
  const account = async (email: string, of: CallerUnderTest, columns = '') => {
    const { userId } = await given.colleague(of, 'member')
    await platform.query(`update users set email = $2 ${columns} where id = $1`, [userId, email])
    return userId
  }

  test('of people in other teams join by a verified domain, with a session limited to this team', async () => {
    const scene = await aTeamWithProvider()
    const person = aPersonOf(scene.domain)
    const userId = await account(person.email, await given.tenant())
    scene.provider.claims = person
    const { tab } = await signIn(scene)
    expect(await whoIs(tab)).toMatchObject({ id: userId, tenant_id: scene.team.tenantId })
    const { rows } = await platform.query('select is_locked from tokens where user_id = $1 and auth_method = $2', [
      userId,
      'oidc',
    ])
    expect(rows).toEqual([{ is_locked: true }])
  })

  test('of the platform and of resellers are never linked', async () => {
    const scene = await aTeamWithProvider()
    const [operator, seller] = [aPersonOf(scene.domain), aPersonOf(scene.domain)]
    await account(operator.email, scene.team, ', is_super_admin = true')
    await account(seller.email, await given.reseller())
    for (const person of [operator, seller]) {
      scene.provider.claims = person
      await refused(scene, 'staff')
    }
  })

  test('without a proven address lose what others began under it', async () => {
    const scene = await aTeamWithProvider()
    const person = aPersonOf(scene.domain)
    const squatter = await account(
      person.email,
      await given.tenant(),
      `, email_verified_at = null, password_hash = 'x'`,
    )
    scene.provider.claims = person
    expect((await signIn(scene)).status).toBe(303)
    const { rows } = await platform.query('select password_hash from users where email = $1', [person.email])
    expect(rows).toEqual([{ password_hash: null }])
    expect(
      (await platform.query(`select 1 from tokens where user_id = $1 and auth_method is null`, [squatter])).rowCount,
    ).toBe(0)
  })

  test('whose address was changed to a foreign domain are not opened any more', async () => {
    const scene = await aTeamWithProvider()
    const person = aPersonOf(scene.domain)
    scene.provider.claims = person
    await signIn(scene)
    await platform.query('update users set email = $2 where email = $1', [person.email, `own@${aDomainName()}`])
    await refused(scene, 'domain_unverified')
  })

  test('keep to the account at the provider, whatever address it has later', async () => {
    const scene = await aTeamWithProvider()
    const person = aPersonOf(scene.domain)
    scene.provider.claims = person
    const first = await whoIs((await signIn(scene)).tab)
    scene.provider.claims = { ...person, email: `married@${scene.domain}` }
    const second = await whoIs((await signIn(scene)).tab)
    expect(second).toEqual(first)
  })

  test('of a removed member do not come back where members are not added', async () => {
    const scene = await aTeamWithProvider({ is_jit: false })
    scene.provider.claims = aPersonOf(scene.domain)
    await refused(scene, 'not_a_member')
    await platform.query('update sso_configs set is_jit = true where tenant_id = $1', [scene.team.tenantId])
    const { id } = await whoIs((await signIn(scene)).tab)
    await platform.query('update sso_configs set is_jit = false where tenant_id = $1', [scene.team.tenantId])
    expect((await signIn(scene)).status).toBe(303)
    expect((await scene.team.delete(`/members/${id}`)).status).toBe(204)
    await refused(scene, 'not_a_member')
  })
})

describe('roles', () => {
  test('follow the groups at each sign-in, the highest of several', async () => {
    const role_map = JSON.stringify({ ops: 'admin', guests: 'viewer' })
    const scene = await aTeamWithProvider({ groups_claim: 'groups', role_map })
    const person = aPersonOf(scene.domain)
    for (const [groups, role] of [
      [['guests', 'ops'], 'admin'],
      [['guests'], 'viewer'],
      [[], 'member'],
      ['ops', 'admin'],
      [[7, { a: 1 }], 'member'],
    ] as const) {
      scene.provider.claims = { ...person, groups }
      expect(await whoIs((await signIn(scene)).tab)).toMatchObject({ role })
    }
    // a provider that says nothing of groups changes nothing
    scene.provider.claims = { ...person, groups: ['ops'] }
    await signIn(scene)
    scene.provider.claims = person
    expect(await whoIs((await signIn(scene)).tab)).toMatchObject({ role: 'admin' })
    expect(await app.audited(scene.team)).toContain('member.role_changed')
  })

  test('of owners stay, so that no provider takes the last one away', async () => {
    const scene = await aTeamWithProvider({ groups_claim: 'groups', role_map: JSON.stringify({ guests: 'viewer' }) })
    const person = aPersonOf(scene.domain)
    await platform.query('update users set email = $2 where id = $1', [scene.team.userId, person.email])
    scene.provider.claims = { ...person, groups: ['guests'] }
    expect(await whoIs((await signIn(scene)).tab)).toMatchObject({ id: scene.team.userId, role: 'owner' })
  })
})

describe('a plan', () => {
  test('whose seats are taken admits no new person, but those who are members', async () => {
    const scene = await aTeamWithProvider({}, { overrides: { team_members: 2 } })
    const person = aPersonOf(scene.domain)
    scene.provider.claims = person
    expect((await signIn(scene)).status).toBe(303)
    scene.provider.claims = aPersonOf(scene.domain)
    await refused(scene, 'no_seat')
    scene.provider.claims = person
    expect((await signIn(scene)).status).toBe(303)
  })

  test('without single sign-on signs no one in', async () => {
    const scene = await aTeamWithProvider({}, { overrides: { sso: false } })
    const { status } = await new Tab(plane.baseUrl).get(`/sso/login?email=someone@${scene.domain}`)
    expect(status).toBe(403)
    expect((await attemptsOf(scene.team))[0]).toMatchObject({ outcome: 'sso_off' })
  })
})

describe('a provider', () => {
  test.each([
    [
      'redirects to the address of cloud metadata',
      (scene: Scene) =>
        scene.provider.answers.set('/.well-known/openid-configuration', response =>
          response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end(),
        ),
      'bad_answer',
    ],
    [
      'names a private address for its keys',
      (scene: Scene) => {
        scene.provider.description = {
          jwks_uri: 'http://169.254.169.254/keys',
          authorization_endpoint: 'https://x.example',
        }
      },
      'blocked',
    ],
    [
      'answers without an end',
      (scene: Scene) =>
        scene.provider.answers.set('/.well-known/openid-configuration', response => {
          response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': String(2 ** 31) })
          const more = () => {
            if (response.destroyed) return
            response.write(' '.repeat(65_536))
            setImmediate(more)
          }
          more()
        }),
      'bad_answer',
    ],
    [
      'describes another issuer',
      (scene: Scene) => {
        scene.provider.description = { issuer: 'https://login.example.org' }
      },
      'issuer_mismatch',
    ],
    [
      'answers with HTML',
      (scene: Scene) =>
        scene.provider.answers.set('/.well-known/openid-configuration', response =>
          response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hi</h1>'),
        ),
      'bad_answer',
    ],
    [
      'answers with an error',
      (scene: Scene) =>
        scene.provider.answers.set('/.well-known/openid-configuration', response => json(response, 500, {})),
      'bad_answer',
    ],
  ] as const)('that %s is refused in words', async (_, lie, outcome) => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    lie(scene)
    const tab = new Tab(plane.baseUrl)
    const begun = await tab.get(`/sso/login?email=someone@${scene.domain}`)
    const answer =
      begun.status === 303 ? await tab.get(`/sso/callback?${scene.provider.authorize(begun.location)}`) : begun
    expect([403, 502]).toContain(answer.status)
    expect((await attemptsOf(scene.team))[0]).toMatchObject({ outcome })
  })

  const addresses = [
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_x',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:application/json,{}',
    'https://',
    'https://user:password@example.com/',
    '//example.com',
    'x',
    '',
    ' ',
    'a'.repeat(100_000),
    'https://\u0000.example.com/',
    'https://xn--a/',
  ]
  const forms = [...addresses, null, 5, true, {}, [], ['https://example.com/'], { href: 'https://example.com/' }]
  const fields = [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'jwks_uri',
    'userinfo_endpoint',
    'end_session_endpoint',
    'token_endpoint_auth_methods_supported',
    'id_token_signing_alg_values_supported',
    'scopes_supported',
    'response_types_supported',
    'authorization_response_iss_parameter_supported',
    'tls_client_certificate_bound_access_tokens',
    'mtls_endpoint_aliases',
  ]

  test.each(fields)(
    'whose description has any form of %s is refused in words, never by an error of ours',
    async field => {
      const scene = await aTeamWithProvider()
      scene.provider.claims = aPersonOf(scene.domain)
      const { rows } = await platform.query<{ slug: string }>('select slug from tenants where id = $1', [
        scene.team.tenantId,
      ])
      const slug = rows[0]?.slug
      for (const form of forms) {
        scene.provider.description = { [field]: form }
        const tab = new Tab(plane.baseUrl)
        const from = { 'X-Forwarded-For': `198.51.${randomInt(256)}.${randomInt(256)}` }
        const begun = await tab.get(`/sso/login?email=someone@${scene.domain}`, from)
        const shown = JSON.stringify(form).slice(0, 40)
        expect([303, 403, 502], shown).toContain(begun.status)
        if (begun.status === 303) {
          expect(begun.location, shown).toMatch(/^https?:/)
          const ended = await tab.get(`/sso/callback?${scene.provider.authorize(begun.location)}`, from)
          expect([303, 403, 502], shown).toContain(ended.status)
        }
        const out = await tab.get(`/sso/logout?team=${slug}`, from)
        expect([200, 303, 403, 502], shown).toContain(out.status)
        const { issuer, clientId, clientSecret } = scene.provider
        const client = { issuer, clientId, clientSecret, scopes: ['openid'] }
        for (const { cause } of await examineProvider(plane.services.guard, client)) expect(cause, shown).not.toBe('')
      }
    },
  )

  test.each([
    ['keys of no type', { keys: [{ kid: 'x' }] }],
    ['keys of a number', { keys: 5 }],
    ['a key of a text', { keys: ['x'] }],
    ['a key without its parts', { keys: [{ kty: 'RSA', alg: 'RS256', use: 'sig' }] }],
    ['a key whose parts are no numbers', { keys: [{ kty: 'RSA', n: '!', e: '!', alg: 'RS256' }] }],
    ['a point that is on no curve', { keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', alg: 'RS256' }] }],
    ['no object', []],
    ['ten thousand keys', { keys: Array(5_000).fill({ kty: 'RSA', n: 'AQAB', e: 'AQAB' }) }],
  ])('whose keys are %s is refused in words', async (_, keys) => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    scene.provider.answers.set('/jwks', response => json(response, 200, keys))
    const { status } = await signIn(scene)
    expect([403, 502]).toContain(status)
  })

  test.each(['', ' ', '\u00a0', '\u200b', '\t\n'])('that names a person by nothing (%j) is refused', async sub => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = { ...aPersonOf(scene.domain), sub }
    await refused(scene, 'token_invalid')
  })

  test('that does not answer is given up after ten seconds', { timeout: 30_000 }, async () => {
    const scene = await aTeamWithProvider()
    scene.provider.answers.set('/.well-known/openid-configuration', () => undefined)
    const { status, text } = await new Tab(plane.baseUrl).get(`/sso/login?email=someone@${scene.domain}`)
    expect(status).toBe(502)
    expect(text).toContain('cannot be reached')
    expect((await attemptsOf(scene.team))[0]).toMatchObject({ outcome: 'timeout' })
  })

  test('that refuses the client secret is named so to administrators alone', async () => {
    const scene = await aTeamWithProvider()
    scene.provider.claims = aPersonOf(scene.domain)
    await setProvider(scene.team, {
      ...scene.provider,
      issuer: scene.provider.issuer,
      clientSecret: 'wrong',
      clientId: scene.provider.clientId,
    })
    await refused(scene, 'client_refused', /invalid_client/)
  })

  test('that refuses the person is named so', async () => {
    const scene = await aTeamWithProvider()
    const { tab, location } = await begin(scene)
    const state = new URL(location).searchParams.get('state')
    const { status } = await tab.get(`/sso/callback?error=access_denied&state=${state}&iss=${scene.provider.issuer}`)
    expect(status).toBe(403)
    expect((await attemptsOf(scene.team))[0]).toMatchObject({ outcome: 'provider_refused', detail: /access_denied/ })
  })

  test('of one team does not open another’s domain', async () => {
    const [scene, victim] = [await aTeamWithProvider(), await aTeamWithProvider()]
    const person = aPersonOf(victim.domain)
    scene.provider.claims = person
    await refused(scene, 'domain_unverified')
    await expect(aVerifiedDomain(scene.team, victim.domain)).rejects.toThrow('sso_domains_verified')
  })
})
