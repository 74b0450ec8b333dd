import { describe, expect, test } from 'vitest'
import { brokenLinks } from '#checks/broken-links/kind.ts'
import { crawl } from '#checks/crawl/kind.ts'
import { probeCrawl } from '#checks/crawl/probe.ts'
import { mixedContent } from '#checks/mixed-content/kind.ts'
import { noPhases } from '#contract/check.ts'
import { planLimits } from '#contract/plans.ts'
import { circlesAmong, whyNothing } from '#control-plane/engine/crawls/end.ts'
import { viewFindings } from '#control-plane/engine/crawls/findings.ts'
import { planCrawl } from '#control-plane/engine/crawls/terms.ts'
import { Guard } from '#egress/guard.ts'

const context = { at: new Date(), phases: noPhases }
const run = {
  state: 'finished' as const,
  run: crypto.randomUUID(),
  finished_at: '2026-01-01T00:00:00.000Z',
  pages: 10,
  checked: 5,
  limited_by: null,
  failure: null,
}
const link = (url: string, kind: 'page' | 'external', status: number | null, fault: string | null = null) => ({
  url,
  kind,
  status,
  fault,
  found_on: 'https://a.example/',
  text: 'x',
})

const none = { ...run, state: 'none' as const, run: null, finished_at: null }
const failed = { ...run, state: 'failed' as const, failure: 'The start answered with status 500.' }
const notInPlan = { ...none, state: 'not_in_plan' as const }

describe('broken links', () => {
  const seen = (internal: number, external: number, broken = [link('https://a.example/gone', 'page', 404)]) => ({
    ...run,
    broken_internal: internal,
    broken_external: external,
    broken,
  })
  test.each([
    ['none broken', seen(0, 0, []), {}, 'up', undefined],
    ['one of the site', seen(1, 0), {}, 'warning', '1 link broken. The first: https://a.example/gone (404).'],
    [
      'one elsewhere',
      seen(0, 1, [link('http://b.example/', 'external', null, 'dns_not_found')]),
      {},
      'warning',
      '1 link broken. The first: http://b.example/ (dns_not_found).',
    ],
    ['as many as are put up with', seen(2, 1), { max_broken: 3 }, 'up', undefined],
    [
      'one more than that',
      seen(2, 2),
      { max_broken: 3 },
      'warning',
      '4 links broken. The first: https://a.example/gone (404).',
    ],
    ['elsewhere, which is ignored', seen(0, 9), { external: 'ignore' }, 'up', undefined],
    [
      'the site’s own, which are down',
      seen(1, 1),
      { internal: 'down' },
      'down',
      '2 links broken. The first: https://a.example/gone (404).',
    ],
    [
      'elsewhere, where only the site’s own are down',
      seen(0, 1, []),
      { internal: 'down' },
      'warning',
      '1 link broken.',
    ],
    ['no crawl yet', { ...seen(0, 0, []), ...none }, {}, 'unknown', 'No crawl has finished yet.'],
    [
      'a start that could not be read',
      { ...seen(0, 0, []), ...failed },
      {},
      'warning',
      'The start answered with status 500.',
    ],
    ['a plan without crawls', { ...seen(0, 0, []), ...notInPlan }, {}, 'unknown', 'The plan has no site crawls.'],
  ])('%s', (_, found, settings, status, reason) => {
    const judgement = brokenLinks.judge(brokenLinks.seen.parse(found), brokenLinks.settings.parse(settings), context)
    expect([judgement.status, judgement.reason]).toEqual([status, reason])
    if (judgement.code === 'broken_links') expect(judgement.event).toBe('warning.broken_links')
  })
})

describe('mixed content', () => {
  const seen = (active: number, passive: number, forms: number) => ({
    ...run,
    mixed_pages: 1,
    active,
    passive,
    forms,
    mixed: [],
  })
  test.each([
    ['none', seen(0, 0, 0), {}, 'up', undefined],
    ['active', seen(2, 0, 0), {}, 'warning', 'Over http on secure pages: 2 parts that browsers refuse.'],
    [
      'active, which is down',
      seen(1, 0, 0),
      { active: 'down' },
      'down',
      'Over http on secure pages: 1 part that browsers refuse.',
    ],
    ['passive', seen(0, 1, 0), { active: 'down' }, 'warning', 'Over http on secure pages: 1 picture or other medium.'],
    ['passive, which is ignored', seen(0, 5, 0), { passive: 'ignore' }, 'up', undefined],
    ['forms', seen(0, 0, 2), {}, 'warning', 'Over http on secure pages: 2 forms.'],
    [
      'all of it',
      seen(1, 2, 3),
      {},
      'warning',
      'Over http on secure pages: 1 part that browsers refuse, 2 pictures and other media, 3 forms.',
    ],
    ['no crawl yet', { ...seen(0, 0, 0), ...none }, {}, 'unknown', 'No crawl has finished yet.'],
  ])('%s', (_, found, settings, status, reason) => {
    const judgement = mixedContent.judge(mixedContent.seen.parse(found), mixedContent.settings.parse(settings), context)
    expect([judgement.status, judgement.reason]).toEqual([status, reason])
    if (judgement.code === 'mixed_content') expect(judgement.event).toBe('warning.mixed_content')
  })
})

describe('a crawl', () => {
  test.each([
    ['nothing asked of it', { ...run, failed_pages: 9 }, {}, 'up', undefined],
    ['as many pages as wanted', { ...run, failed_pages: 0 }, { min_pages: 10 }, 'up', undefined],
    ['one fewer', { ...run, pages: 9, failed_pages: 0 }, { min_pages: 10 }, 'warning', '9 pages found, fewer than 10.'],
    ['as many failed as are put up with', { ...run, failed_pages: 1 }, { max_failed_pages: 1 }, 'up', undefined],
    ['one more', { ...run, failed_pages: 2 }, { max_failed_pages: 1 }, 'warning', '2 pages in error, more than 1.'],
    [
      'a start that could not be read',
      { ...failed, failed_pages: 1 },
      {},
      'warning',
      'The start answered with status 500.',
    ],
  ])('%s', (_, found, settings, status, reason) => {
    const judgement = crawl.judge(crawl.seen.parse(found), crawl.settings.parse(settings), context)
    expect([judgement.status, judgement.reason]).toEqual([status, reason])
    if (judgement.status === 'warning' && judgement.code !== 'crawl_failed')
      expect(judgement.event).toBe('warning.broken_links')
  })

  test('a run requests the findings, and is unknown when they cannot be requested', async () => {
    const reach = { guard: new Guard(), signal: new AbortController().signal, now: Date.now }
    const target = { url: 'https://a.example/' }
    const settings = crawl.settings.parse({})
    const { seen } = await probeCrawl(target, settings, {
      ...reach,
      findings: async () => viewFindings(undefined, true),
    })
    expect(crawl.judge(crawl.seen.parse(seen), settings, context)).toMatchObject({
      status: 'unknown',
      code: 'no_crawl_yet',
    })
    await expect(probeCrawl(target, settings, reach)).rejects.toMatchObject({ code: 'unsupported' })
    await expect(
      probeCrawl(target, settings, { ...reach, findings: async () => ({ state: 'odd' }) }),
    ).rejects.toMatchObject({ code: 'internal' })
  })
})

describe('one crawl for all checks of a monitor', () => {
  const plan = (
    checks: { type: string; settings: Record<string, unknown> }[],
    limits: { crawl_pages: number | null } = { crawl_pages: 500 },
  ) => planCrawl('https://me:secret@a.example/x#y', checks, limits)

  test('is as large as wanted, and as the plan allows', () => {
    expect(plan([{ type: 'crawl', settings: { max_pages: 50 } }]).pages).toBe(50)
    expect(plan([{ type: 'crawl', settings: { max_pages: 9_000 } }], planLimits.starter).pages).toBe(500)
    expect(plan([{ type: 'crawl', settings: { max_pages: 9_000 } }], planLimits.pro).pages).toBe(5_000)
    expect(plan([{ type: 'crawl', settings: { max_pages: 9_000 } }], { crawl_pages: null }).pages).toBe(9_000)
    expect(plan([]).terms.start).toBe('https://a.example/x')
  })

  test('asks only for what some check wants to know', () => {
    expect(plan([{ type: 'mixed_content', settings: {} }]).terms).toMatchObject({
      check_assets: false,
      check_external: false,
    })
    expect(plan([{ type: 'crawl', settings: {} }]).terms).toMatchObject({ check_assets: false, check_external: false })
    expect(plan([{ type: 'crawl', settings: { check_external: true } }]).terms).toMatchObject({
      check_assets: false,
      check_external: true,
    })
    expect(plan([]).terms).toMatchObject({ check_assets: true, check_external: true })
    const both = [
      { type: 'crawl', settings: { max_pages: 7, requests_per_second: 1 } },
      { type: 'broken_links', settings: { max_pages: 9, check_external: false } },
    ]
    expect(plan(both)).toMatchObject({
      pages: 7,
      terms: { check_assets: true, check_external: false, requests_per_second: 1 },
    })
  })
})

test('redirects that never lead out are found, and no others', () => {
  const redirects = [
    ['1', '/a', '/b'],
    ['2', '/b', '/a'],
    ['3', '/c', '/a'],
    ['4', '/d', '/e'],
    ['5', '/e', '/home'],
    ['6', '/f', '/f'],
  ].map(([id = '', url = '', redirect_to = '']) => ({ id, url, redirect_to }))
  expect(circlesAmong(redirects)).toEqual(['1', '2', '3', '6'])
})

test.each([
  [{ skipped: 'robots' }, 'The robots.txt of the site does not let the crawler in.'],
  [{ skipped: 'blocked' }, 'The start is not a public address.'],
  [
    { fault: 'refused', message: 'The connection was refused.' },
    'The start could not be read: The connection was refused.',
  ],
  [{ status: 301, redirect_to: 'https://b.example/' }, 'The start redirects to another site: https://b.example/'],
  [{ status: 503 }, 'The start answered with status 503.'],
])('a crawl that saw nothing says why: %j', (page, why) =>
  expect(whyNothing({ status: null, fault: null, message: null, skipped: null, redirect_to: null, ...page })).toBe(why),
)
