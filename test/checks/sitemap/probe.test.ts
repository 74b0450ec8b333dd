import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http } from '#test/checks/servers.ts'

const kind = kinds.sitemap
const guard = new Guard(parseAllowList('127.0.0.1/32'))

const near = new Guard(parseAllowList('127.0.0.0/8,::1/128'))

async function probe(url: string, settings: z.input<typeof kind.settings> = {}, through = guard) {
  const result = await runCheck('sitemap', { url }, kind.settings.parse(settings), {
    guard: through,
    timeoutMs: 10_000,
    now: Date.now,
  })
  return { result, seen: result.seen ? kind.seen.parse(result.seen) : undefined }
}

/** Serves what is said of each path, `$` being its own origin. */
const serving = (pages: Record<string, string | Buffer | number>, headers: Record<string, string> = {}) =>
  http((request, response) => {
    const page = pages[request.url ?? ''] ?? 404
    if (typeof page === 'number') response.writeHead(page, page === 301 ? { location: '/elsewhere' } : {}).end()
    else
      response
        .writeHead(200, headers)
        .end(typeof page === 'string' ? page.replaceAll('$', `http://${request.headers.host}`) : page)
  })
const urlset = (...paths: string[]) => `<urlset>${paths.map(path => `<url><loc>${path}</loc></url>`).join('')}</urlset>`
const codes = (seen: z.output<typeof kind.seen> | undefined) => seen?.problems.map(({ code, count }) => [code, count])

test('what robots.txt names is read, an index and its sitemaps, and some addresses are requested', async () => {
  await using server = await serving({
    '/robots.txt': 'Sitemap: $/index.xml',
    '/index.xml':
      '<sitemapindex><sitemap><loc>$/1.xml</loc><lastmod>2026-01-01</lastmod></sitemap><sitemap><loc>$/2.xml</loc></sitemap><sitemap><loc>$/gone.xml</loc></sitemap></sitemapindex>',
    '/1.xml': urlset('$/a', '$/b', '$/gone'),
    '/2.xml': urlset('$/moved', 'http://10.0.0.1/'),
    '/a': 'a',
    '/b': 'b',
    '/moved': 301,
  })
  const { seen } = await probe(`http://127.0.0.1:${server.port}/start`)
  expect(seen).toMatchObject({
    root: 'sitemapindex',
    named: 3,
    read: 3,
    urls: 5,
    cut_short: false,
    newest: '2026-01-01T00:00:00.000Z',
  })
  expect(seen?.sampled.map(({ url, status }) => [new URL(url).pathname, status]).toSorted()).toEqual([
    ['/a', 200],
    ['/b', 200],
    ['/gone', 404],
    ['/moved', 301],
  ])
  expect(codes(seen)).toEqual([
    ['child_unreachable', 1],
    ['broken_url', 1],
    ['redirected_url', 1],
    ['foreign_url', 1],
  ])
})

test.each<[string, (xml: string) => Buffer, Record<string, string>, boolean]>([
  ['plain', xml => Buffer.from(xml), {}, false],
  ['packed on the way', xml => gzipSync(xml), { 'content-encoding': 'gzip' }, false],
  ['packed as a file', xml => gzipSync(xml), { 'content-type': 'application/x-gzip' }, true],
  ['packed as a file and on the way', xml => gzipSync(gzipSync(xml)), { 'content-encoding': 'gzip' }, true],
])('a sitemap %s', async (_, pack, headers, gzip) => {
  const xml = urlset(...Array.from({ length: 20_000 }, (_, n) => `http://127.0.0.1/${n}`))
  await using server = await serving({ '/sitemap.xml.gz': pack(xml) }, headers)
  expect((await probe(`http://127.0.0.1:${server.port}/`, { path: '/sitemap.xml.gz', sample: 0 })).seen).toMatchObject({
    urls: 20_000,
    bytes: xml.length,
    gzip,
    problems: [],
  })
})

const formats: [name: string, type: string, body: string][] = [
  ['a list', 'text/plain', '$/a\n$/b\n'],
  [
    'RSS 2.0',
    'application/rss+xml',
    '<rss version="2.0"><channel><item><link>$/a</link></item><item><link>$/b</link></item></channel></rss>',
  ],
  [
    'Atom 1.0',
    'application/atom+xml',
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="$/a"/></entry><entry><link href="$/b"/></entry></feed>',
  ],
  ['a sitemap', 'text/html', urlset('$/a', '$/b')],
]
for (const [name, type, body] of formats)
  test.each<[string, (text: string) => Buffer, Record<string, string>]>([
    ['plain', Buffer.from, { 'content-type': type }],
    ['of another type', Buffer.from, { 'content-type': 'application/octet-stream' }],
    ['packed on the way', text => gzipSync(text), { 'content-type': type, 'content-encoding': 'gzip' }],
    ['packed as a file', text => gzipSync(text), { 'content-type': 'application/gzip' }],
  ])(`${name} named in robots.txt is read, %s`, async (_, pack, headers) => {
    await using server = await http((request, response) => {
      const own = `http://${request.headers.host}`
      if (request.url === '/robots.txt') response.end(`Sitemap: ${own}/addresses`)
      else if (request.url === '/addresses') response.writeHead(200, headers).end(pack(body.replaceAll('$', own)))
      else response.end('a page')
    })
    const { seen } = await probe(`http://127.0.0.1:${server.port}/`)
    expect(seen).toMatchObject({ urls: 2, problems: [], read: 1, named: 0 })
    expect(seen?.sampled.map(({ status }) => status)).toEqual([200, 200])
  })

test('all sitemaps that robots.txt names are read, indexes and those of other hosts too', async () => {
  await using elsewhere = await http((request, response) => {
    response.end(request.url === '/2.xml' ? urlset(`http://127.0.0.1:${server.port}/c`, 'http://third.test/') : '')
  }, '127.0.0.2')
  await using server = await serving({
    '/robots.txt': `Sitemap: $/1.txt\nSitemap: /index.xml\nSitemap: http://127.0.0.2:${elsewhere.port}/2.xml\nSitemap: $/gone.xml\nSitemap: mailto:x@example.com`,
    '/1.txt': '$/a',
    '/index.xml':
      '<sitemapindex><sitemap><loc>$/3.xml</loc></sitemap><sitemap><loc>$/index.xml</loc></sitemap></sitemapindex>',
    '/3.xml': urlset('$/b'),
    '/a': 'a',
    '/b': 'b',
    '/c': 'c',
  })
  const { seen } = await probe(`http://127.0.0.1:${server.port}/`, { sample: 50 }, near)
  expect(seen).toMatchObject({ root: 'text', urls: 4, read: 5, named: 5 })
  expect(seen?.sampled.map(({ url }) => new URL(url).pathname).toSorted()).toEqual(['/a', '/b', '/c'])
  expect(codes(seen)).toEqual([
    ['nested_index', 1],
    ['child_unreachable', 1],
    ['foreign_url', 1],
  ])
})

test('addresses of the host that the sitemap redirects to are no others', async () => {
  await using server = await http((request, response) => {
    if (request.headers.host?.startsWith('127.'))
      response.writeHead(301, { location: `http://localhost:${server.port}${request.url}` }).end()
    else if (request.url === '/map.xml') response.end(urlset(`http://localhost:${server.port}/a`))
    else response.end()
  })
  const { seen } = await probe(`http://127.0.0.1:${server.port}/`, { path: '/map.xml' }, near)
  expect(seen).toMatchObject({ urls: 1, problems: [], sampled: [{ status: 200 }] })
})

test.each(['fails', 'is not there', 'leads in a circle', 'ends in the middle'])(
  'a robots.txt that %s leaves the usual place',
  async how => {
    await using server = await http((request, response) => {
      const own = `http://${request.headers.host}`
      if (request.url !== '/robots.txt') response.end(request.url === '/sitemap.xml' ? urlset(`${own}/a`) : 'a')
      else if (how === 'fails') response.writeHead(503).end()
      else if (how === 'is not there') response.writeHead(404).end(`Sitemap: ${own}/none.xml`)
      else if (how === 'leads in a circle') response.writeHead(301, { location: '/robots.txt' }).end()
      else request.socket.destroy()
    })
    expect((await probe(`http://127.0.0.1:${server.port}/`)).seen).toMatchObject({ urls: 1, problems: [] })
  },
)

test('what is missing, failing, broken or too large says so', async () => {
  const bomb = gzipSync(Buffer.concat([Buffer.from('<urlset>'), Buffer.alloc(60_000_000, 32)]))
  await using server = await serving({
    '/fails.xml': 503,
    '/bomb.xml.gz': bomb,
    '/broken.xml.gz': Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
  })
  const at = async (path: string) => codes((await probe(`http://127.0.0.1:${server.port}/`, { path })).seen)
  expect(await at('/none.xml')).toEqual([['missing', 1]])
  expect(await at('/fails.xml')).toEqual([['unreachable', 1]])
  expect(await at('/bomb.xml.gz')).toEqual([['too_large', 1]])
  expect(await at('/broken.xml.gz')).toEqual([['broken_archive', 1]])
})

test('the sitemap itself, and every address in it, is validated', async () => {
  expect((await probe('http://10.0.0.1/')).result.fault?.code).toBe('blocked')
  let hits = 0
  await using inside = await http((_, response) => response.end(String(hits++)), '127.0.0.2')
  await using server = await serving({
    '/sitemap.xml': `<sitemapindex><sitemap><loc>http://127.0.0.2:${inside.port}/</loc></sitemap></sitemapindex>`,
    '/urls.xml': urlset(`http://127.0.0.2:${inside.port}/a`),
  })
  await probe(`http://127.0.0.1:${server.port}/`, { path: '/sitemap.xml' })
  await probe(`http://127.0.0.1:${server.port}/`, { path: '/urls.xml' })
  expect(hits).toBe(0)
})
