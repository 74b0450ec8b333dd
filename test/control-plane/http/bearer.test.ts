import { expect, test } from 'vitest'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { bearerOf } from '#control-plane/http/bearer.ts'
import { requestIdOf } from '#control-plane/http/stages/address.ts'
import { app, given } from '#test/support/app.ts'

const { plain: token } = mintSecret('ss')

test.each([`Bearer ${token}`, `bearer   ${token}`, 'BEARER a.b-c_d~e+f/g=='])('%j carries one token', header => {
  expect(bearerOf(header)).toBe(header.split(/ +/)[1])
})

const noError = 'Bearer realm="api"'
const malformed = 'Bearer realm="api", error="invalid_request"'

test.each<[header: string | undefined, challenge: string, words: RegExp]>([
  [undefined, noError, /send a token in the header/],
  ['', noError, /scheme/],
  [`Basic ${token}`, noError, /scheme/],
  [token, noError, /scheme/],
  [`Bearers ${token}`, noError, /scheme/],
  ['Bearer', malformed, /one token/],
  [`Bearer ${token} rest`, malformed, /one token/],
  [`Bearer ${token},${token}`, malformed, /one token/],
  [`Bearer\t${token}`, malformed, /one token/],
  [`Bearer "${token}"`, malformed, /one token/],
])('the Authorization header %j is refused with words about the header', (header, challenge, words) => {
  expect(() => bearerOf(header)).toThrow(words)
  expect(() => bearerOf(header)).toThrow(
    expect.objectContaining({ status: 401, code: 'unauthenticated', headers: { 'WWW-Authenticate': challenge } }),
  )
})

test('every 401 asks for a bearer token, and does not reveal why a token is refused', async () => {
  const team = await given.tenant()
  const ended = await given.token(team, 'sk', ['monitors:read'])
  const { platform } = app.services
  await platform.query(
    `update tokens set expires_at = now() - interval '1 second' where tenant_id = $1 and kind = 'sk'`,
    [team.tenantId],
  )
  const stranger = given.stranger()
  const ask = (authorization: string) => stranger.get('/user', { headers: { Authorization: authorization } })
  const refused = [
    await ended.get('/user'),
    await ask(`Bearer ${mintSecret('ss').plain}`),
    await ask('Bearer nonsense'),
  ]
  for (const { status, headers, body } of refused) {
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="api", error="invalid_token"'])
    expect([body.message, body.code]).toEqual(['Unauthenticated.', 'unauthenticated'])
  }
  for (const [authorization, challenge] of [
    [`Basic ${team.token}`, noError],
    [`Bearer ${team.token} rest`, malformed],
  ] as const) {
    const { status, headers } = await ask(authorization)
    expect([status, headers.get('www-authenticate')]).toEqual([401, challenge])
  }
  const bare = await stranger.get('/user')
  expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, noError])
  const credentials = { email: `${crypto.randomUUID()}@people.test`, password: 'x', device_name: 'x' }
  const signIn = await stranger.post('/auth/token', credentials)
  expect([signIn.status, signIn.headers.get('www-authenticate')]).toEqual([401, noError])
  for (const path of ['/api/agent-monitors/metrics', '/agent/v1/results']) {
    const response = await fetch(app.baseUrl + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${mintSecret('am').plain} rest` },
    })
    if (path.startsWith('/api'))
      expect([response.status, response.headers.get('www-authenticate')], path).toEqual([401, malformed])
  }
})

test('a token of any kind is refused as request id', () => {
  const idOf = (id: string) => requestIdOf({ headers: { 'x-request-id': id } } as never)
  for (const kind of ['ss', 'rk', 'ik', 'svc', 'sk', 'ag', 'am'] as const) {
    const { plain } = mintSecret(kind)
    for (const id of [plain, plain.toUpperCase(), plain.slice(0, 46), `req-${plain}`, `r_${plain}`])
      expect(idOf(id), kind).not.toBe(id)
  }
  for (const id of [
    'my-own-request-1',
    crypto.randomUUID(),
    `process-${'a'.repeat(40)}`,
    `req-${'a'.repeat(40)}`,
    'a'.repeat(64),
  ])
    expect(idOf(id)).toBe(id)
})
