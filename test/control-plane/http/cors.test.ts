import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'
import { app, given } from '#test/support/app.ts'

const dashboard = 'https://dashboard.example'
const allowOrigin = 'access-control-allow-origin'

let served: Serving
let token: string
beforeAll(async () => {
  served = await serving('cors', { roles: ['api'], config: { corsOrigins: ['https://other.example', dashboard] } })
  const tenantId = await served.tenant()
  const userId = randomUUID()
  await served.platform.query('insert into users (id, name, email, home_tenant_id) values ($1, $2, $3, $4)', [
    userId,
    'Pat',
    `${userId}@a.test`,
    tenantId,
  ])
  await served.platform.query('insert into memberships (user_id, tenant_id, role) values ($1, $2, $3)', [
    userId,
    tenantId,
    'owner',
  ])
  token = (
    await createToken(served.platform, { kind: 'ss', tenantId, userId, name: 'test', scopes: [], expiresAt: null })
  ).plain
})
afterAll(() => served?.close())

const ask = (path: string, { origin, ...init }: RequestInit & { origin?: string } = {}) =>
  fetch(served.plane.baseUrl + path, {
    ...init,
    headers: { Authorization: `Bearer ${token}`, ...(origin && { Origin: origin }), ...init.headers },
  })

const preflight = (baseUrl: string, path: string, origin: string, method: string) =>
  fetch(baseUrl + path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  })

const ofCors = (headers: Headers) => [...headers.keys()].filter(name => name.startsWith('access-control-'))

describe('a page of an origin that the operator configures', () => {
  test('reads the answers, refusals and headers of calls with a token', async () => {
    const create = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
    for (const [path, init, status] of [
      ['/api/v1/monitors', {}, 200],
      ['/api/v1/monitors', create, 422],
      ['/api/v1/monitors', { headers: { Authorization: 'Bearer no' } }, 401],
      [`/api/v1/monitors/${randomUUID()}`, {}, 404],
      ['/api/v1/reseller/managed-teams', {}, 403],
    ] as const) {
      const answer = await ask(path, { ...init, origin: dashboard })
      expect([answer.status, answer.headers.get(allowOrigin)], path).toEqual([status, dashboard])
      expect(answer.headers.get('vary')?.split(', ')).toContain('Origin')
      expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toEqual(
        expect.arrayContaining(['ETag', 'Retry-After', 'X-Request-Id']),
      )
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
    const { headers } = await ask('/api/v1/reseller/managed-teams', { ...create, origin: dashboard })
    expect(headers.get('access-control-expose-headers')).toContain('X-Vedette-Existing')
  })

  test('learns the allowed methods and headers from a preflight request', async () => {
    const answer = await preflight(served.plane.baseUrl, `/api/v1/monitors/${randomUUID()}`, dashboard, 'PATCH')
    expect([answer.status, answer.headers.get(allowOrigin), answer.headers.get('vary')]).toEqual([
      200,
      dashboard,
      'Origin',
    ])
    expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toEqual(
      expect.arrayContaining(['GET', 'PATCH', 'DELETE']),
    )
    const headers = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(headers).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'if-match', 'idempotency-key', 'x-tenant-id']),
    )
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('is allowed nothing at public endpoints or those of servers', async () => {
    for (const [path, method] of [
      ['/api/v1/auth/password/forgot', 'POST'],
      [`/api/badges/${randomUUID()}`, 'GET'],
      ['/api/agent-monitors/metrics', 'POST'],
      ['/api/v1/nothing-here', 'GET'],
    ] as const) {
      expect(ofCors((await preflight(served.plane.baseUrl, path, dashboard, method)).headers), path).toEqual([])
      expect(ofCors((await ask(path, { method, origin: dashboard })).headers), path).toEqual([])
    }
    const mixed = await preflight(served.plane.baseUrl, '/api/v1/auth/token', dashboard, 'POST')
    expect(mixed.headers.get('access-control-allow-methods')).toBe('DELETE')
  })
})

test.each([
  'https://dashboard.example.evil.example',
  'http://dashboard.example',
  'https://dashboard.example:8443',
  'https://DASHBOARD.example',
  'null',
])('a page of %s is allowed nothing', async origin => {
  const asked = await preflight(served.plane.baseUrl, '/api/v1/monitors', origin, 'GET')
  expect([ofCors(asked.headers), asked.headers.get('vary')]).toEqual([[], 'Origin'])
  const answer = await ask('/api/v1/monitors', { origin })
  expect([answer.status, ofCors(answer.headers), answer.headers.get('vary')?.split(', ')[0]]).toEqual([
    200,
    [],
    'Origin',
  ])
})

test('without CORS_ORIGINS a page of another origin is allowed nothing, and no answer varies by origin', async () => {
  const team = await given.tenant()
  const { headers } = await team.get('/monitors', { headers: { Origin: dashboard } })
  expect([ofCors(headers), headers.get('vary')?.includes('Origin')]).toEqual([[], false])
  const asked = await preflight(app.baseUrl, '/api/v1/monitors', dashboard, 'GET')
  expect([ofCors(asked.headers), asked.headers.get('vary')]).toEqual([[], null])
})
