import { expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http } from '#test/checks/servers.ts'

const kind = kinds.robots_txt
const guard = new Guard(parseAllowList('127.0.0.0/8'))

async function probe(url: string, settings: z.input<typeof kind.settings> = {}) {
  const result = await runCheck('robots_txt', { url }, kind.settings.parse(settings), {
    guard,
    timeoutMs: 5_000,
    now: Date.now,
  })
  return { result, seen: result.seen ? kind.seen.parse(result.seen) : undefined }
}
const serving = (status: number, body = '', type = 'text/plain') =>
  http((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(status, { 'content-type': type }).end(body)
    else response.end('the site')
  })

test.each<[string, number, string, object]>([
  [
    'read',
    200,
    'User-agent: *\nDisallow: /\nSitemap: https://example.com/s.xml',
    { state: 'read', blocked: ['*'], rules: 1, sitemaps: ['https://example.com/s.xml'] },
  ],
  ['read, closed but for one place', 200, 'User-agent: *\nDisallow: /\nAllow: /open/', { state: 'read', blocked: [] }],
  ['not there', 404, 'User-agent: *\nDisallow: /', { state: 'unavailable', blocked: [], rules: 0 }],
  ['forbidden', 403, '', { state: 'unavailable' }],
  [
    'failing',
    500,
    'User-agent: *\nAllow: /',
    { state: 'unreachable', refused: [{ agent: '*', path: '/shop/' }], open: [] },
  ],
])('%s', async (_, status, body, expected) => {
  await using server = await serving(status, body)
  const { seen } = await probe(`http://127.0.0.1:${server.port}/deep/page`, {
    must_allow: ['/shop/'],
    must_disallow: ['/private/'],
  })
  expect(seen).toMatchObject(expected)
})

test('a web page in its place is seen', async () => {
  await using server = await serving(200, '<!DOCTYPE html><p>Disallow: /', 'text/html')
  expect((await probe(`http://127.0.0.1:${server.port}/`)).seen).toMatchObject({ is_html: true, rules: 0 })
})

test('what is beyond 500 KiB is not read', async () => {
  await using server = await serving(200, `User-agent: *\nAllow: /\n${'#'.repeat(512_000)}\nDisallow: /`)
  expect((await probe(`http://127.0.0.1:${server.port}/`)).seen).toMatchObject({
    truncated: true,
    blocked: [],
    rules: 1,
  })
})

test('half a rule at the 500 KiB at which reading ends is not read', async () => {
  const head = 'User-agent: *\nAllow: /open\n'
  const padding = '#'.repeat(512_000 - head.length - '\nDisallow: /'.length)
  await using server = await serving(200, `${head}${padding}\nDisallow: /private/\n`)
  expect((await probe(`http://127.0.0.1:${server.port}/`)).seen).toMatchObject({
    truncated: true,
    blocked: [],
    rules: 1,
  })
})

test('rules that a server sends as HTML are read', async () => {
  await using server = await serving(200, 'User-agent: *\nDisallow: /', 'text/html; charset=utf-8')
  expect((await probe(`http://127.0.0.1:${server.port}/`)).seen).toMatchObject({ is_html: false, blocked: ['*'] })
})

test('an address of a sitemap is shortened in the result', async () => {
  await using server = await serving(200, `Sitemap: https://example.com/${'a'.repeat(1_000)}`)
  expect((await probe(`http://127.0.0.1:${server.port}/`)).seen?.sitemaps[0]).toHaveLength(300)
})

test('a file behind a circle of redirects is unavailable', async () => {
  await using server = await http((_, response) => response.writeHead(301, { location: '/robots.txt' }).end())
  expect((await probe(`http://127.0.0.1:${server.port}/`)).seen).toMatchObject({ state: 'unavailable', status: 301 })
})

test('five redirects are followed; behind a sixth the file is unavailable', async () => {
  await using server = await http((request, response) => {
    const step = Number(request.url?.split('?')[1] ?? 0)
    if (step < Number(request.headers.host?.startsWith('localhost') ? 6 : 5))
      response.writeHead(302, { location: `/robots.txt?${step + 1}` }).end()
    else response.end('User-agent: *\nDisallow: /x')
  })
  expect((await probe(`http://127.0.0.1:${server.port}/`)).seen).toMatchObject({ state: 'read', rules: 1 })
  const { seen } = await probe(`http://localhost:${server.port}/`, { must_allow: ['/a'], must_disallow: ['/b'] })
  expect(seen).toMatchObject({ state: 'unavailable', status: 302, refused: [], open: [{ agent: '*', path: '/b' }] })
})

test('a change is reported again by the run that confirms it, and says what changed', async () => {
  let body = 'User-agent: *\nDisallow: /a\n'
  await using server = await http((_, response) => response.setHeader('content-type', 'text/plain').end(body))
  const url = `http://127.0.0.1:${server.port}/`
  expect((await probe(url)).seen?.changes).toBeNull()
  body = '# a comment alone is no change\nUser-agent: *\nDisallow: /a\n'
  expect((await probe(url)).seen?.changes).toBeNull()
  body = 'User-agent: *\nDisallow: /\n'
  for (const { seen } of [await probe(url), await probe(url)])
    expect(seen?.changes).toEqual({ added: ['disallow: /'], removed: ['disallow: /a'] })
})

test('a site inside is not asked, nor one a redirect leads to', async () => {
  expect((await probe('http://10.0.0.1/')).result.fault?.code).toBe('blocked')
  await using server = await http((_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/robots.txt' }).end(),
  )
  expect((await probe(`http://127.0.0.1:${server.port}/`)).result.fault?.code).toBe('blocked')
})
