import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
beforeAll(async () => {
  served = await serving('operator_factor', { roles: ['api'], config: { baseUrl: 'https://status.example.test' } })
}, 60_000)
afterAll(() => served?.close())

const password = 'correct horse battery staple'

async function anOperator() {
  const tenantId = await served.tenant({})
  const email = `${crypto.randomUUID()}@people.test`
  const made = { name: 'Op', email, password, tenantId, role: 'owner' as const, isSuperAdmin: true }
  const userId = await createUser(served.platform, made)
  const token = { kind: 'ss' as const, tenantId, userId, name: 'a program', scopes: [], expiresAt: null }
  return { userId, tenantId, email, bearer: (await createToken(served.platform, token)).plain }
}

async function call(path: string, headers: Record<string, string>, body?: unknown) {
  const answer = await request(`${served.plane.baseUrl}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...headers,
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const [cookie] = [answer.headers['set-cookie'] ?? []].flat()
  const read = (await answer.body.json()) as { code?: string; token?: string }
  return { status: answer.statusCode, code: read.code, token: read.token, cookie: cookie?.split(';')[0] ?? '' }
}

const aMonitor = { name: 'Shop', url: 'https://shop.example.com/' }
const paths = ['/platform/info', '/platform/health', '/tenants']

test('operators’ endpoints are refused without a second factor, in a browser and by tokens of programs', async () => {
  const { userId, tenantId, email, bearer } = await anOperator()
  const { cookie } = await call('/auth/login', {}, { email, password })
  expect(cookie).toMatch(/^__Host-vedette=/)
  const { token } = await call('/auth/token', {}, { email, password, device_name: 'a program' })
  const made = { kind: 'sk' as const, tenantId, userId, name: 'key', scopes: ['monitors:read'], expiresAt: null }
  const personal = `Bearer ${(await createToken(served.platform, made)).plain}`
  const sessions: Record<string, string>[] = [
    { Cookie: cookie },
    { Authorization: `Bearer ${bearer}` },
    { Authorization: `Bearer ${token}` },
  ]
  const other = { 'X-Tenant-Id': await served.tenant({}) }
  const refused = { status: 403, code: 'operator_factor_needed' }
  for (const session of sessions) {
    for (const path of paths) expect(await call(path, session), path).toMatchObject(refused)
    expect(await call('/agents/enrolment-tokens', session, { region: 'eu' })).toMatchObject(refused)
    expect(await call('/monitors', { ...session, ...other })).toMatchObject(refused)
    expect(await call('/monitors', { ...session, ...other }, aMonitor)).toMatchObject(refused)
    // the operator's own team, and what sets a factor up, stay open
    expect((await call('/monitors', session)).status).toBe(200)
    expect((await call('/user', session)).status).toBe(200)
  }
  expect(await call('/monitors', { Authorization: personal, ...other })).toMatchObject(refused)
  expect((await call('/monitors', { Authorization: personal })).status).toBe(200)
  expect((await call('/profile/mfa', { Cookie: cookie }, { password })).status).toBe(201)
  expect((await call('/tenants', { Cookie: cookie })).status).toBe(403)
  await served.platform.query('update second_factors set confirmed_at = now() where user_id = $1', [userId])
  for (const session of sessions) {
    for (const path of paths) expect((await call(path, session)).status, path).toBe(200)
    expect((await call('/monitors', { ...session, ...other })).status).toBe(200)
  }
  expect((await call('/monitors', { Authorization: personal, ...other })).status).toBe(200)
})

test('an operator without a second factor does in a team what the role there allows, and no more', async () => {
  const { userId, bearer } = await anOperator()
  await served.platform.query(`update memberships set role = 'viewer' where user_id = $1`, [userId])
  const session = { Authorization: `Bearer ${bearer}` }
  expect((await call('/monitors', session)).status).toBe(200)
  expect(await call('/monitors', session, aMonitor)).toMatchObject({ status: 403, code: 'operator_factor_needed' })
})

test('operator pages are open to a session of a passkey', async () => {
  const { userId, email } = await anOperator()
  const { cookie } = await call('/auth/login', {}, { email, password })
  await served.platform.query(`update tokens set auth_method = 'passkey' where user_id = $1 and is_browser`, [userId])
  for (const path of paths) expect((await call(path, { Cookie: cookie })).status, path).toBe(200)
})
