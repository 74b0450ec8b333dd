import { describe, expect, test } from 'vitest'
import { absolute, isFile, isSameSite, isSpiral, keyOf, shapeOf } from '#checks/crawl/address.ts'
import { isBroken, isTransient } from '#checks/crawl/broken.ts'
import { linksOfStyle } from '#checks/crawl/css.ts'
import { admit, type Candidate, othersLimit, shapeLimit } from '#checks/crawl/frontier.ts'
import { type FoundLink, linksOf } from '#checks/crawl/links.ts'
import { fits, isIgnored } from '#checks/crawl/patterns.ts'
import { longestDelayMs, readRobots, rulesOf } from '#checks/crawl/robots.ts'
import { mixedOf } from '#checks/crawl/visit.ts'

const page = 'https://shop.example/a/b.html'
const found = async (html: string) =>
  (await linksOf(html, page)).links.map(({ href, use, element, text }) =>
    [href, use, element, text].filter(Boolean).join(' '),
  )

describe('links of a page', () => {
  test.each([
    ['<a href="/x">To <b>the</b>\n  thing</a>', ['/x follow a To the thing']],
    ['<a href=x.html>x', ['x.html follow a x']],
    ['<a href="/x"><img src="y.png" alt="a picture"></a>', ['/x follow a a picture', 'y.png passive img a picture']],
    ['<A HREF="/upper">U</A>', ['/upper follow a U']],
    ['<a href="?a=1&amp;b=2">&auml;</a>', ['?a=1&b=2 follow a ä']],
    ['<area href="/map">', ['/map follow area']],
    [
      '<link rel="stylesheet" href="s.css"><link rel="icon" href="i.ico">',
      ['s.css active stylesheet', 'i.ico passive link'],
    ],
    ['<link rel="canonical" href="/c"><link rel="preconnect" href="https://cdn.example">', ['/c follow link']],
    ['<script src="s.js"></script><script>var a = "<a href=/no>"</script>', ['s.js active script']],
    [
      '<iframe src="/frame"></iframe><embed src="e"><object data="o"></object>',
      ['/frame active iframe', 'e active embed', 'o active object'],
    ],
    [
      '<img srcset="one.jpg 1x, two.jpg 2x" src=zero.jpg>',
      ['zero.jpg passive img', 'one.jpg active img', 'two.jpg active img'],
    ],
    [
      '<picture><source srcset="a.webp 480w,\n b.webp 800w"></picture>',
      ['a.webp active source', 'b.webp active source'],
    ],
    [
      '<video poster=p.jpg><source src=v.mp4></video><audio src=s.mp3>',
      ['p.jpg passive video', 'v.mp4 passive source', 's.mp3 passive audio'],
    ],
    ['<form action="/send"><button formaction="/other">', ['/send send form', '/other send button']],
    ['<form action=""><input type=image src=b.png>', ['b.png passive input']],
    ['<meta http-equiv="Refresh" content="5; URL=\'/next\'">', ['/next follow meta']],
    ['<meta http-equiv=refresh content="0;/now">', ['/now follow meta']],
    ['<meta http-equiv=refresh content="60">', []],
    ['<div style="background: url(\'bg.png\')">', ['bg.png passive style']],
    [
      '<style>@import "i.css"; /* url(no.png) */ @font-face { src: url(f.woff2) } p { background: url( "p.png" ) }</style>',
      ['i.css active style', 'f.woff2 active style', 'p.png passive style'],
    ],
    ['<!-- <a href="/commented"> -->', []],
    ['<a href="/1"><a href="/2">two</a></a></b></i><<<a href="/3"', ['/1 follow a', '/2 follow a two']],
    ['<a name="anchor"><a href>', [' follow a'].map(text => text.trim())],
  ])('%s', async (html, expected) => expect(await found(html)).toEqual(expected))

  test('base, nofollow and upgrades are the page’s own', async () => {
    const links = await linksOf(
      '<base href="//cdn.example/x/"><base href="/second"><meta name="robots" content="index, NOFOLLOW"><a rel="ugc nofollow" href="y">',
      page,
    )
    expect(links).toMatchObject({ base: 'https://cdn.example/x/', isNofollow: true, isUpgrading: false })
    expect(links.links[0]).toMatchObject({ isNofollow: true })
    const upgrading = await linksOf(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'self'; upgrade-insecure-requests">`,
      page,
    )
    expect(upgrading.isUpgrading).toBe(true)
  })

  test.each([
    ['100,000 links', '<a href="/page?number=">x</a>'.repeat(100_000)],
    ['open tags without end', '<div><a href="/x"'.repeat(60_000)],
    ['a million brackets', '<'.repeat(1_000_000)],
    ['nesting without end', '<div>'.repeat(200_000)],
    ['one attribute of a megabyte', `<a href="${'a'.repeat(1_000_000)}">`],
    ['entities without end', '&amp'.repeat(300_000)],
    ['styles that begin and never end', `<style>${'url('.repeat(250_000)}`],
    ['imports with nothing to import', `<style>@import${' '.repeat(1_000_000)}`],
    ['comments in styles', `<style>${'/*'.repeat(500_000)}`],
    ['a set of very many pictures', `<img srcset="${'a.jpg 1x, '.repeat(100_000)}">`],
    ['refreshes', `<meta http-equiv=refresh content="${'0; '.repeat(300_000)}">`],
  ])('%s are read within a moment, and few are kept', async (_, html) => {
    const began = performance.now()
    const { links } = await linksOf(html, page)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(links.length).toBeLessThanOrEqual(20_000)
    for (const { text } of links) expect(text.length).toBeLessThanOrEqual(100)
  })
})

test.each([
  ['x', 'https://shop.example/a/x'],
  ['//other.example', 'https://other.example/'],
  ['?q=1#top', 'https://shop.example/a/b.html?q=1'],
  ['#top', 'https://shop.example/a/b.html'],
  [' /tab\there ', 'https://shop.example/tabhere'],
  ['https://me:secret@shop.example/', 'https://shop.example/'],
  ['/x?utm_source=a&id=3&gclid=9', 'https://shop.example/x?id=3'],
  ['/x;jsessionid=12AB', 'https://shop.example/x'],
  ['/x?', 'https://shop.example/x'],
  ['HTTP://SHOP.example:80/ä', 'http://shop.example/%C3%A4'],
  ['mailto:a@b.example', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['ftp://shop.example/', null],
  ['http://', null],
  [`/${'x'.repeat(2_000)}`, null],
])('the link %s is asked for as %s', (href, expected) => expect(absolute(href, page)?.href ?? null).toBe(expected))

test.each([
  ['https://a.example/x?b=2&a=1', 'https://a.example/x?a=1&b=2', true],
  ['https://a.example/%7euser', 'https://a.example/~user', true],
  ['https://a.example/%c3%a4', 'https://a.example/%C3%A4', true],
  ['https://a.example/x', 'https://a.example/x/', false],
  ['https://a.example/X', 'https://a.example/x', false],
  ['https://a.example/x', 'http://a.example/x', false],
  ['https://a.example/%2f', 'https://a.example//', false],
])('%s and %s are the same: %s', (one, other, isSame) =>
  expect(keyOf(new URL(one)) === keyOf(new URL(other))).toBe(isSame),
)

test.each([
  ['https://shop.example/', false, true],
  ['http://www.shop.example/', false, true],
  ['https://blog.shop.example/', false, false],
  ['https://blog.shop.example/', true, true],
  ['https://notshop.example/', true, false],
  ['https://shop.example:8443/', true, false],
  ['https://shop.example.evil.example/', true, false],
])('%s is of the site, with sub-domains %s: %s', (url, withSubdomains, isOwn) =>
  expect(isSameSite(new URL(url), new URL('https://www.shop.example/start'), withSubdomains)).toBe(isOwn),
)

test('files are distinguished from pages by their names', () => {
  expect(['/a.PDF', '/a.jpg', '/x/s.css', '/a.mjs'].every(path => isFile(new URL(path, page)))).toBe(true)
  expect(['/', '/a', '/a.html', '/a.php', '/pdf', '/a.pdf/b'].some(path => isFile(new URL(path, page)))).toBe(false)
})

test('what may go on without end has a shape', () => {
  const shape = (path: string) => shapeOf(new URL(path, page))
  expect(shape('/calendar/2026/11/21')).toBe(shape('/calendar/1999/1/2'))
  expect(shape('/list?page=1&sort=a')).toBe(shape('/list?sort=b&page=77'))
  expect(shape('/product/1234')).toBeNull()
  expect(shape('/about')).toBeNull()
  expect(isSpiral(new URL('/a/b/a/b/a/b/a', page))).toBe(true)
  expect(isSpiral(new URL(`/${'x/y/z'.split('/').join('/')}`, page))).toBe(false)
})

test.each([
  ['*', 'anything', true],
  ['/shop/*', '/shop/', true],
  ['/shop/*', '/shopping', false],
  ['*logout*', 'https://a.example/user/logout?x', true],
  ['/a*b*c', '/a--b--c', true],
  ['/a*b*c', '/a--c--b', false],
  ['/a.b', '/axb', false],
  ['/(a+)+$', '/(a+)+$', true],
  ['', '', true],
])('the pattern %s fits %s: %s', (pattern, text, does) => expect(fits(pattern, text)).toBe(does))

test('no pattern takes long', () => {
  const began = performance.now()
  expect(
    isIgnored(
      new URL(`https://a.example/${'a'.repeat(1_900)}`),
      Array.from({ length: 50 }, () => `${'*a'.repeat(99)}b`),
    ),
  ).toBe(false)
  expect(performance.now() - began).toBeLessThan(1_000)
})

describe('robots.txt', () => {
  const url = new URL('https://shop.example/robots.txt')
  const allows = (text: string, path: string) => readRobots(text).allows(new URL(path, url))

  test.each([
    ['User-agent: *\nDisallow: /private', '/private/x', false],
    ['User-agent: *\nDisallow: /private', '/public', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: VedetteCrawler\nDisallow: /only', '/x', true],
    ['User-agent: *\nAllow: /\n\nUser-agent: vedettecrawler/9\nDisallow: /', '/x', false],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf?z', true],
    ['User-agent: a\nUser-agent: VedetteCrawler\nDisallow: /x', '/x', false],
    ['User-agent: *\nDisallow:', '/x', true],
    ['', '/x', true],
    ['<html>not found</html>', '/x', true],
    ['\uFEFFUser-agent: *\nDisallow: /', '/x', false],
  ])('%j lets us to %s: %s', (text, path, does) => expect(allows(text, path)).toBe(does))

  test('a delay is kept to, within reason', () => {
    expect(readRobots('User-agent: *\nCrawl-delay: 3').delayMs).toBe(3_000)
    expect(readRobots('User-agent: *\nCrawl-delay: 86400').delayMs).toBe(longestDelayMs)
    expect(readRobots('User-agent: *\nCrawl-delay: -1').delayMs).toBe(0)
    expect(readRobots('User-agent: *\nCrawl-delay: NaN').delayMs).toBe(0)
  })

  test('none there allows everything, a server in trouble nothing', () => {
    const may = (status: number) => rulesOf({ status, text: '', truncated: false }).allows(new URL('/x', url))
    expect([200, 404, 403, 410, 500, 503].map(may)).toEqual([true, true, true, true, false, false])
  })

  test('half a rule at the end of what is read is none', () => {
    const text = 'User-agent: *\nDisallow: /private\nDisallow: /'
    const may = (truncated: boolean) => rulesOf({ status: 200, text, truncated }).allows(new URL('/x', url))
    expect([may(false), may(true)]).toEqual([false, true])
  })

  test('patterns made to keep us busy do not', () => {
    const hostile = `User-agent: *\n${`Disallow: /${'*a'.repeat(400)}b\n`.repeat(600)}`
    const began = performance.now()
    const rules = readRobots(hostile)
    for (let i = 0; i < 20; i++) rules.allows(new URL(`/${'a'.repeat(1_900)}`, url))
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

describe('the frontier', () => {
  const candidate = (path: string, more: Partial<Candidate> = {}): Candidate => ({
    url: new URL(path, page).href,
    key: path,
    kind: 'page',
    depth: 1,
    hops: 0,
    shape: shapeOf(new URL(path, page)),
    ...more,
  })
  const none = { pages: 0, others: 0, shapes: new Map<string, number>() }
  const limits = { pages: 100, others: othersLimit(100), depth: 3, hops: 10 }

  test('takes pages up to the limit, depth and redirects included', () => {
    const pages = Array.from({ length: 102 }, (_, number) => candidate(`/p${number}`))
    expect(admit(pages, none, limits)).toMatchObject({ accepted: { length: 100 }, refused: { pages: 2 } })
    expect(admit(pages, { ...none, pages: 99 }, limits).accepted).toHaveLength(1)
    expect(admit([candidate('/a', { depth: 3 }), candidate('/b', { depth: 4 })], none, limits)).toMatchObject({
      accepted: [{ key: '/a' }],
      refused: { depth: 1 },
    })
    expect(admit([candidate('/a', { hops: 10 }), candidate('/b', { hops: 11 })], none, limits)).toMatchObject({
      accepted: [{ key: '/a' }],
      refused: { redirects: 1 },
    })
  })

  test('an endless calendar and endless queries take a share and no more', () => {
    const days = Array.from({ length: 1_000 }, (_, day) => candidate(`/calendar/2026/${day}`))
    const queries = Array.from({ length: 1_000 }, (_, number) => candidate(`/search?q=${number}`))
    expect(admit([...days, ...queries], none, limits)).toMatchObject({
      accepted: { length: 2 * shapeLimit(100) },
      refused: { trap: 2_000 - 2 * shapeLimit(100) },
    })
    expect(admit([candidate('/a/b/a/b/a/b/a/b')], none, limits).refused).toEqual({ trap: 1 })
  })

  test('assets and links elsewhere have a limit of their own', () => {
    const links = Array.from({ length: 600 }, (_, number) =>
      candidate(`/i${number}.png`, { kind: number % 2 ? 'asset' : 'external', depth: 9 }),
    )
    expect(admit(links, { ...none, pages: 100 }, limits)).toMatchObject({
      accepted: { length: 500 },
      refused: { links: 100 },
    })
  })
})

test.each([
  ['page', 200, null, null, false, false],
  ['page', 301, null, null, false, false],
  ['page', 404, null, null, true, false],
  ['page', 403, null, null, true, false],
  ['page', 500, null, null, true, true],
  ['page', 302, 'too_many_redirects', null, true, true],
  ['external', 403, null, null, false, false],
  ['external', 404, null, null, true, false],
  ['external', 999, null, null, false, false],
  ['external', null, 'dns_not_found', null, true, true],
  ['asset', null, 'tls_failed', null, true, true],
  ['asset', null, 'timeout', null, true, true],
  ['external', null, null, 'blocked', false, false],
  ['page', null, null, 'robots', false, false],
  ['external', null, 'resolver_unavailable', null, false, true],
] as const)(
  'a link to a %s with status %s, fault %s, skipped %s is broken: %s, and may pass: %s',
  (kind, status, fault, skipped, broken, passing) => {
    expect(isBroken({ kind, status, fault, skipped }, [401, 403, 405, 429, 999])).toBe(broken)
    expect(skipped === null && isTransient({ status, fault })).toBe(passing)
  },
)

test('mixed content is what a secure page loads or sends without security, by kind', () => {
  const link = (href: string, use: FoundLink['use'], element: string): FoundLink => ({
    href,
    use,
    element,
    text: '',
    isNofollow: false,
  })
  const links = [
    link('http://cdn.example/s.js', 'active', 'script'),
    link('http://cdn.example/s.js', 'active', 'script'),
    link('http://cdn.example/p.png', 'passive', 'img'),
    link('//cdn.example/q.png', 'passive', 'img'),
    link('http://shop.example/send', 'send', 'form'),
    link('http://shop.example/page', 'follow', 'a'),
    link('relative.png', 'passive', 'img'),
  ]
  expect(mixedOf(new URL(page), links, page)).toEqual({
    mixed_counts: { active: 1, passive: 1, form: 1 },
    mixed: [
      { url: 'http://cdn.example/s.js', element: 'script', kind: 'active' },
      { url: 'http://shop.example/send', element: 'form', kind: 'form' },
      { url: 'http://cdn.example/p.png', element: 'img', kind: 'passive' },
    ],
  })
  expect(mixedOf(new URL(page), [link('r.png', 'passive', 'img')], 'http://base.example/').mixed_counts.passive).toBe(1)
  expect(mixedOf(new URL('http://shop.example/'), links, page).mixed).toEqual([])
})

test('what a style sheet loads', () => {
  const all = (css: string) => [...linksOfStyle(css)].map(({ href, isActive }) => `${href}${isActive ? ' active' : ''}`)
  expect(all(`@import url("a.css"); @import 'b.css'; p { background: url(c.png), url('d e.png') }`)).toEqual([
    'a.css active',
    'b.css active',
    'c.png',
    'd e.png',
  ])
  expect(all('p { background: url(data:image/png;base64,AAAA); mask: url(#m) }')).toEqual([])
  expect(all('@font-face { src: url("f.woff2?v=1") }')).toEqual(['f.woff2?v=1 active'])
})
