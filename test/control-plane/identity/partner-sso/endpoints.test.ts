import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSecret } from '#control-plane/identity/partner-sso/secret.ts'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'
import { redirects } from './redirects.ts'

const { platform, config } = app.services

let reseller: CallerUnderTest
beforeAll(async () => {
  reseller = await given.reseller()
})

const settingsOf = async (team: TeamUnderTest) => (await reseller.get(`${team.path}/partner-sso`)).body.data
const change = (team: TeamUnderTest, body: object) => reseller.patch(`${team.path}/partner-sso`, body)
const link = (team: TeamUnderTest, body: object = {}) =>
  reseller.post(`${team.path}/sso-link`, { user_email: `${randomUUID()}@customer.example`, ...body })
const changesIn = async (tenantId: string, action: string) =>
  (
    await platform.query('select changes from audit_entries where tenant_id = $1 and action = $2 order by created_at', [
      tenantId,
      action,
    ])
  ).rows.map(({ changes }) => changes)

const nothingSet = {
  enabled: false,
  has_shared_secret: false,
  hide_password_login: false,
  auto_register: false,
  auto_link_existing_users: false,
}

describe('the settings of Partner SSO', () => {
  test('are all off before anything is set', async () => {
    expect(await settingsOf(await given.team(reseller))).toEqual(nothingSet)
  })

  test('change where they are sent, and nowhere else', async () => {
    const team = await given.team(reseller)
    const { status, body } = await change(team, { enabled: true, auto_register: true })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...nothingSet, enabled: true, auto_register: true })
    await change(team, { hide_password_login: true, has_shared_secret: true })
    expect(await settingsOf(team)).toEqual({
      ...nothingSet,
      enabled: true,
      auto_register: true,
      hide_password_login: true,
    })
    await change(team, { auto_link_existing_users: true })
    expect(await changesIn(team.tenantId, 'partner_sso.updated')).toEqual([
      { enabled: { before: false, after: true }, auto_register: { before: false, after: true } },
      { hide_password_login: { before: false, after: true } },
      { auto_link_existing_users: { before: false, after: true } },
    ])
    expect(await changesIn(reseller.tenantId, 'partner_sso.updated')).toHaveLength(3)
  })

  test.each([{ enabled: 1 }, { auto_register: 'yes' }, { hide_password_login: null }, { enabled: {} }])(
    'refuse %j',
    async body => {
      const refused = await change(await given.team(reseller), body)
      expect(refused.status).toBe(422)
      expect(Object.keys(refused.body.errors)).toEqual(Object.keys(body))
    },
  )

  test('need their own scopes', async () => {
    const team = await given.team(reseller)
    const reads = await given.token(reseller, 'rk', ['sso:read'])
    const writes = await given.token(reseller, 'rk', ['sso:write'])
    const other = await given.token(reseller, 'rk', ['teams:manage', 'members:manage'])
    const calls = [
      (caller: CallerUnderTest) => caller.patch(`${team.path}/partner-sso`, { enabled: true }),
      (caller: CallerUnderTest) => caller.post(`${team.path}/partner-sso/rotate-secret`),
      (caller: CallerUnderTest) => caller.post(`${team.path}/sso-link`, { user_email: 'pat@customer.example' }),
    ]
    expect((await reads.get(`${team.path}/partner-sso`)).status).toBe(200)
    expect((await writes.get(`${team.path}/partner-sso`)).status).toBe(403)
    for (const call of calls) {
      expect((await call(reads)).status).toBe(403)
      expect((await call(other)).status).toBe(403)
      expect((await call(team)).status).toBe(403)
      expect((await call(writes)).status).toBe(200)
    }
  })
})

describe('rotating the secret', () => {
  test('shows it once, stores it encrypted and lets people sign in by password again', async () => {
    const team = await given.team(reseller)
    await change(team, { enabled: true, hide_password_login: true })
    const { status, body } = await reseller.post(`${team.path}/partner-sso/rotate-secret`)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: { enabled: true, has_shared_secret: true },
      shared_secret: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(await settingsOf(team)).toMatchObject({ has_shared_secret: true, hide_password_login: false })
    const { rows } = await platform.query('select secret from partner_sso where tenant_id = $1', [team.tenantId])
    expect(rows[0].secret).not.toContain(body.shared_secret)
    expect(openSecret(config, team.tenantId, rows[0].secret)).toBe(body.shared_secret)
    expect(await changesIn(reseller.tenantId, 'partner_sso.secret_rotated')).toContainEqual({
      hide_password_login: { before: true, after: false },
    })
    expect(await changesIn(team.tenantId, 'partner_sso.secret_rotated')).toHaveLength(1)
    const again = await reseller.post(`${team.path}/partner-sso/rotate-secret`)
    expect(again.body.shared_secret).not.toBe(body.shared_secret)
  })
})

describe('a sign-in link', () => {
  test('configures what was not configured, and names team, person and destination', async () => {
    const team = await given.team(reseller)
    const email = `${randomUUID()}@customer.example`
    const { status, body } = await link(team, { user_email: email, user_name: 'Pat', redirect_to: '/app/monitors' })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      sso_url: expect.any(String),
      expires_in_seconds: 300,
      user_email: email,
      user_exists: false,
    })
    const url = new URL(body.data.sso_url)
    const { rows } = await platform.query('select slug from tenants where id = $1', [team.tenantId])
    expect(url.origin + url.pathname).toBe(`${config.baseUrl}/sso/partner`)
    expect([...url.searchParams.keys()]).toEqual(['token', 'tenant'])
    expect(url.searchParams.get('tenant')).toBe(rows[0].slug)
    const claims = decodeJwt(url.searchParams.get('token')!)
    expect(claims).toMatchObject({
      aud: team.tenantId,
      tenant: rows[0].slug,
      email,
      name: 'Pat',
      redirect_to: '/app/monitors',
    })
    expect(claims.exp! - claims.iat!).toBe(300)
    expect(await settingsOf(team)).toEqual({
      ...nothingSet,
      enabled: true,
      has_shared_secret: true,
      auto_register: true,
      auto_link_existing_users: true,
    })
    const [changes] = await changesIn(team.tenantId, 'partner_sso.updated')
    expect(changes).toHaveProperty('auto_link_existing_users', { before: false, after: true })
  })

  test('keeps what was set before', async () => {
    const team = await given.team(reseller)
    await change(team, { auto_register: false, auto_link_existing_users: false })
    expect((await link(team)).status).toBe(200)
    expect(await settingsOf(team)).toMatchObject({ enabled: true, has_shared_secret: true, auto_register: false })
    const { rows } = await platform.query('select auto_link_existing_users from partner_sso where tenant_id = $1', [
      team.tenantId,
    ])
    expect(rows[0].auto_link_existing_users).toBe(false)
  })

  test('is refused while Partner SSO is disabled', async () => {
    const team = await given.team(reseller)
    await change(team, { enabled: false })
    const { status, body } = await link(team)
    expect(status).toBe(422)
    expect(body.code).toBe('sso_disabled')
  })

  test('says whether the address has an account', async () => {
    const team = await given.team(reseller)
    const elsewhere = await given.tenant()
    const member = await given.colleague(team, 'member')
    const exists = async (user_email: string) => (await link(team, { user_email })).body.data.user_exists
    expect(await exists(`${member.userId}@people.test`)).toBe(true)
    expect(await exists(`${elsewhere.userId}@PEOPLE.test`)).toBe(true)
    expect(await exists(`${randomUUID()}@people.test`)).toBe(false)
  })

  test('stands in the audit trails of the team and of its reseller', async () => {
    const team = await given.team(reseller)
    const user_email = `${randomUUID()}@customer.example`
    await link(team, { user_email })
    for (const tenantId of [team.tenantId, reseller.tenantId])
      expect(await changesIn(tenantId, 'sso_link.created')).toContainEqual({ user_email, user_id: null })
  })

  test.each(redirects.foreign)('refuses the destination %j', async redirect_to => {
    const refused = await link(await given.team(reseller), { redirect_to })
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual(['redirect_to'])
  })

  test('refuses what is no address, name or destination, and takes each at its greatest length', async () => {
    const team = await given.team(reseller)
    const longest = `${'x'.repeat(60)}@${'y'.repeat(60)}.${'z'.repeat(60)}.example`
    const taken = { user_email: longest, user_name: 'n'.repeat(255), redirect_to: `/${'p'.repeat(499)}` }
    const opened = await link(team, taken)
    expect(opened.status).toBe(200)
    expect(opened.body.data.sso_url.length).toBeLessThan(4_000)
    for (const body of [
      { user_email: undefined },
      { user_email: 'pat' },
      { user_email: `${'x'.repeat(250)}@a.example` },
      { user_name: 'n'.repeat(256) },
      { user_name: 'Pat\r\nBcc: all' },
      { redirect_to: `/${'p'.repeat(500)}` },
    ]) {
      const refused = await link(team, body)
      expect(refused.status).toBe(422)
      expect(Object.keys(refused.body.errors)).toEqual(Object.keys(body))
    }
  })
})

test('a team that leaves its reseller keeps no Partner SSO', async () => {
  const team = await given.team(reseller)
  await link(team)
  await reseller.post(`${team.path}/decouple`)
  const { rowCount } = await platform.query('select 1 from partner_sso where tenant_id = $1', [team.tenantId])
  expect(rowCount).toBe(0)
})
