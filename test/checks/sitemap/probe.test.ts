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

async function probe(url: string, settings: z.input<typeof kind.settings> = {}) {
  const result = await runCheck('sitemap', { url }, kind.settings.parse(settings), {
    guard,
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

test('the sitemap itself, and every address in it, is vetted', async () => {
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
