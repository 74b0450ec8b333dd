import { describe, expect, test } from 'vitest'
import { Cookies, parseCookieDate } from '#checks/http/cookies.ts'
import { walk } from '#checks/http/get.ts'
import { kinds, type ProbedKindName } from '#checks/index.ts'
import type { ProbeContext } from '#checks/probe.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http, type Local } from '#test/checks/servers.ts'

const now = Date.parse('2026-11-28T12:00:00Z')
/** What goes to an address after these cookies were set by another. */
function sent(setCookie: string | string[], from: string, to: string, at = now) {
  let clock = now
  const cookies = new Cookies(() => clock)
  cookies.store([setCookie].flat(), new URL(from))
  clock = at
  return cookies.headerFor(new URL(to))
}

describe('a cookie is sent', () => {
  const site = 'https://www.example.com/shop/cart'
  test.each<[string, string | string[], string, string, string]>([
    ['to the address that set it', 'a=1', site, site, 'a=1'],
    ['with an empty value', 'a=', site, site, 'a='],
    ['with an equals sign in its value', 'a=b=c', site, site, 'a=b=c'],
    ['with quotes and spaces within its value', ' a = "b c" ;Path=/', site, site, 'a="b c"'],
    ['without a name', 'seen', site, site, 'seen'],
    ['to no other host', 'a=1', site, 'https://example.com/shop/cart', ''],
    ['to no host below it, where it names no domain', 'a=1', site, 'https://x.www.example.com/shop/cart', ''],
    ['to every host of its domain', 'a=1; Domain=example.com; Path=/', site, 'https://api.example.com/', 'a=1'],
    ['to every host of its domain with a dot', 'a=1; domain=.Example.COM; path=/', site, 'https://example.com/', 'a=1'],
    ['to no domain that it does not lie in', 'a=1; Domain=other.com', site, 'https://other.com/', ''],
    ['not where its domain is another', 'a=1; Domain=other.com', site, site, ''],
    ['not where its domain lies below the host', 'a=1; Domain=x.www.example.com', site, site, ''],
    ['to no domain that only ends alike', 'a=1; Domain=ample.com', site, site, ''],
    ['to no top level', 'a=1; Domain=com; Path=/', site, 'https://other.com/', ''],
    ['to no public suffix', 'a=1; Domain=co.uk; Path=/', 'https://a.co.uk/', 'https://b.co.uk/', ''],
    [
      'to no public suffix of a provider',
      'a=1; Domain=github.io; Path=/',
      'https://a.github.io/',
      'https://b.github.io/',
      '',
    ],
    [
      'to a host that is a public suffix itself',
      'a=1; Domain=github.io; Path=/',
      'https://github.io/',
      'https://github.io/',
      'a=1',
    ],
    ['and then to that host alone', 'a=1; Domain=github.io; Path=/', 'https://github.io/', 'https://b.github.io/', ''],
    ['to an address by its number', 'a=1; Domain=127.0.0.1', 'http://127.0.0.1/', 'http://127.0.0.1/', 'a=1'],
    ['to no number that ends alike', 'a=1; Domain=0.0.1', 'http://127.0.0.1/', 'http://127.0.0.1/', ''],
    ['to an address of IPv6', 'a=1', 'http://[::1]/', 'http://[::1]/', 'a=1'],
    ['with an empty domain as with none', 'a=1; Domain=', site, site, 'a=1'],
    ['to any port', 'a=1', 'http://h.example.com/', 'http://h.example.com:8080/', 'a=1'],
    ['to paths below its own', 'a=1', site, 'https://www.example.com/shop/x/y', 'a=1'],
    ['to the path itself', 'a=1; Path=/shop', site, 'https://www.example.com/shop', 'a=1'],
    ['to no path that only begins alike', 'a=1; Path=/shop', site, 'https://www.example.com/shopping', ''],
    ['to no path above it', 'a=1', site, 'https://www.example.com/', ''],
    ['to any path from the root', 'a=1', 'https://www.example.com/x', 'https://www.example.com/y/z', 'a=1'],
    ['below a path with a slash', 'a=1; Path=/a/', site, 'https://www.example.com/a/b', 'a=1'],
    ['with a path that is none as with none', 'a=1; Path=shop', site, site, 'a=1'],
    ['by paths as they are written', 'a=1; Path=/men%C3%BC', site, 'https://www.example.com/men%C3%BC/x', 'a=1'],
    ['over https where it is secure', 'a=1; Secure', site, site, 'a=1'],
    ['not over http where it is secure', 'a=1; Secure; Path=/', site, 'http://www.example.com/', ''],
    ['over http and https where it is not', 'a=1; Path=/', 'http://www.example.com/', site, 'a=1'],
    ['whatever scripts may do with it', 'a=1; HttpOnly; SameSite=Strict', site, site, 'a=1'],
    ['where its attributes are unknown', 'a=1; Partitioned; Priority=High; ;;', site, site, 'a=1'],
    ['not once it is over at once', 'a=1; Max-Age=0', site, site, ''],
    ['not where it was over before', 'a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT', site, site, ''],
    ['by its age rather than its date', 'a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Max-Age=60', site, site, 'a=1'],
    ['where its age is no number', 'a=1; Max-Age=soon', site, site, 'a=1'],
    ['where its date is none', 'a=1; Expires=tomorrow', site, site, 'a=1'],
    ['by the last attribute of a name', 'a=1; Path=/x; Path=/', site, 'https://www.example.com/', 'a=1'],
    ['not where it holds control characters', 'a=1\x00; Path=/', site, site, ''],
    ['not where it is longer than browsers keep', `a=${'x'.repeat(4_096)}`, site, site, ''],
    [
      'not where a prefix asks for more',
      ['__Secure-a=1', '__Host-b=1; Secure; Path=/; Domain=www.example.com'],
      site,
      site,
      '',
    ],
    [
      'where a prefix is kept',
      ['__Secure-a=1; Secure', '__Host-b=1; Secure; Path=/'],
      site,
      site,
      '__Secure-a=1; __Host-b=1',
    ],
    ['in its newest value', ['a=1', 'b=2', 'a=3'], site, site, 'a=3; b=2'],
    ['not once it was taken back', ['a=1', 'b=2', 'a=; Max-Age=-1'], site, site, 'b=2'],
    ['beside another of its name with another path', ['a=1; Path=/', 'a=2; Path=/shop'], site, site, 'a=2; a=1'],
    ['the longest path first', ['a=1; Path=/', 'b=2; Path=/shop/cart', 'c=3; Path=/shop'], site, site, 'b=2; c=3; a=1'],
  ])('%s', (_, setCookie, from, to, expected) => {
    expect(sent(setCookie, from, to)).toBe(expected)
  })

  test('until its age is over, by the clock of the server', () => {
    expect(sent('a=1; Max-Age=60', site, site, now + 59_000)).toBe('a=1')
    expect(sent('a=1; Max-Age=60', site, site, now + 60_000)).toBe('')
    expect(sent('a=1; Expires=Sat, 28 Nov 2026 12:01:00 GMT', site, site, now + 59_000)).toBe('a=1')
    expect(sent('a=1; Expires=Sat, 28 Nov 2026 12:01:00 GMT', site, site, now + 60_000)).toBe('')
  })

  test('with those of the settings, which it replaces', () => {
    const cookies = new Cookies(() => now)
    expect(cookies.headerFor(new URL(site), 'a=1; b=2')).toBe('a=1; b=2')
    cookies.store(['b=3', 'c=4'], new URL(site))
    expect(cookies.headerFor(new URL(site), 'a=1; b=2')).toBe('a=1; b=3; c=4')
    expect(cookies.headerFor(new URL(site))).toBe('b=3; c=4')
  })

  test('within bounds, however many a site sets', () => {
    const cookies = new Cookies(() => now)
    for (let n = 0; n < 1_000; n++) cookies.store([`a${n}=${'x'.repeat(2_000)}`], new URL(site))
    expect(cookies.headerFor(new URL(site)).length).toBeLessThanOrEqual(65_536)
  })
})

test.each([
  ['Wed, 21 Oct 2015 07:28:00 GMT', '2015-10-21T07:28:00.000Z'],
  ['Wednesday, 21-Oct-15 07:28:00 GMT', '2015-10-21T07:28:00.000Z'],
  ['Wed Oct 21 7:28:00 2015', '2015-10-21T07:28:00.000Z'],
  ['21 oct 2099 07:28:00', '2099-10-21T07:28:00.000Z'],
  ['Thu, 01-Jan-70 00:00:00 GMT', '1970-01-01T00:00:00.000Z'],
  ['Mon, 31 Feb 2027 00:00:00 GMT', null],
  ['21 Oct 2015', null],
  ['07:28:00 GMT', null],
  ['21 Oct 2015 24:00:00', null],
  ['', null],
])('a date of a cookie: %s', (text, expected) => {
  const at = parseCookieDate(text)
  expect(at === undefined ? null : new Date(at).toISOString()).toBe(expected)
})

describe('along redirects', () => {
  const guard = new Guard(parseAllowList('127.0.0.0/8'), { lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
  const context = (): ProbeContext => ({ guard, signal: AbortSignal.timeout(3_000), now: Date.now })
  const run = async (name: ProbedKindName, url: string, settings: object = {}) =>
    runCheck(name, { url }, kinds[name].settings.parse(settings), { guard, timeoutMs: 3_000, now: Date.now })

  /** Answers a request with the cookie, and sends the others here again with it. */
  const gate = (body = 'welcome', type = 'text/html') =>
    http((request, reply) => {
      if (/(^|; )seen=1(;|$)/.test(request.headers.cookie ?? ''))
        return reply.writeHead(200, { 'content-type': type, 'x-frame-options': 'DENY' }).end(body)
      reply.writeHead(302, { location: request.url, 'set-cookie': 'seen=1; Path=/; HttpOnly' }).end()
    })

  test('every check comes to the page behind a redirect to itself with a cookie', async () => {
    const report = JSON.stringify({ status: 'ok', checks: [] })
    const sitemap = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>'
    const cases: [ProbedKindName, string, string, object, object][] = [
      ['uptime', 'welcome', 'text/html', { keyword_present: 'welcome' }, { status: 200, redirects: 1 }],
      ['redirect_chain', 'welcome', 'text/html', {}, { end: 'arrived' }],
      ['security_headers', '<p>welcome', 'text/html', {}, { status: 200 }],
      ['robots_txt', 'User-agent: *\nAllow: /', 'text/plain', {}, { status: 200, state: 'read' }],
      ['sitemap', sitemap, 'application/xml', { path: '/sitemap.xml' }, { status: 200, root: 'urlset' }],
      ['application_health', report, 'application/json', {}, { http_status: 200, status: 'ok' }],
    ]
    for (const [name, body, type, settings, seen] of cases) {
      await using site = await gate(body, type)
      const result = await run(name, `http://127.0.0.1:${site.port}/`, settings)
      expect([name, result.seen]).toMatchObject([name, seen])
    }
  })

  test('a cookie that changes nothing leads in a circle', async () => {
    await using site = await http((_, reply) => reply.writeHead(302, { location: '/', 'set-cookie': 'n=1' }).end())
    const url = `http://127.0.0.1:${site.port}/`
    expect((await run('uptime', url)).fault?.code).toBe('too_many_redirects')
    expect((await run('redirect_chain', url)).seen).toMatchObject({ end: 'loop' })
  })

  test('a cookie that changes each time ends as too many', async () => {
    let n = 0
    await using site = await http((_, reply) => reply.writeHead(302, { location: '/', 'set-cookie': `n=${n++}` }).end())
    const url = `http://127.0.0.1:${site.port}/`
    expect((await run('uptime', url)).fault?.code).toBe('too_many_redirects')
    expect((await run('redirect_chain', url)).seen).toMatchObject({ end: 'too_many' })
  })

  test('a cookie goes where it belongs, over hosts and back', async () => {
    const asked: string[] = []
    await using site: Local = await http((request, reply) => {
      const { host = '', cookie = '' } = request.headers
      asked.push(`${host.split(':')[0]}${request.url} ${cookie}`)
      const at = (name: string, path: string) => `http://${name}:${site.port}${path}`
      const steps: Record<string, [string, string[]]> = {
        '/1': [at('login.example.com', '/2'), ['session=s; Domain=example.com; Path=/', 'own=o', 'deep=d; Path=/deep']],
        '/2': [at('other.test', '/3'), ['login=l']],
        '/3': [at('www.example.com', '/4'), ['session=evil; Domain=example.com', 'other=x']],
      }
      const step = steps[request.url ?? '']
      if (!step) return reply.end('welcome')
      reply.writeHead(302, { location: step[0], 'set-cookie': step[1] }).end()
    })
    const start = new URL(`http://www.example.com:${site.port}/1`)
    const { end } = await walk(start, context(), { maxBytes: 100, maxHops: 5 })
    expect(end.code).toBe('arrived')
    expect(asked).toEqual([
      'www.example.com/1 ',
      'login.example.com/2 session=s',
      'other.test/3 ',
      'www.example.com/4 session=s; own=o',
    ])
    asked.length = 0
    await run('uptime', start.href)
    expect(asked.at(-1)).toBe('www.example.com/4 session=s; own=o')
  })

  test('cookies of the settings stay at the monitor’s own origin', async () => {
    const asked: (string | undefined)[] = []
    await using other = await http((request, reply) => {
      asked.push(request.headers.cookie)
      reply.end()
    })
    await using site = await http((request, reply) => {
      asked.push(request.headers.cookie)
      if (request.url === '/') return reply.writeHead(302, { location: '/b', 'set-cookie': 'new=2' }).end()
      reply.writeHead(302, { location: `http://other.test:${other.port}/` }).end()
    })
    await run('uptime', `http://www.example.com:${site.port}/`, { headers: { Cookie: 'mine=1' } })
    expect(asked).toEqual(['mine=1', 'mine=1; new=2', undefined])
  })

  test('each run begins without cookies', async () => {
    const asked: (string | undefined)[] = []
    await using site = await http((request, reply) => {
      asked.push(request.headers.cookie)
      if (request.headers.cookie) return reply.end()
      reply.writeHead(302, { location: '/', 'set-cookie': 'a=1' }).end()
    })
    for (let n = 0; n < 2; n++) await run('uptime', `http://127.0.0.1:${site.port}/`)
    expect(asked).toEqual([undefined, 'a=1', undefined, 'a=1'])
  })

  test('a hop that a cookie leads to is checked by the guard as any other', async () => {
    let hits = 0
    await using inside = await http((_, reply) => reply.end(String(hits++)), '127.0.0.2')
    const narrow = new Guard(parseAllowList('127.0.0.1'))
    await using site = await http((request, reply) => {
      if (!request.headers.cookie) return reply.writeHead(302, { location: '/', 'set-cookie': 'a=1' }).end()
      reply.writeHead(302, { location: `http://127.0.0.2:${inside.port}/` }).end()
    })
    const settings = kinds.uptime.settings.parse({})
    const { fault } = await runCheck('uptime', { url: `http://127.0.0.1:${site.port}/` }, settings, {
      guard: narrow,
      timeoutMs: 3_000,
      now: Date.now,
    })
    expect([fault?.code, hits]).toEqual(['blocked', 0])
  })
})
