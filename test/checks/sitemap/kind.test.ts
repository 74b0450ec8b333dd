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
    ['that is a feed', '<rss><channel></channel></rss>', [['not_a_sitemap', 1]], 0],
    ['that is text', 'https://example.com/a', [['not_a_sitemap', 1]], 0],
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
        ...['yesterday', '2026-13-01', '20.11.2026'].map(date =>
          entry('https://example.com/', `<lastmod>${date}</lastmod>`),
        ),
      ),
      [['lastmod_invalid', 3]],
      3,
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
