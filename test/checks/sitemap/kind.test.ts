import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { Entries } from '#checks/sitemap/entries.ts'
import { Problems } from '#checks/sitemap/problems.ts'
import { Sample } from '#checks/sitemap/sample.ts'
import { noPhases } from '#contract/check.ts'

const kind = kinds.sitemap
const now = Date.parse('2026-11-21T12:00:00Z')

function read(xml: string, piece = 50) {
  const problems = new Problems()
  const urls: string[] = []
  const entries = new Entries(new URL('https://example.com/sitemap.xml'), problems, now, url => urls.push(url.href))
  for (let at = 0; at < xml.length && entries.write(xml.slice(at, at + piece)); at += piece);
  entries.end()
  entries.judgeHosts(new Set(['example.com', 'www.example.com']))
  return {
    root: entries.root,
    count: entries.count,
    newest: entries.newest,
    urls,
    problems: problems.list().map(({ code, count }) => [code, count]),
  }
}
const urlset = (...entries: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`
const entry = (loc: string, more = '') => `<url><loc>${loc}</loc>${more}</url>`

describe('a sitemap', () => {
  test.each<[string, string, ReturnType<typeof read>['problems'], number]>([
    ['of one', urlset(entry('https://example.com/a')), [], 1],
    [
      'with what others add',
      urlset(
        entry(
          'https://example.com/a',
          '<xhtml:link rel="alternate" hreflang="de" href="x"/><image:image><image:loc>https://cdn.test/i.png</image:loc></image:image>',
        ),
      ),
      [],
      1,
    ],
    [
      'with entities and sections',
      urlset(entry('https://example.com/?a=1&amp;b=2'), entry('<![CDATA[https://example.com/b]]>')),
      [],
      2,
    ],
    ['with a prefix', '<s:urlset xmlns:s="x"><s:url><s:loc>https://example.com/a</s:loc></s:url></s:urlset>', [], 1],
    ['that is an index', '<sitemapindex><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>', [], 1],
    ['that is empty', urlset(), [['empty', 1]], 0],
    ['that is a page', '<!DOCTYPE html><html><body>', [['doctype', 1]], 0],
    ['that is an empty feed', '<rss><channel></channel></rss>', [['empty', 1]], 0],
    ['that is a feed of RSS 1.0', '<rdf:RDF xmlns:rdf="x"><item/></rdf:RDF>', [['not_a_sitemap', 1]], 0],
    ['that is a text of words', 'Not found', [['not_a_sitemap', 1]], 0],
    ['that is a text that begins with a path', '/a\nhttps://example.com/b', [['not_a_sitemap', 1]], 0],
    ['that is JSON', '{"urls": ["https://example.com/"]}', [['not_a_sitemap', 1]], 0],
    ['that is blank', '\ufeff \n\n', [['not_a_sitemap', 1]], 0],
    ['that is nothing', '', [['not_a_sitemap', 1]], 0],
    ['that is cut off', urlset(entry('https://example.com/a')).slice(0, -9), [['malformed', 1]], 1],
    ['with tags crossed', '<urlset><url><loc>https://example.com/a</url></urlset>', [['malformed', 1]], 1],
    [
      'with a bomb of entities',
      '<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;">]><urlset><url><loc>&m;</loc></url></urlset>',
      [['doctype', 1]],
      0,
    ],
    [
      'with an entity from elsewhere',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>&x;</loc></url></urlset>',
      [['doctype', 1]],
      0,
    ],
    [
      'with addresses of other hosts',
      urlset(entry('https://other.test/'), entry('https://example.com/')),
      [['foreign_url', 1]],
      2,
    ],
    ['with addresses over http', urlset(entry('http://example.com/')), [['insecure_url', 1]], 1],
    [
      'with no addresses',
      urlset(entry('/a'), entry('javascript:alert(1)'), entry(''), entry(`https://example.com/${'a'.repeat(2_048)}`)),
      [['bad_url', 4]],
      4,
    ],
    [
      'with dates',
      urlset(
        ...['2026', '2026-11', '2026-11-20', '2026-11-20T10:00+01:00', '2026-11-20T10:00:00.5Z'].map(date =>
          entry('https://example.com/', `<lastmod>${date}</lastmod>`),
        ),
      ),
      [],
      5,
    ],
    [
      'with dates that are none',
      urlset(
        ...[
          'yesterday',
          '2026-13-01',
          '20.11.2026',
          '2026-02-30',
          '2025-02-29',
          '2026-11-20T10:00:00',
          '2026-11-20 10:00:00Z',
          '2026-11-20T10:00:61Z',
          '2026-11-20T10:00+0100',
          'Sat, 07 Nov 2026 00:00:01 GMT',
        ].map(date => entry('https://example.com/', `<lastmod>${date}</lastmod>`)),
      ),
      [['lastmod_invalid', 10]],
      10,
    ],
    [
      'with a date to come',
      urlset(entry('https://example.com/', '<lastmod>2026-11-23</lastmod>')),
      [['lastmod_future', 1]],
      1,
    ],
  ])('%s', (_, xml, problems, count) => {
    for (const piece of [1, 7, 100_000]) expect(read(xml, piece)).toMatchObject({ problems, count })
  })

  const rss = (...items: string[]) =>
    `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>x</title><link>https://example.com/</link><atom:link rel="self" href="https://example.com/feed"/><description>x</description><image><link>https://example.com/image</link></image>${items.join('')}</channel></rss>`
  const atom = (...entries: string[]) =>
    `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><link href="https://example.com/"/><link rel="self" href="https://example.com/feed"/><updated>2030-01-01T00:00:00Z</updated>${entries.join('')}</feed>`
  const a = 'https://example.com/a'
  const b = 'https://example.com/b?c=1&d=2'
  test.each<[string, string, string, string[], string | null, ReturnType<typeof read>['problems']]>([
    [
      'RSS 2.0',
      rss(
        `<item><title>t</title><link>${a}</link><pubDate>Sat, 07 Nov 2026 00:00:01 +0100</pubDate></item>`,
        `<item><link><![CDATA[ ${b} ]]></link><pubDate>7 Nov 26 00:00 GMT</pubDate></item>`,
      ),
      'rss',
      [a, b],
      '2026-11-07T00:00:00.000Z',
      [],
    ],
    [
      'RSS 2.0 with other elements',
      rss(
        `<item><media:link>https://example.com/m</media:link><guid>${a}#1</guid><link>${a}</link><source><link>https://example.com/s</link></source></item>`,
      ),
      'rss',
      [a],
      null,
      [],
    ],
    [
      'RSS 2.0 with an item that has no address',
      rss(`<item><title>t</title></item><item><link>${a}</link></item>`),
      'rss',
      [a],
      null,
      [['bad_url', 1]],
    ],
    [
      'RSS 2.0 with a date that is none',
      rss(`<item><link>${a}</link><pubDate>yesterday</pubDate></item>`),
      'rss',
      [a],
      null,
      [['lastmod_invalid', 1]],
    ],
    [
      'RSS 2.0 with a date of another form',
      rss(`<item><link>${a}</link><pubDate>2026-11-07</pubDate></item>`),
      'rss',
      [a],
      '2026-11-07T00:00:00.000Z',
      [],
    ],
    [
      'Atom 1.0',
      atom(
        `<entry><id>x</id><link rel="self" href="https://example.com/self"/><link rel="alternate" href="${a}"/><link href="${b.replace('&', '&amp;')}"/><updated>2026-11-07T00:00:01+01:00</updated></entry>`,
      ),
      'feed',
      [a],
      '2026-11-06T23:00:01.000Z',
      [],
    ],
    [
      'Atom 1.0 with a prefix, and addresses relative to its own',
      `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:link href="/a"/><a:updated>2026-11-07</a:updated></a:entry></a:feed>`,
      'feed',
      [a],
      '2026-11-07T00:00:00.000Z',
      [],
    ],
    [
      'Atom 0.3',
      `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><link rel="alternate" type="text/html" href="${a}"/><modified>2026-11-07T00:00:00Z</modified><issued>2026-11-01T00:00:00Z</issued></entry></feed>`,
      'feed',
      [a],
      '2026-11-07T00:00:00.000Z',
      [],
    ],
    [
      'Atom 1.0 with an entry that has no address',
      atom('<entry><link rel="enclosure" href="https://example.com/x.mp3"/></entry>'),
      'feed',
      [],
      null,
      [['bad_url', 1]],
    ],
    ['text', `${a}\n${b}\n`, 'text', [a, b], null, []],
    ['text of DOS with a byte order mark and no end', `\ufeff${a}\r\n\r\n${b}`, 'text', [a, b], null, []],
    ['text of old Macs', ` ${a} \r${b}`, 'text', [a, b], null, []],
    [
      'text with lines that are none',
      `${a}\n/b\n# more\nhttps://example.com/${'c'.repeat(5_000)}`,
      'text',
      [a],
      null,
      [['bad_url', 3]],
    ],
    [
      'text of other hosts',
      `https://other.test/1\nhttps://other.test/2\n${a}`,
      'text',
      ['https://other.test/1', 'https://other.test/2', a],
      null,
      [['foreign_url', 2]],
    ],
    ['text over http', 'http://example.com/a', 'text', ['http://example.com/a'], null, [['insecure_url', 1]]],
    [
      'its own form, of a host that it may name',
      urlset(entry('https://www.example.com/a')),
      'urlset',
      ['https://www.example.com/a'],
      null,
      [],
    ],
    [
      'its own form, escaped',
      urlset(entry('https://example.com/?a=1&amp;b=&apos;&quot;&lt;&gt;&#38;&#x26;c')),
      'urlset',
      ['https://example.com/?a=1&b=%27%22%3C%3E&&c'],
      null,
      [],
    ],
    [
      'its own form, not escaped',
      urlset(entry('https://example.com/?a=1&b=2'), entry(a)),
      'urlset',
      ['https://example.com/?a=1&b=2', a],
      null,
      [['malformed', 1]],
    ],
    [
      'its own form with an entity of HTML',
      urlset(entry('https://example.com/&eacute;')),
      'urlset',
      ['https://example.com/&eacute;'],
      null,
      [['malformed', 1]],
    ],
    ['its own form with an ampersand in a section', urlset(entry(`<![CDATA[${b}]]>`)), 'urlset', [b], null, []],
    [
      'an index with dates',
      '<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>https://example.com/1</s:loc><s:lastmod>2026-11-07</s:lastmod></s:sitemap></s:sitemapindex>',
      'sitemapindex',
      ['https://example.com/1'],
      '2026-11-07T00:00:00.000Z',
      [],
    ],
  ])('may be %s', (_, text, root, urls, newest, problems) => {
    for (const piece of [1, 7, 100_000]) {
      const seen = read(text, piece)
      expect({ ...seen, newest: seen.newest?.toISOString() ?? null }).toMatchObject({ root, urls, newest, problems })
    }
  })

  test('of any form may have fifty thousand addresses', () => {
    const many = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n)).join('')
    const line = (n: number) => `https://example.com/${n}\n`
    const item = (n: number) => `<item><link>https://example.com/${n}</link></item>`
    expect(read(many(50_000, line), 65_536)).toMatchObject({ count: 50_000, problems: [] })
    expect(read(many(50_001, line), 65_536).problems).toEqual([['too_many_entries', 1]])
    expect(read(rss(many(50_001, item)), 65_536).problems).toEqual([['too_many_entries', 1]])
  })

  test('may have fifty thousand entries and not one more', () => {
    const many = (count: number) =>
      urlset(...Array.from({ length: count }, (_, n) => entry(`https://example.com/${n}`)))
    expect(read(many(50_000), 65_536)).toMatchObject({ count: 50_000, problems: [] })
    expect(read(many(50_001), 65_536).problems).toEqual([['too_many_entries', 1]])
  })

  test('nested without end is given up', () => {
    expect(read(`<urlset>${'<url>'.repeat(100_000)}`, 65_536).problems).toEqual([['malformed', 1]])
  })
})

test('the sampled addresses are the same all day, and others the next', () => {
  const drawn = (seed: string) => {
    const sample = new Sample(3, seed)
    for (let n = 0; n < 1_000; n++) sample.offer(new URL(`https://example.com/${n % 500}`))
    return sample.urls.map(({ href }) => href)
  }
  expect(drawn('1')).toEqual(drawn('1'))
  expect(new Set(drawn('1')).size).toBe(3)
  expect(drawn('2')).not.toEqual(drawn('1'))
})

describe('judge', () => {
  type Seen = z.input<typeof kind.seen>
  const seen: Seen = {
    url: 'https://example.com/sitemap.xml',
    status: 200,
    root: 'urlset',
    read: 1,
    named: 0,
    urls: 1,
    bytes: 1,
    gzip: false,
    newest: null,
    sampled: [],
    cut_short: false,
    problems: [],
  }
  const two: Seen['problems'] = [
    { code: 'missing', count: 1, examples: ['x'] },
    { code: 'broken_url', count: 2, examples: ['https://example.com/a', 'https://example.com/b'] },
  ]
  test.each<[string, Seen['problems'], z.input<typeof kind.settings>, string]>([
    ['no problem', [], {}, 'up'],
    ['the worst comes first', two, {}, 'missing'],
    ['what does not matter is left out', two, { ignored: ['missing'] }, 'broken_url'],
    ['all of it', two, { ignored: ['missing', 'broken_url'] }, 'up'],
  ])('%s', (_, problems, settings, code) => {
    const verdict = kind.judge(kind.seen.parse({ ...seen, problems }), kind.settings.parse(settings), {
      at: new Date(now),
      phases: noPhases,
    })
    expect(verdict.code ?? verdict.status).toBe(code)
    if (verdict.status === 'warning') expect(verdict.event).toBe('warning.sitemap_issues')
    if (code === 'broken_url')
      expect(verdict.reason).toBe('Addresses of the sitemap are broken: 2, such as https://example.com/a.')
  })

  test('settings are refused where they mean nothing', () => {
    for (const settings of [
      { path: 'sitemap.xml' },
      { path: '//evil.example/' },
      { sample: 51 },
      { max_sitemaps: 0 },
      { ignored: ['nothing'] },
      { timeout_ms: 999 },
    ])
      expect(kind.settings.safeParse(settings).success, JSON.stringify(settings)).toBe(false)
  })
})
