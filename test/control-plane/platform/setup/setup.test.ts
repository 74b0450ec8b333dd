import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { channelTypes, planLimits } from '#contract/plans.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { cookieNameOf } from '#control-plane/http/session-cookie.ts'
import { isSetupOpen, localOperator, makeSetupLink } from '#control-plane/platform/setup/link.ts'
import { another, password } from '#test/control-plane/identity/people.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'
import { app, given } from '#test/support/app.ts'
import { holdToContract } from '#test/support/contract.ts'

let served: Serving
let caller = 0
beforeAll(async () => {
  served = await serving('set_up', { roles: ['api'], config: { trustedProxies: 1 } })
})
afterAll(() => served?.close())
beforeEach(async () => {
  const { platform } = served
  await platform.query('delete from users')
  await platform.query('delete from tenants')
  await platform.query('delete from setup_links')
})

async function call(method: string, body?: object, { headers = {}, path = '/setup' } = {}) {
  caller += 1
  const response = await fetch(`${served.plane.baseUrl}/api/v1${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': `198.51.${Math.floor(caller / 250)}.${caller % 250}`,
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the contract checks the shape of an answer
  const answer: any = await response.json()
  holdToContract(method, `/api/v1${path}`, response.status, 'application/json', answer, body)
  return { status: response.status, body: answer, cookie: response.headers.get('set-cookie') ?? '' }
}

async function aToken(): Promise<string> {
  const link = new URL((await makeSetupLink(served.platform, 'http://localhost:8080')) ?? '')
  expect([link.pathname, link.search]).toEqual(['/setup', ''])
  return link.hash.replace('#t=', '')
}

const person = (token: string, changes: object = {}) => ({
  token,
  name: 'Ines Weber',
  email: 'ines@example.com',
  password,
  team_name: 'Bäckerei Blume',
  language: 'de',
  timezone: 'Europe/Berlin',
  ...changes,
})

const countOf = async (table: 'users' | 'tenants') =>
  (await served.platform.query(`select count(*)::int as n from ${table}`)).rows[0].n

describe('GET /setup', () => {
  test('says that set-up is open and what is known, and nothing more once there is an operator', async () => {
    await served.platform.query(`insert into regions (name) values ('eu-west') on conflict do nothing`)
    const { status, body } = await call('GET')
    expect([status, body.data]).toEqual([
      200,
      { is_open: true, installation: { base_url: 'http://localhost', has_mail_server: false, regions: ['eu-west'] } },
    ])
    await call('POST', person(await aToken()))
    expect((await call('GET')).body.data).toEqual({ is_open: false, installation: null })
  })
})

describe('POST /setup', () => {
  test('makes the operator and the first team, and opens a session of the browser', async () => {
    const { status, body, cookie } = await call('POST', person(await aToken()))
    expect(status).toBe(201)
    expect(body.user).toMatchObject({ name: 'Ines Weber', email: 'ines@example.com', role: 'owner', language: 'de' })
    const [session] = cookie.split(';')
    expect(session).toMatch(new RegExp(`^${cookieNameOf(served.config)}=ss-`))
    expect(cookie).toContain('HttpOnly')
    const { rows } = await served.platform.query(
      `select u.is_super_admin, u.timezone, u.email_verified_at is not null as is_verified, t.name, t.slug, t.plan
       from users u join tenants t on t.id = u.home_tenant_id`,
    )
    expect(rows).toEqual([
      {
        is_super_admin: true,
        timezone: 'Europe/Berlin',
        is_verified: true,
        name: 'Bäckerei Blume',
        slug: 'backerei-blume',
        plan: 'pro',
      },
    ])
    const asOperator = { path: '/tenants', headers: { Cookie: session ?? '' } }
    const tenants = await call('GET', undefined, asOperator)
    expect(tenants.body.data.map(({ id }: { id: string }) => id)).toEqual([body.user.tenant_id])
    const trail = await call('GET', undefined, { ...asOperator, path: '/audit-log' })
    expect(trail.body.data.map(({ action }: { action: string }) => action).sort()).toEqual([
      'session.created',
      'tenant.created',
    ])
    const login = { email: 'ines@example.com', password, device_name: 'shell' }
    expect((await call('POST', login, { path: '/auth/token' })).status).toBe(201)
  })

  test('makes a first team that no plan binds, with more monitors than any plan allows', async () => {
    const { cookie } = await call('POST', person(await aToken()))
    const asOwner = { headers: { Cookie: cookie.split(';')[0] ?? '', 'X-Vedette-CSRF': '1' } }
    const { data } = (await call('GET', undefined, { ...asOwner, path: '/plan' })).body
    expect(data).toMatchObject({ upsell: { suggested_plan: null, url: null, features: [] } })
    const { data_retention_days, min_check_interval, api_access, notification_channels, ...limits } = data.limits
    expect([data_retention_days, min_check_interval, api_access]).toEqual([
      planLimits.pro.data_retention_days,
      1,
      'full',
    ])
    expect(notification_channels).toHaveLength(channelTypes.length)
    expect(Object.entries(limits).filter(([, limit]) => limit !== null && limit !== true)).toEqual([])

    const tenant = (await served.platform.query(`select id from tenants`)).rows[0].id
    await served.platform.query(
      `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy,
         confirmations, recovery_confirmations)
       select gen_random_uuid(), $1, 'm' || n,
         'https://example.com/', 'website', 60, 30, '{}', 1, 1 from generate_series(1, 200) n`,
      [tenant],
    )
    const monitor = {
      name: 'Shop',
      url: 'https://example.com/',
      check_interval: 30,
      checks: [{ type: 'uptime', interval: 1 }],
    }
    const created = await call('POST', monitor, { ...asOwner, path: '/monitors' })
    expect([created.status, created.body.data?.held_by_plan]).toEqual([201, false])
  })

  test('happens once, though fifty ask at once', async () => {
    const token = await aToken()
    const asked = Array.from({ length: 50 }, (_, nth) => call('POST', person(token, { email: `p${nth}@example.com` })))
    const answers = await Promise.all(asked)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 201)
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['409 already_set_up']))
    expect([await countOf('users'), await countOf('tenants')]).toEqual([1, 1])
  })

  test('refuses a token that is wrong, over or replaced, and keeps only its hash', async () => {
    const refused = async (token: string) => {
      const { status, body, cookie } = await call('POST', person(token))
      expect([status, body.code, Object.keys(body.errors), cookie]).toEqual([422, 'link_not_open', ['token'], ''])
    }
    const first = await aToken()
    const { rows } = await served.platform.query('select token_hash from setup_links')
    expect(rows).toEqual([{ token_hash: hashSecret(first) }])
    await refused('a'.repeat(43))
    const second = await aToken()
    await refused(first)
    await served.platform.query('update setup_links set expires_at = clock_timestamp()')
    await refused(second)
    expect([await countOf('users'), await countOf('tenants')]).toEqual([0, 0])
    expect((await call('POST', person('short'))).body.errors).toHaveProperty('token')
  })

  test('leaves the link valid when a field is wrong, and names the field', async () => {
    const token = await aToken()
    for (const [field, value] of [
      ['name', ''],
      ['name', 'n'.repeat(256)],
      ['email', 'no address'],
      ['password', 'short'],
      ['password', 'ines@example.com and more'],
      ['team_name', ''],
      ['team_name', 't'.repeat(256)],
      ['language', 'german'],
      ['timezone', 'Berlin/Europe'],
    ] as const) {
      const { status, body } = await call('POST', person(token, { [field]: value }))
      expect([status, Object.keys(body.errors)], `${field}: ${value}`).toEqual([422, [field]])
    }
    const longest = { name: 'n'.repeat(255), team_name: '木'.repeat(255) }
    expect((await call('POST', person(token, longest))).status).toBe(201)
  })

  test('is for pages of this service alone', async () => {
    const { status, body } = await call('POST', person(await aToken()), { headers: { 'Sec-Fetch-Site': 'cross-site' } })
    expect([status, body.code]).toEqual([403, 'cross_site'])
  })

  test('counts neither the operator for programs nor its teams, and takes a slug that is free', async () => {
    const tenant = randomUUID()
    await served.platform.query(`insert into tenants (id, name, slug) values ($1, 'Acme', 'acme')`, [tenant])
    await served.platform.query(
      `insert into users (id, name, email, is_super_admin, home_tenant_id) values ($1, 'Operator', $2, true, $3)`,
      [randomUUID(), localOperator, tenant],
    )
    const { status } = await call('POST', person(await aToken(), { team_name: 'Acme' }))
    expect(status).toBe(201)
    const { rows } = await served.platform.query(`select slug from tenants where name = 'Acme' and id <> $1`, [tenant])
    expect(rows[0].slug).toMatch(/^acme-[0-9a-f]{10}$/)
    expect(await makeSetupLink(served.platform, 'http://localhost')).toBeNull()
  })

  test('refuses the address of an account, and stays open', async () => {
    const tenant = randomUUID()
    await served.platform.query(`insert into tenants (id, name, slug) values ($1, 'Acme', 'acme')`, [tenant])
    await served.platform.query(
      `insert into users (id, name, email, home_tenant_id, email_verified_at)
       values ($1, 'Ines', 'ines@example.com', $2, now())`,
      [randomUUID(), tenant],
    )
    const token = await aToken()
    const { status, body } = await call('POST', person(token))
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'taken', ['email']])
    expect(await isSetupOpen(served.platform)).toBe(true)
    expect((await call('POST', person(token, { email: 'weber@example.com', password: another }))).status).toBe(201)
  })
})

test('an installation with an operator refuses every token', async () => {
  await given.operator()
  const stranger = await given.tenant()
  const { status, body } = await stranger.post('/setup', person('a'.repeat(43)), {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
  expect([status, body.code]).toEqual([409, 'already_set_up'])
  expect(await makeSetupLink(app.services.platform, 'http://localhost')).toBeNull()
})
