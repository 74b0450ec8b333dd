import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { isOwnPath } from '#control-plane/identity/partner-sso/redirect.ts'
import { newSecret } from '#control-plane/identity/partner-sso/secret.ts'
import { signLink, verifyLink } from '#control-plane/identity/partner-sso/token.ts'
import { forge } from './forge.ts'
import { redirects } from './redirects.ts'

const now = new Date('2026-11-23T12:00:00.500Z')
const nowS = Math.floor(now.getTime() / 1000)
const secret = newSecret()
const team = { id: randomUUID(), slug: 'acme' }
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)

const claims = (changed: Record<string, unknown> = {}) => ({
  jti: randomUUID(),
  iat: nowS,
  exp: nowS + 300,
  aud: team.id,
  tenant: team.slug,
  email: 'pat@customer.example',
  ...changed,
})

const verdictOf = (token: string, at = now) =>
  verifyLink(token, secret, team, at).then(
    () => 'accepted',
    error => error.reason ?? error,
  )

test('a link made here has the claims of its person and is valid for 300 seconds', async () => {
  const token = await signLink(secret, team, { email: 'pat@customer.example', name: 'Pat' }, now)
  const read = await verifyLink(token, secret, team, now)
  expect(read).toMatchObject({ aud: team.id, tenant: 'acme', email: 'pat@customer.example', name: 'Pat' })
  expect(read.exp - read.iat).toBe(300)
  expect(await verdictOf(token, after(299))).toBe('accepted')
  expect(await verdictOf(token, after(300))).toBe('expired')
  expect(await verdictOf(token, after(301))).toBe('expired')
})

test('a link made elsewhere with the shared secret is accepted', async () => {
  expect(await verdictOf(forge(claims(), secret))).toBe('accepted')
  expect(await verdictOf(forge(claims({ aud: [team.id], nbf: nowS, extra: { a: ['x'] } }), secret))).toBe('accepted')
})

test('a clock that is up to 30 seconds ahead of ours makes valid links', async () => {
  const ahead = (seconds: number) => forge(claims({ iat: nowS + seconds, exp: nowS + seconds + 300 }), secret)
  expect(await verdictOf(ahead(30))).toBe('accepted')
  expect(await verdictOf(ahead(31))).toBe('bad_link')
})

const wrong: Record<string, Record<string, unknown>> = {
  'without jti': { jti: undefined },
  'an empty jti': { jti: '' },
  'a jti of 129 characters': { jti: 'x'.repeat(129) },
  'a jti that is a number': { jti: 7 },
  'a jti with a null character': { jti: 'a\u0000b' },
  'without iat': { iat: undefined },
  'without exp': { exp: undefined },
  'an iat ten minutes ahead': { iat: nowS + 600, exp: nowS + 800 },
  'a life of 301 seconds': { exp: nowS + 301 },
  'an exp in the far future': { exp: 9e15 },
  'an exp that is text': { exp: `${nowS + 300}` },
  'an exp before the iat': { iat: nowS, exp: nowS - 1 },
  'an nbf a minute ahead': { nbf: nowS + 60 },
  'another audience': { aud: randomUUID() },
  'two audiences': { aud: [team.id, randomUUID()] },
  'no audience': { aud: undefined },
  'another team': { tenant: 'other' },
  'no team': { tenant: undefined },
  'no address': { email: undefined },
  'something that is no address': { email: 'pat' },
  'an address of 300 characters': { email: `${'x'.repeat(290)}@a.example` },
  'a name of two lines': { name: 'Pat\nBcc: all' },
  'a redirect to another host': { redirect_to: '//evil.example' },
}

describe.each(Object.entries(wrong))('a link with %s', (_, changed) => {
  test('is refused', async () => {
    expect(await verdictOf(forge(claims(changed), secret))).toBe('bad_link')
  })
})

test('a link that has expired is refused as expired', async () => {
  expect(await verdictOf(forge(claims({ iat: nowS - 301, exp: nowS - 1 }), secret))).toBe('expired')
})

test('algorithms other than HS256 are refused, whatever key they use', async () => {
  const unsigned = forge(claims(), secret, { alg: 'none' })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rs256 = await new SignJWT(claims()).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
  const longer = await new SignJWT(claims()).setProtectedHeader({ alg: 'HS512' }).sign(new TextEncoder().encode(secret))
  const attempts = {
    none: unsigned,
    'none without a signature': `${unsigned.split('.').slice(0, 2).join('.')}.`,
    NONE: forge(claims(), secret, { alg: 'NoNe' }),
    'RS256 of a key of their own': rs256,
    'RS256 with the secret as key': forge(claims(), secret, { alg: 'RS256' }),
    HS512: longer,
    'a critical header': forge(claims(), secret, { alg: 'HS256', crit: ['b64'], b64: false }),
  }
  for (const [name, token] of Object.entries(attempts)) expect(await verdictOf(token), name).toBe('bad_link')
  expect(await verdictOf(forge(claims(), secret, { alg: 'HS256', kid: '../../etc/passwd' }))).toBe('accepted')
})

test('signatures of other secrets, changed claims and texts that are no tokens are refused', async () => {
  const token = forge(claims(), secret)
  const [header, payload, signature = ''] = token.split('.')
  const changed = Buffer.from(JSON.stringify(claims({ email: 'other@customer.example' }))).toString('base64url')
  const attempts = [
    forge(claims(), newSecret()),
    forge(claims(), ''),
    `${header}.${changed}.${signature}`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature.slice(1)}`,
    '',
    '...',
    'x'.repeat(4_097),
    forge(claims({ extra: 'x'.repeat(20_000) }), secret),
    '{"payload":"","signatures":[]}',
  ]
  for (const attempt of attempts) expect(await verdictOf(attempt), attempt.slice(0, 80)).toBe('bad_link')
})

test('claims that are there twice are refused', async () => {
  const text = JSON.stringify(claims())
  const sign = (payload: string) => {
    const head = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from(payload).toString('base64url')}`
    return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`
  }
  expect(await verdictOf(sign(text))).toBe('accepted')
  expect(await verdictOf(sign(text.replace('{', '{ "email" : "other@customer.example", ')))).toBe('bad_link')
  expect(await verdictOf(sign(text.replace('{', '{"\\u0065mail":"other@customer.example",')))).toBe('bad_link')
  expect(await verdictOf(sign('[]'))).toBe('bad_link')
  expect(await verdictOf(sign('null'))).toBe('bad_link')
  expect(await verdictOf(sign('\ufffe'))).toBe('bad_link')
})

describe('redirect_to', () => {
  test.each(redirects.own)('accepts %j', path => expect(isOwnPath(path)).toBe(true))
  test.each(redirects.foreign)('refuses %j', path => expect(isOwnPath(path)).toBe(false))
})
