import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { Authority } from '#test/checks/certificates.ts'
import { http, https } from '#test/checks/servers.ts'

const kind = kinds.security_headers
const allowed = parseAllowList('127.0.0.0/8')
let authority: Authority
beforeAll(async () => {
  authority = await Authority.make()
})

const probe = async (url: string, settings: z.input<typeof kind.settings> = {}, by = new Guard(allowed)) => {
  const result = await runCheck('security_headers', { url }, kind.settings.parse(settings), {
    guard: by,
    timeoutMs: 5_000,
    now: Date.now,
  })
  return { result, seen: result.seen ? kind.seen.parse(result.seen) : undefined }
}
const found = (seen: z.output<typeof kind.seen> | undefined) =>
  Object.fromEntries((seen?.findings ?? []).map(({ name, result }) => [name, result]))

const all = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

test('a site with all of them over https is A+', async () => {
  const identity = await authority.issue({ addresses: ['127.0.0.1'] })
  await using server = await https(identity, (_, response) =>
    response.writeHead(200, { ...all, 'content-type': 'text/html' }).end('<p>hello'),
  )
  const { seen } = await probe(
    `https://127.0.0.1:${server.port}/`,
    { required: ['Permissions-Policy', 'Referrer-Policy'] },
    new Guard(allowed, { ca: [authority.pem] }),
  )
  expect(seen).toMatchObject({ grade: 'A+', score: 130, status: 200, settled: true, missing: ['permissions-policy'] })
  expect(found(seen)).toMatchObject({
    'strict-transport-security': 'hsts-implemented-max-age-at-least-six-months',
    redirection: 'redirection-not-needed-no-http',
  })
})

test('an untrusted certificate is a finding, not a failure', async () => {
  const identity = await authority.issue({ addresses: ['127.0.0.1'] })
  await using server = await https(identity, (_, response) => response.writeHead(200, all).end())
  const { seen } = await probe(`https://127.0.0.1:${server.port}/`)
  expect(found(seen)['strict-transport-security']).toBe('hsts-invalid-cert')
})

test('a bare site over http is F, and says what to do', async () => {
  await using server = await http((_, response) =>
    response.setHeader('content-type', 'text/html').end('<script src=//other.test/a.js></script>'),
  )
  const { seen } = await probe(`http://127.0.0.1:${server.port}/`)
  expect(seen).toMatchObject({ grade: 'F', score: 0 })
  expect(found(seen)).toMatchObject({
    redirection: 'redirection-missing',
    'strict-transport-security': 'hsts-not-implemented-no-https',
  })
  expect(seen?.findings.filter(({ score }) => score < 0).every(({ advice }) => advice)).toBe(true)
})

test('redirects are followed, cookies on the way count, and their values are not reported', async () => {
  await using server = await http((request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/home', 'set-cookie': 'PHPSESSID=topsecret' }).end()
    else response.writeHead(200, all).end()
  })
  const { seen } = await probe(`http://127.0.0.1:${server.port}/`)
  expect(found(seen).cookies).toBe('cookies-session-without-secure-flag')
  expect(seen?.url).toBe(`http://127.0.0.1:${server.port}/home`)
  expect(JSON.stringify(seen)).not.toContain('topsecret')
})

test('a site that answers only with cookies is detected', async () => {
  await using server = await http((request, response) => {
    if (request.headers.origin)
      response
        .setHeader('access-control-allow-origin', request.headers.origin)
        .setHeader('access-control-allow-credentials', 'true')
    response.end()
  })
  const { seen } = await probe(`http://127.0.0.1:${server.port}/`)
  expect(found(seen)['cross-origin-resource-sharing']).toBe(
    'cross-origin-resource-sharing-implemented-with-universal-access',
  )
})

test('a grade that drops is reported again by the run that confirms it', async () => {
  let headers: Record<string, string> = all
  await using server = await http((_, response) => response.writeHead(200, headers).end())
  const url = `http://127.0.0.1:${server.port}/`
  const before = await probe(url)
  expect(before.seen?.dropped_from).toBeNull()
  headers = {}
  for (const { seen } of [await probe(url), await probe(url)])
    expect(seen?.dropped_from).toEqual({ grade: before.seen?.grade, score: before.seen?.score })
})

test('what is no site fails as such', async () => {
  expect((await probe('http://127.0.0.1:1/')).result.fault?.code).toBe('refused')
  expect((await probe('http://10.0.0.1/')).result.fault?.code).toBe('blocked')
  await using loop = await http((_, response) => response.writeHead(302, { location: '/' }).end())
  expect((await probe(`http://127.0.0.1:${loop.port}/`)).result.fault?.code).toBe('too_many_redirects')
})
