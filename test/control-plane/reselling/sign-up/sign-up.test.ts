import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { cookieNameOf } from '#control-plane/http/session-cookie.ts'
import { newChallenge, useProof } from '#control-plane/identity/captcha/proof.ts'
import { deleteExpiredSignUps } from '#control-plane/reselling/sign-up/delete-expired.ts'
import { mostAnHour } from '#control-plane/reselling/sign-up/request.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'
import { linkTo, mailsOf } from '#test/control-plane/identity/mails.ts'
import { anAddress, aPersonIn, password } from '#test/control-plane/identity/people.ts'
import { aDomain } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { BrowserUnderTest } from '#test/support/browser-session.ts'
import { proofOf } from './solve.ts'

const { platform, config } = app.services
beforeAll(() => customHostsOf(app.services).loaded)

async function aPortal(sign_up: Record<string, unknown> = {}) {
  const reseller = await given.reseller({ scopes: ['portal:manage', 'teams:manage'] })
  const slug = `portal-${randomUUID()}`
  await reseller.patch('/reseller/portal', { slug, sign_up: { is_enabled: true, ...sign_up } })
  return { reseller, slug }
}

const mailed = async (of: CallerUnderTest, wanted: string) => (await mailsOf(of)).filter(({ type }) => type === wanted)

const aProof = async (from: CallerUnderTest, portal: string) =>
  proofOf((await from.get(`/auth/sign-up/challenge?portal=${portal}`)).body)

async function signUp(portal: string, changes: Record<string, unknown> = {}, from = given.stranger()) {
  const altcha = await aProof(from, portal)
  const body = { email: anAddress(), name: 'Nia New', team_name: 'Käse & Co', portal, altcha, ...changes }
  return { ...(await from.post('/auth/sign-up', body)), email: body.email, sent: body }
}

const complete = (token: string, headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' }) =>
  given.stranger().call('POST', '/auth/sign-up/complete', { token, password }, { headers })

const fromBrowser = ({ headers, body }: Awaited<ReturnType<typeof complete>>) => {
  const [, session = ''] = new RegExp(`${cookieNameOf(config)}=([^;]+)`).exec(headers.get('set-cookie') ?? '') ?? []
  return new BrowserUnderTest(body.user.tenant_id, body.user.id, session)
}

describe('a sign-up through a portal', () => {
  test('creates a team of the reseller with its plan and profile, and its verified owner with a session', async () => {
    const { reseller, slug } = await aPortal()
    const profile = await reseller.post('/reseller/provisioning-profiles', {
      name: 'Trial',
      plan: 'starter',
      trial_days: 14,
      branding: { brand_name: 'Acme Watch' },
    })
    await reseller.patch('/reseller/portal', { sign_up: { profile_id: profile.body.data.id } })
    const asked = await signUp(slug)
    expect(asked.status).toBe(200)
    expect((await reseller.get('/reseller/managed-teams')).body.data).toEqual([])
    const token = await linkTo(reseller, 'sign_up_confirm', asked.email)
    const completed = await complete(token)
    expect(completed.status).toBe(201)
    expect(completed.body).toMatchObject({ user: { email: asked.email, name: 'Nia New', role: 'owner' } })
    expect(JSON.stringify(completed.body)).not.toContain('ss-')
    const person = fromBrowser(completed)
    expect((await person.get('/profile')).body.data.email_verified_at).not.toBeNull()
    expect((await person.get('/branding')).body.data).toMatchObject({ brand_name: 'Acme Watch' })
    expect((await person.get('/plan')).body.data).toMatchObject({ plan: 'starter', on_trial: true })
    const [team] = (await reseller.get('/reseller/managed-teams')).body.data
    expect(team).toMatchObject({ name: 'Käse & Co', tenant_id: completed.body.user.tenant_id, on_trial: true })
    expect(team.slug).toMatch(/^kase-co-[0-9a-f]{10}$/)
    expect(await app.emitted(reseller)).toContain('team.provisioned')
    const signedIn = await given.stranger().post('/auth/token', { email: asked.email, password, device_name: 'x' })
    expect(signedIn.status).toBe(201)
  })

  test('takes the plan of the portal before that of the profile', async () => {
    const { reseller, slug } = await aPortal({ plan: 'hobby' })
    const profile = await reseller.post('/reseller/provisioning-profiles', { name: 'Pro', plan: 'pro' })
    await reseller.patch('/reseller/portal', { sign_up: { profile_id: profile.body.data.id } })
    const { email } = await signUp(slug)
    const person = fromBrowser(await complete(await linkTo(reseller, 'sign_up_confirm', email)))
    expect((await person.get('/plan')).body.data.plan).toBe('hobby')
  })

  test('is completed once, also by two requests at the same moment', async () => {
    const { reseller, slug } = await aPortal()
    const { email } = await signUp(slug)
    const token = await linkTo(reseller, 'sign_up_confirm', email)
    const answers = await Promise.all([complete(token), complete(token), complete(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    expect((await complete(token)).body.code).toBe('link_not_open')
    expect((await reseller.get('/reseller/managed-teams')).body.data).toHaveLength(1)
  })

  test('that was cut off after its team was created is completed by the same link', async () => {
    const { reseller, slug } = await aPortal()
    const { email } = await signUp(slug)
    const token = await linkTo(reseller, 'sign_up_confirm', email)
    const { rows } = await platform.query('select * from sign_ups where lower(email) = lower($1)', [email])
    const [stored] = rows
    await complete(token)
    await platform.query(`update users set email_verified_at = null, password_hash = null where email = $1`, [email])
    await platform.query('insert into sign_ups select * from jsonb_populate_record(null::sign_ups, $1)', [
      JSON.stringify({ ...stored, token_hash: `\\x${stored.token_hash.toString('hex')}` }),
    ])
    expect((await complete(token)).status).toBe(201)
    expect((await reseller.get('/reseller/managed-teams')).body.data).toHaveLength(1)
  })

  test('answers the same for an address with an account, which gets a mail that says so', async () => {
    const { reseller, slug } = await aPortal()
    const team = await given.tenant()
    const { email } = await aPersonIn(team.tenantId)
    const [known, unknown] = [await signUp(slug, { email }), await signUp(slug)]
    expect(known.status).toBe(200)
    expect(known.text).toBe(unknown.text)
    expect((await mailed(reseller, 'sign_up_known')).length).toBe(1)
    expect((await mailed(reseller, 'sign_up_confirm')).length).toBe(1)
  })

  test('of an address that was proven elsewhere meanwhile is not completed', async () => {
    const { reseller, slug } = await aPortal()
    const [one, two] = [await aPortal(), anAddress()]
    await signUp(slug, { email: two })
    await signUp(one.slug, { email: two })
    expect((await complete(await linkTo(one.reseller, 'sign_up_confirm', two))).status).toBe(201)
    const late = await complete(await linkTo(reseller, 'sign_up_confirm', two))
    expect(late.body.code).toBe('link_not_open')
    expect((await reseller.get('/reseller/managed-teams')).body.data).toEqual([])
  })

  test('mails the links of the portal’s domain, whatever host was asked, and no text of the stranger', async () => {
    const { reseller, slug } = await aPortal()
    const { id, hostname } = await aDomain(reseller, { purpose: 'portal' })
    await platform.query(`update custom_domains set state = 'active' where id = $1`, [id])
    const from = given.stranger()
    const email = anAddress()
    const altcha = await aProof(from, slug)
    const body = { email, name: 'BUY THIS', team_name: 'https://evil.example', portal: slug, altcha }
    const poisoned = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' }
    expect((await from.call('POST', '/auth/sign-up', body, { headers: poisoned })).status).toBe(200)
    const { port } = new URL(config.baseUrl)
    const [mail] = await mailed(reseller, 'sign_up_confirm')
    expect(JSON.stringify(mail)).toContain(`http://${hostname}${port && `:${port}`}/sign-up/complete#`)
    expect(JSON.stringify(mail)).not.toMatch(/evil|BUY/)
  })

  test('finds the portal by its host, and none on the host of a team or of a stranger', async () => {
    const { reseller } = await aPortal()
    const team = await given.team(reseller)
    const [ours, theirs] = [await aDomain(reseller, { purpose: 'portal' }), await aDomain(team, { purpose: 'portal' })]
    await platform.query(`update custom_domains set state = 'active' where id = any($1)`, [[ours.id, theirs.id]])
    const at = (Host: string) =>
      given.stranger().call('GET', '/auth/sign-up/challenge', undefined, { headers: { Host } })
    expect(await until(async () => (await at(ours.hostname)).status === 200, { withinMs: 10_000 })).toBe(true)
    for (const host of [theirs.hostname, 'evil.example', `evil.example:x@${ours.hostname}`])
      expect((await at(host)).body.code, host).not.toBe(undefined)
  })

  test.each([
    [{ email: 'no address' }, 'email'],
    [{ name: '' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ team_name: 'x'.repeat(256) }, 'team_name'],
    [{ language: 'xx' }, 'language'],
    [{ altcha: 'rubbish' }, 'altcha'],
    [{ altcha: 7 }, 'altcha'],
    [{ altcha: Buffer.from('{"challenge":{"parameters":{}}}').toString('base64') }, 'altcha'],
  ])('refuses %j', async (changes, field) => {
    const { slug } = await aPortal()
    const refused = await signUp(slug, changes)
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual([field])
  })

  test('is refused for addresses of other domains than the reseller allows', async () => {
    const { slug } = await aPortal({ allowed_email_domains: ['customer.example'] })
    expect((await signUp(slug)).body).toMatchObject({ code: 'domain_not_allowed' })
    expect((await signUp(slug, { email: `${randomUUID()}@CUSTOMER.example` })).status).toBe(200)
  })

  test('is closed where the reseller or the operator has not enabled it, also for links that are open', async () => {
    const { reseller, slug } = await aPortal()
    const { email, sent } = await signUp(slug)
    const token = await linkTo(reseller, 'sign_up_confirm', email)
    const isClosed = async () => {
      const [challenge, asked, completed] = [
        await given.stranger().get(`/auth/sign-up/challenge?portal=${slug}`),
        await given.stranger().post('/auth/sign-up', sent),
        await complete(token),
      ]
      expect([challenge, asked, completed].map(({ body }) => body.code)).toEqual([
        'sign_up_closed',
        'sign_up_closed',
        'link_not_open',
      ])
    }
    await reseller.patch('/reseller/portal', { sign_up: { is_enabled: false } })
    await isClosed()
    await reseller.patch('/reseller/portal', { sign_up: { is_enabled: true }, is_enabled: false })
    await isClosed()
    await reseller.patch('/reseller/portal', { is_enabled: true })
    config.signUp = false
    try {
      await isClosed()
    } finally {
      config.signUp = true
    }
    expect((await complete(token)).status).toBe(201)
  })

  test('is not completed from a page of another origin', async () => {
    const { reseller, slug } = await aPortal()
    const { email } = await signUp(slug)
    const token = await linkTo(reseller, 'sign_up_confirm', email)
    expect((await complete(token, { 'Sec-Fetch-Site': 'cross-site' })).body.code).toBe('cross_site')
    expect((await complete(token)).status).toBe(201)
  })

  test('mails one address at most three links an hour, and is forgotten a day later', async () => {
    const { reseller, slug } = await aPortal()
    const email = anAddress()
    for (let times = 0; times <= mostAnHour; times++) expect((await signUp(slug, { email })).status).toBe(200)
    expect((await mailed(reseller, 'sign_up_confirm')).length).toBe(mostAnHour)
    const count = async () =>
      (await platform.query('select count(*)::int as n from sign_ups where email = $1', [email])).rows[0].n
    await deleteExpiredSignUps(platform)
    expect(await count()).toBe(mostAnHour)
    const token = await linkTo(reseller, 'sign_up_confirm', email)
    await platform.query(`update sign_ups set expires_at = clock_timestamp() where email = $1`, [email])
    expect((await complete(token)).body.code).toBe('link_not_open')
    await deleteExpiredSignUps(platform)
    expect(await count()).toBe(0)
  })
})

describe('a proof of work', () => {
  const anIp = () => `203.0.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`

  test('is used once, also by fifty requests at the same moment', async () => {
    const proof = await proofOf(await newChallenge(app.services, 'test', anIp()))
    const used = await Promise.allSettled(Array.from({ length: 50 }, () => useProof(app.services, 'test', proof)))
    expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(useProof(app.services, 'test', proof)).rejects.toMatchObject({ code: 'proof_used' })
  })

  test('is refused if it is changed, for another purpose, or of another installation', async () => {
    const challenge = await newChallenge(app.services, 'test', anIp())
    const proof = await proofOf(challenge)
    const payload = JSON.parse(Buffer.from(proof, 'base64').toString())
    const encode = (changed: unknown) => Buffer.from(JSON.stringify(changed)).toString('base64')
    const parameters = { ...challenge.parameters, expiresAt: challenge.parameters.expiresAt + 86_400 }
    const elsewhere = { ...app.services, config: { ...config, secretKey: 'x'.repeat(64) } }
    const invalid = { code: 'proof_invalid' }
    await expect(useProof(app.services, 'other', proof)).rejects.toMatchObject(invalid)
    await expect(useProof(elsewhere, 'test', proof)).rejects.toMatchObject(invalid)
    for (const changed of [
      { ...payload, challenge: { ...challenge, parameters } },
      { ...payload, challenge: { ...challenge, parameters: { ...challenge.parameters, cost: 1 } } },
      { ...payload, challenge: { ...challenge, signature: '00'.repeat(32) } },
      { ...payload, solution: { ...payload.solution, derivedKey: '00'.repeat(32) } },
      { ...payload, solution: { ...payload.solution, derivedKey: '' } },
      { challenge },
      null,
    ])
      await expect(useProof(app.services, 'test', encode(changed))).rejects.toMatchObject(invalid)
    await useProof(app.services, 'test', proof)
  })

  test('costs more, the more challenges a network asks for, and a network has thirty a minute', async () => {
    const { platform, config, clock, rate } = app.services
    const services = { platform, config, clock, rate }
    const [ip] = [anIp()]
    const near = ip.replace(/\d+$/, '7')
    const asked = []
    for (let times = 0; times < 30; times++) asked.push(newChallenge(services, 'test', times % 2 ? near : ip))
    await Promise.all(asked)
    await expect(newChallenge(services, 'test', near)).rejects.toMatchObject({ status: 429 })
    const solved = async (of: string) =>
      JSON.parse(Buffer.from(await proofOf(await newChallenge(services, 'test', of)), 'base64').toString()).solution
    const other = anIp()
    const first = await solved(other)
    for (let times = 0; times < 5; times++) await newChallenge(services, 'test', other)
    expect((await solved(other)).counter).toBeGreaterThan(2 * first.counter)
  })
})
