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
  return { userId, email, bearer: (await createToken(served.platform, token)).plain }
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
  const read = (await answer.body.json()) as { code?: string }
  return { status: answer.statusCode, code: read.code, cookie: cookie?.split(';')[0] ?? '' }
}

const paths = ['/platform/info', '/platform/health', '/tenants']

test('operator pages are refused in a browser without a second factor, and programs are not', async () => {
  const { userId, email, bearer } = await anOperator()
  const { cookie } = await call('/auth/login', {}, { email, password })
  expect(cookie).toMatch(/^__Host-vedette=/)
  for (const path of paths) {
    expect(await call(path, { Cookie: cookie }), path).toMatchObject({ status: 403, code: 'operator_factor_needed' })
    expect((await call(path, { Authorization: `Bearer ${bearer}` })).status, path).toBe(200)
  }
  // what sets a factor up stays open
  expect((await call('/user', { Cookie: cookie })).status).toBe(200)
  expect((await call('/profile/mfa', { Cookie: cookie }, { password })).status).toBe(201)
  expect((await call('/tenants', { Cookie: cookie })).status).toBe(403)
  await served.platform.query('update second_factors set confirmed_at = now() where user_id = $1', [userId])
  for (const path of paths) expect((await call(path, { Cookie: cookie })).status, path).toBe(200)
})

test('operator pages are open to a session of a passkey', async () => {
  const { userId, email } = await anOperator()
  const { cookie } = await call('/auth/login', {}, { email, password })
  await served.platform.query(`update tokens set auth_method = 'passkey' where user_id = $1 and is_browser`, [userId])
  for (const path of paths) expect((await call(path, { Cookie: cookie })).status, path).toBe(200)
})
