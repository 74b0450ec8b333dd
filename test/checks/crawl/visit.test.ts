import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { robotsOf, visit } from '#checks/crawl/visit.ts'
import type { ProbeContext } from '#checks/probe.ts'
import type { CrawlSettings, LinkKind } from '#contract/crawl.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http, raw, tcp } from '#test/checks/servers.ts'

/** One address of this machine may be reached, and no other. */
const reach = (): ProbeContext => ({
  guard: new Guard(parseAllowList('127.0.0.1/32')),
  signal: new AbortController().signal,
  now: Date.now,
})
const terms = (port: number, more: Partial<CrawlSettings> = {}): CrawlSettings => ({
  start: `http://127.0.0.1:${port}/`,
  include_subdomains: false,
  ignore: [],
  respect_nofollow: false,
  check_assets: true,
  check_external: true,
  requests_per_second: 20,
  concurrency: 2,
  page_timeout_ms: 1_000,
  max_page_bytes: 1_000_000,
  max_depth: 5,
  tolerated_status: [],
  ...more,
})
const at = (port: number, kind: LinkKind = 'page', path = '/') => ({ url: `http://127.0.0.1:${port}${path}`, kind })
const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'

test.each([
  [
    'an endless body',
    { status: 200, truncated: true },
    () => http((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'.repeat(2_000_000))),
  ],
  [
    'a bomb',
    { status: 200, truncated: true },
    () => {
      const bomb = gzipSync(Buffer.alloc(20_000_000, '<a href="/x">'))
      return http((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb),
      )
    },
  ],
  [
    'a byte a while',
    { status: null, fault: 'timeout' },
    () =>
      tcp(socket => {
        socket.on('error', () => {})
        socket.write(ok)
        const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write('X')), 50)
        socket.on('close', () => clearInterval(drip))
      }),
  ],
  ['silence', { status: null, fault: 'timeout' }, () => tcp(() => {})],
  [
    'a flood of headers',
    { status: null, fault: 'too_large' },
    () => raw(`HTTP/1.1 200 OK\r\n${'X-Flood: flood\r\n'.repeat(10_000)}\r\n`),
  ],
  ['what is no HTTP', { status: null, fault: 'protocol' }, () => raw('SSH-2.0-OpenSSH\r\n')],
  ['no answer at all', { status: null, fault: 'reset' }, () => tcp(socket => socket.destroy())],
  [
    'a redirect to nowhere',
    { status: null, fault: 'protocol' },
    () => raw('HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n'),
  ],
  [
    'two lengths',
    { status: null, fault: 'protocol' },
    () => raw(`${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
  ],
])('%s ends in a clear word, soon', async (_, expected, open) => {
  await using server = await open()
  const began = performance.now()
  expect(await visit(at(server.port), terms(server.port), reach())).toMatchObject(expected)
  expect(performance.now() - began).toBeLessThan(8_000)
})

test('no page of links makes the agent grow for good, nor stand still for long', async () => {
  const page = Buffer.from(
    Array.from({ length: 100_000 }, (_, number) => `<a href="/p${number}">link number ${number}</a>`).join(''),
  )
  await using server = await http((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page))
  const ticks: number[] = []
  let last = performance.now()
  const timer = setInterval(() => {
    ticks.push(performance.now() - last)
    last = performance.now()
  }, 5)
  const kept = []
  for (let times = 0; times < 3; times++)
    kept.push(
      await visit(at(server.port), terms(server.port, { max_page_bytes: 5_000_000, page_timeout_ms: 10_000 }), reach()),
    )
  clearInterval(timer)
  for (const found of kept) expect([found.links_found, found.links.length]).toEqual([100_000, 1_000])
  expect(Math.max(...ticks)).toBeLessThan(2_000)
})

test('what may not be reached is not asked: neither a link, nor where a redirect leads, nor the robots.txt behind one', async () => {
  let hits = 0
  await using hidden = await http((_, response) => {
    hits++
    response.end()
  }, '127.0.0.2')
  const inside = `http://127.0.0.2:${hidden.port}/`
  await using server = await http((_, response) => response.writeHead(302, { location: inside }).end())
  for (const kind of ['page', 'asset', 'external'] as const) {
    expect(await visit({ url: inside, kind }, terms(server.port), reach())).toMatchObject({
      skipped: 'blocked',
      status: null,
      fault: null,
    })
    const redirected = await visit(at(server.port, kind), terms(server.port), reach())
    expect(redirected).toMatchObject(kind === 'page' ? { status: 302, redirect_to: inside } : { skipped: 'blocked' })
  }
  for (const url of [
    'http://[::ffff:127.0.0.2]/',
    'http://2130706434/',
    'http://169.254.169.254/',
    'http://metadata.google.internal/',
  ])
    expect((await visit({ url, kind: 'external' }, terms(server.port), reach())).skipped, url).toBe('blocked')
  const rules = await robotsOf(new URL(`http://127.0.0.1:${server.port}/`), reach())
  expect(rules.allows(new URL(`http://127.0.0.1:${server.port}/x`))).toBe(false)
  expect(hits).toBe(0)
})

test('whether a link is there is asked without its body, and with it only where that is not understood', async () => {
  const asked: string[] = []
  await using server = await http((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (request.url === '/odd' && request.method === 'HEAD') return response.writeHead(405).end()
    if (request.url === '/gone') return response.writeHead(404).end()
    if (request.url === '/moved') return response.writeHead(301, { location: '/here' }).end()
    return response.end('x')
  })
  const status = async (path: string) =>
    (await visit(at(server.port, 'external', path), terms(server.port), reach())).status
  expect([await status('/here'), await status('/odd'), await status('/gone'), await status('/moved')]).toEqual([
    200, 200, 404, 200,
  ])
  expect(asked).toEqual(['HEAD /here', 'HEAD /odd', 'GET /odd', 'HEAD /gone', 'GET /gone', 'HEAD /moved', 'HEAD /here'])
})

test.each([
  ['none there', () => http((_, response) => response.writeHead(404).end()), true],
  ['a server in trouble', () => http((_, response) => response.writeHead(503).end()), false],
  ['one that says no', () => http((_, response) => response.end('User-agent: *\nDisallow: /')), false],
  ['one without end', () => http((_, response) => response.end('Allow: /x\n'.repeat(500_000))), true],
  ['circles', () => http((_, response) => response.writeHead(302, { location: '/robots.txt' }).end()), true],
])('robots.txt: %s', async (_, open, isAllowed) => {
  await using server = await open()
  const origin = new URL(`http://127.0.0.1:${server.port}/`)
  expect((await robotsOf(origin, reach())).allows(new URL('/page', origin))).toBe(isAllowed)
})

test('links that are shunned, ignored or not asked for are left alone', async () => {
  const html =
    '<a rel=nofollow href=/shunned>x</a><a href=/ignored/1>x</a><a href=/page>x</a><img src=/i.png><a href="http://other.example/">x</a>'
  await using server = await http((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html))
  const links = async (more: Partial<CrawlSettings>) =>
    (await visit(at(server.port), terms(server.port, more), reach())).links.map(
      ({ url, kind }) => `${kind} ${url.replace(`http://127.0.0.1:${server.port}`, '')}`,
    )
  expect(await links({ ignore: ['/ignored/*'] })).toEqual([
    'page /shunned',
    'page /page',
    'asset /i.png',
    'external http://other.example/',
  ])
  expect(
    await links({ ignore: ['/ignored/*', '*other.example*'], respect_nofollow: true, check_assets: false }),
  ).toEqual(['page /page'])
  expect(await links({ check_external: false, check_assets: false })).toEqual([
    'page /shunned',
    'page /ignored/1',
    'page /page',
  ])
})

test('a crawl that is aborted ends at once', async () => {
  await using server = await tcp(() => {})
  const controller = new AbortController()
  const visiting = visit(at(server.port), terms(server.port, { page_timeout_ms: 15_000 }), {
    ...reach(),
    signal: controller.signal,
  })
  await sleep(50)
  const began = performance.now()
  controller.abort()
  await visiting
  expect(performance.now() - began).toBeLessThan(1_000)
})
