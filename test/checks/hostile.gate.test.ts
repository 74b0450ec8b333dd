import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KindName, kinds } from '#checks/index.ts'
import { type RunResult, runCheck } from '#checks/probes.ts'
import type { CheckKind } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http, type Local, raw, tcp } from '#test/checks/servers.ts'

/** Kinds that speak HTTP, and what of their settings brings them to the target at once. */
const web = {
  uptime: { keyword_present: 'x' },
  security_headers: {},
  redirect_chain: {},
  robots_txt: {},
  sitemap: { path: '/sitemap.xml', timeout_ms: 1_000 },
  application_health: {},
} as const satisfies Partial<Record<KindName, object>>
type Web = keyof typeof web
const names = Object.keys(web) as Web[]

const timeoutMs = 500
const guard = new Guard(parseAllowList('127.0.0.1/32'))

/** One run and its cost: milliseconds, and bytes of memory in use afterwards. */
async function cost(name: Web, url: string, by = guard) {
  const kind: CheckKind = kinds[name]
  const settings = kind.settings.parse({ timeout_ms: timeoutMs, ...web[name] })
  const before = process.memoryUsage().rss
  const start = performance.now()
  const result = await runCheck(name, { url }, settings, { guard: by, timeoutMs, now: Date.now })
  return { result, settings, ms: performance.now() - start, grown: process.memoryUsage().rss - before }
}

/**
 * A run against a hostile target ended in time with a result that can be stored and judged, and without a fault of
 * ours.
 */
function expectClear(name: Web, { result, settings, ms, grown }: Awaited<ReturnType<typeof cost>>) {
  const kind: CheckKind = kinds[name]
  // six run at once, and unpacking a bomb up to its cap is work: a machine that is busy gets its time, but no more than
  // this
  expect(ms).toBeLessThan(timeoutMs + 10_000)
  expect(grown).toBeLessThan(200_000_000)
  expect(result.fault?.code).not.toBe('internal')
  if (!result.seen) return
  const seen = kind.seen.parse(result.seen)
  expect(JSON.stringify(seen).length).toBeLessThan(64_000)
  expect(['up', 'warning', 'down', 'unknown']).toContain(
    kind.judge(seen, settings, { at: new Date(), phases: result.phases }).status,
  )
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n'
const endless = (text: string) =>
  tcp(socket => {
    socket.write(`${head}\r\n`)
    const piece = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    more()
  })
const drip = (text: string) =>
  tcp(socket => {
    socket.write(text)
    const timer = setInterval(() => socket.write('x'), 50)
    socket.on('close', () => clearInterval(timer))
  })
const packed = (body: Buffer) =>
  raw([Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`), body], { stays: true })
const page = (body: string) => http((_, response) => response.setHeader('content-type', 'text/html').end(body))

const targets: [string, () => Promise<Local>][] = [
  ['an endless body', () => endless('x')],
  ['an endless sitemap', () => endless('<urlset><url><loc>http://127.0.0.1/</loc></url>')],
  ['an endless nest', () => endless('<a>')],
  ['a bomb', () => packed(gzipSync(Buffer.alloc(100_000_000)))],
  ['a bomb within a bomb', () => packed(gzipSync(gzipSync(Buffer.alloc(100_000_000))))],
  ['a circle of redirects', () => http((_, response) => response.writeHead(302, { location: '/' }).end())],
  [
    'redirects without end',
    () => http((request, response) => response.writeHead(302, { location: `${request.url}x` }).end()),
  ],
  ['a body that drips', () => drip(`${head}content-length: 100000\r\n\r\n`)],
  ['a head that drips', () => drip('HTTP/1.1 200 OK\r\nx-drip: ')],
  ['a flood of headers', () => raw(`${head}${'x-flood: 1\r\n'.repeat(100_000)}\r\n`, { stays: true })],
  ['one header without end', () => raw(`${head}x-long: ${'x'.repeat(1_000_000)}\r\n\r\n`, { stays: true })],
  ['a hundred interim answers', () => raw('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100), { stays: true })],
  [
    'a hundred thousand links',
    () => page('<a href="/x">x</a><script src="//other.test/x.js"></script>'.repeat(100_000)),
  ],
  ['HTML nested and crossed', () => page(`${'<b>'.repeat(50_000)}${'</i>'.repeat(50_000)}`)],
  ['HTML of attributes', () => page(`<a ${Array.from({ length: 50_000 }, (_, n) => `a${n}`).join(' ')}>`)],
  ['malformed HTML', () => page('<!DOCTYPE <html <<<< a="\'" \0 </p <script><!--')],
  [
    'a bomb of XML entities',
    () =>
      page(
        `<!DOCTYPE a [<!ENTITY a "${'a'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]><urlset><url><loc>${'&b;'.repeat(1_000)}</loc></url></urlset>`,
      ),
  ],
  ['JSON nested deep', () => page('['.repeat(500_000))],
  [
    'a policy of a thousand sources',
    () =>
      http((_, response) =>
        response.setHeader('content-security-policy', `script-src ${'https://a.test '.repeat(500)}`).end(),
      ),
  ],
  ['rules without end', () => page(`User-agent: *\n${'Disallow: /*a*a*a*a*a*a\n'.repeat(20_000)}`)],
  ['nothing at all', () => tcp(socket => void socket.resume())],
  ['noise', () => raw(Buffer.from(Array.from({ length: 10_000 }, (_, n) => (n * 7_919) % 256)), { stays: true })],
]

describe.each(targets)('%s', (_, open) => {
  let server: Local
  beforeAll(async () => {
    server = await open()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('ends in time, with a clear result, and its connection is closed', async () => {
    const runs = await Promise.all(
      names.map(async name => [name, await cost(name, `http://127.0.0.1:${server.port}/`)] as const),
    )
    for (const [name, paid] of runs) expectClear(name, paid)
    await expect.poll(() => server.sockets.size).toBe(0)
  })
})

test('a handshake that stalls ends with the deadline, and is reported as such', async () => {
  await using server = await tcp(socket => void socket.resume())
  const runs = await Promise.all(
    names.map(async name => [name, await cost(name, `https://127.0.0.1:${server.port}/`)] as const),
  )
  for (const [name, paid] of runs) {
    expectClear(name, paid)
    expect([name, paid.result.fault?.code, paid.result.fault?.phase]).toEqual([name, 'timeout', 'tls'])
  }
})

test.each<[string, () => Promise<Local>]>([
  ['says nothing', () => tcp(socket => void socket.resume())],
  ['says noise', () => raw(Buffer.from(Array.from({ length: 10_000 }, (_, n) => (n * 7_919) % 256)), { stays: true })],
  ['never ends', () => endless('\x16\x03\x03\xff\xff')],
])('ssl and tcp end in time where a server %s', async (_, open) => {
  await using server = await open()
  for (const name of ['ssl', 'tcp'] as const) {
    const kind: CheckKind = kinds[name]
    const settings = kind.settings.parse({ port: server.port, timeout_ms: timeoutMs })
    const start = performance.now()
    const { fault } = await runCheck(name, { url: 'host://127.0.0.1' }, settings, { guard, timeoutMs, now: Date.now })
    expect(performance.now() - start).toBeLessThan(timeoutMs + 3_000)
    expect(fault?.code).not.toBe('internal')
  }
})

describe.each(names)('%s reaches nothing inside', name => {
  const codeOf = (result: RunResult) => {
    if (result.fault) return result.fault.code
    const { failure, end, status } = result.seen as { failure?: { code: string } | null; end?: string; status?: number }
    return failure?.code ?? end ?? status
  }
  const inside = (port: number) => [
    `http://127.0.0.2:${port}/`,
    `http://127.2:${port}/`,
    `http://2130706434:${port}/`,
    `http://0x7f.0.0.2:${port}/`,
    `http://0177.0.0.2:${port}/`,
    `http://[::ffff:127.0.0.2]:${port}/`,
    `http://[64:ff9b::7f00:2]:${port}/`,
    `http://１２７.0.0.2:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[fd00::1]/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
  ]

  test('neither by its own address nor by a redirect', async () => {
    let hits = 0
    await using server = await http((_, response) => response.end(String(hits++)), '127.0.0.2')
    let location = ''
    await using outside = await http((_, response) =>
      response.writeHead(302, { location, refresh: `0; url=${location}` }).end(),
    )
    for (const url of inside(server.port)) {
      expect((await cost(name, url)).result.fault?.code, url).toBe('blocked')
      location = url.replace(/[^\x20-\x7e]/g, encodeURIComponent)
      expect(codeOf((await cost(name, `http://127.0.0.1:${outside.port}/`)).result), `by way of ${url}`).toBe('blocked')
    }
    expect(hits).toBe(0)
  })

  test('nor by a name that leads there, or that leads there later', async () => {
    let hits = 0
    await using server = await http((_, response) => response.end(String(hits++)), '127.0.0.2')
    let asked = 0
    const flips = new Guard(parseAllowList('127.0.0.1/32'), {
      lookup: async () => [{ address: asked++ % 2 ? '127.0.0.2' : '127.0.0.1', family: 4 }],
    })
    const mixed = new Guard(parseAllowList('127.0.0.1/32'), {
      lookup: async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 },
      ],
    })
    for (let n = 0; n < 10; n++) await cost(name, `http://flips.test:${server.port}/`, flips)
    expect((await cost(name, `http://mixed.test:${server.port}/`, mixed)).result.fault?.code).toBe('blocked')
    expect(hits).toBe(0)
  })

  test('and says the same of a port that is open as of one that is not', async () => {
    await using server = await http((_, response) => response.end(), '127.0.0.2')
    const words = async (url: string) => (await cost(name, url)).result.fault
    expect(await words(`http://127.0.0.2:${server.port}/`)).toEqual(await words('http://127.0.0.2:1/'))
  })
})
