import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { nothingFound, readReport } from '#checks/lighthouse/findings.ts'
import { lighthouse } from '#checks/lighthouse/kind.ts'
import { findParts } from '#checks/lighthouse/parts.ts'
import { noPhases, RunFailure } from '#contract/check.ts'

type Seen = z.output<typeof lighthouse.seen>
type Settings = z.input<typeof lighthouse.settings>

const url = 'https://shop.example/'
const well = { performance: 96, accessibility: 100, best_practices: 92, seo: 90 }
const quick = {
  ...nothingFound(url, null).metrics,
  largest_contentful_paint_ms: 1_800.4,
  cumulative_layout_shift: 0.05,
  time_to_first_byte_ms: 200,
}
const seen = (changes: Partial<Seen> = {}): Seen =>
  lighthouse.seen.parse({
    ...nothingFound(url, null),
    scores: well,
    metrics: quick,
    lighthouse: '13.5.0',
    browser: 'Chrome/156',
    form_factor: 'mobile',
    bytes: 1,
    blocked: 0,
    ...changes,
  })
const failed = (code: string, message = 'because.') => seen({ ...nothingFound(url, { code, message }) })
const judge = (of: Seen, settings: Settings = {}) =>
  lighthouse.judge(of, lighthouse.settings.parse(settings), { at: new Date(), phases: noPhases })

describe('what an audit means', () => {
  test.each<[string, Seen, Settings, string, string | undefined, string | undefined]>([
    ['all well', seen(), {}, 'up', undefined, undefined],
    ['at the limit', seen({ scores: { ...well, performance: 50 } }), {}, 'up', undefined, undefined],
    [
      'slow, by default',
      seen({ scores: { ...well, performance: 49 } }),
      {},
      'warning',
      'score_too_low',
      'Performance is 49 of 100, below 50.',
    ],
    [
      'slow, and without a limit',
      seen({ scores: { ...well, performance: 0 } }),
      { min_scores: { performance: null } },
      'up',
      undefined,
      undefined,
    ],
    ['a score of no limit', seen({ scores: { ...well, seo: 0 } }), {}, 'up', undefined, undefined],
    [
      'a score of its own limit',
      seen(),
      { min_scores: { seo: 91 } },
      'warning',
      'score_too_low',
      'SEO is 90 of 100, below 91.',
    ],
    [
      'a score that is not known',
      seen({ scores: { ...well, seo: null } }),
      { min_scores: { seo: 100 } },
      'up',
      undefined,
      undefined,
    ],
    [
      'two scores and a metric',
      seen(),
      { min_scores: { performance: 97, best_practices: 93 }, max_metrics: { largest_contentful_paint_ms: 1_800 } },
      'warning',
      'score_too_low',
      'Performance is 96 of 100, below 97; Best practices is 92 of 100, below 93; Largest Contentful Paint is 1800 ms, more than 1800 ms.',
    ],
    ['a metric at its limit', seen(), { max_metrics: { time_to_first_byte_ms: 200 } }, 'up', undefined, undefined],
    [
      'a layout that shifts',
      seen(),
      { max_metrics: { cumulative_layout_shift: 0.049 } },
      'warning',
      'metric_too_high',
      'Cumulative Layout Shift is 0.05, more than 0.049.',
    ],
    ['a metric that was not measured', seen(), { max_metrics: { speed_index_ms: 1 } }, 'up', undefined, undefined],
    [
      'a page that paints nothing',
      failed('NO_FCP'),
      {},
      'warning',
      'audit_failed',
      'The page could not be audited: because.',
    ],
    [
      'a page that hangs',
      failed('PAGE_HUNG'),
      {},
      'warning',
      'audit_failed',
      'The page could not be audited: because.',
    ],
    [
      'a page too heavy',
      failed('TOO_MANY_BYTES'),
      {},
      'warning',
      'audit_failed',
      'The page could not be audited: because.',
    ],
    [
      'an answer in error, which the uptime check reports',
      failed('ERRORED_DOCUMENT_REQUEST'),
      {},
      'unknown',
      'wrong_status',
      'The page could not be audited: because.',
    ],
    [
      'Lighthouse at its end',
      failed('PROTOCOL_TIMEOUT'),
      {},
      'unknown',
      'audit_failed',
      'The page could not be audited: because.',
    ],
  ])('%s', (_, of, settings, status, code, reason) =>
    expect(judge(of, settings)).toMatchObject({ status, ...(code && { code, reason }) }),
  )

  test('warns once, deeper with each limit missed, and never after a failed audit', () => {
    const missed = judge(seen(), { min_scores: { performance: 97, seo: 91 } })
    expect(missed).toMatchObject({
      event: 'warning.degraded_performance',
      depth: 2,
      details: { exceeded: ['performance', 'seo'], scores: well },
    })
    expect(judge(failed('NO_FCP')).event).toBeUndefined()
  })

  test.each<[object, boolean]>([
    [{}, true],
    [{ form_factor: 'desktop', categories: ['seo'], audit_seconds: 180 }, true],
    [{ form_factor: 'tablet' }, false],
    [{ categories: [] }, false],
    [{ categories: ['seo', 'seo'] }, false],
    [{ categories: ['pwa'] }, false],
    [{ min_scores: { performance: 101 } }, false],
    [{ min_scores: { performance: 0.5 } }, false],
    [{ min_scores: { speed: 50 } }, false],
    [{ max_metrics: { cumulative_layout_shift: 0 } }, false],
    [{ max_metrics: { total_blocking_time_ms: 120_001 } }, false],
    [{ audit_seconds: 14 }, false],
    [{ audit_seconds: 181 }, false],
  ])('settings %j', (settings, isValid) => expect(lighthouse.settings.safeParse(settings).success).toBe(isValid))
})

describe('Lighthouse’s report', () => {
  const audit = (score: number | null, more: object = {}) => ({
    title: 'A title',
    score,
    scoreDisplayMode: 'numeric',
    ...more,
  })
  const report = {
    lighthouseVersion: '13.5.0',
    finalDisplayedUrl: 'https://shop.example/home',
    runWarnings: Array.from({ length: 9 }, () => 'w'.repeat(400)),
    categories: {
      performance: {
        score: 0.505,
        auditRefs: [
          { id: 'largest-contentful-paint', weight: 25, group: 'metrics' },
          { id: 'heavy', weight: 0 },
          { id: 'light', weight: 0 },
        ],
      },
      'best-practices': {
        score: 1,
        auditRefs: [
          { id: 'fine', weight: 1 },
          { id: 'not-applicable', weight: 1 },
          { id: 'nowhere', weight: 1 },
        ],
      },
      seo: {
        score: null,
        auditRefs: [
          { id: 'half', weight: 3 },
          { id: 'fine', weight: 1 },
        ],
      },
    },
    audits: {
      'largest-contentful-paint': audit(0.2, { numericValue: 4_321.09 }),
      'cumulative-layout-shift': audit(1, { numericValue: 0.123456 }),
      'speed-index': audit(1, { numericValue: Number.NaN }),
      heavy: audit(0, { metricSavings: { LCP: 900, FCP: 300, CLS: 5 }, displayValue: 'Est savings' }),
      light: audit(0.5, { metricSavings: { LCP: 100 } }),
      half: audit(0.5),
      fine: audit(0.95),
      'not-applicable': audit(null),
    },
  }

  test('is brought down to what counts, the worst first', () => {
    const found = readReport(report)
    expect(found).toMatchObject({
      url: 'https://shop.example/home',
      scores: { performance: 51, accessibility: null, best_practices: 100, seo: null },
      metrics: {
        largest_contentful_paint_ms: 4_321.1,
        cumulative_layout_shift: 0.1235,
        speed_index_ms: null,
        total_blocking_time_ms: null,
      },
      error: null,
    })
    expect(found.worst.map(({ id, saves_ms }) => [id, saves_ms])).toEqual([
      ['half', null],
      ['heavy', 1_200],
      ['light', 100],
    ])
    expect([found.notes.length, found.notes[0]?.length]).toEqual([5, 300])
    expect(judge(seen({ ...found, url }), { min_scores: { performance: 52 } })).toMatchObject({ status: 'warning' })
  })

  test('of a page that was not to be had says why, and gives no scores', () => {
    const found = readReport({ ...report, runtimeError: { code: 'NO_FCP', message: 'm'.repeat(999) } })
    expect(found).toMatchObject({
      scores: { performance: null },
      worst: [],
      error: { code: 'NO_FCP', message: 'm'.repeat(300) },
    })
  })

  test('stays small, however much there is to say', () => {
    const names = Array.from({ length: 2_000 }, (_, n) => `audit-${n}`)
    const loud = (title: string) => audit(0, { title: title.repeat(500), displayValue: '\0\ud800'.repeat(500) })
    const found = readReport({
      ...report,
      categories: { performance: { score: 0, auditRefs: names.map(id => ({ id, weight: 1 })) } },
      audits: Object.fromEntries(names.map(id => [id, loud(id)])),
    })
    expect(found.worst).toHaveLength(15)
    expect(JSON.stringify(found).length).toBeLessThan(16_000)
    expect(lighthouse.seen.safeParse(seen({ ...found, url })).success).toBe(true)
    expect(JSON.stringify(found)).not.toContain('\\u0000')
  })
})

describe('where something is missing, the kind says what and what to type', () => {
  const said = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      if (error instanceof RunFailure) return error.toFault()
      throw error
    }
    return
  }

  test('Chromium', () => {
    const fault = said(() => findParts({}, ['/nowhere/chromium']))
    expect(fault).toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/Chromium was not found.*apt-get install chromium.*CHROMIUM_PATH/),
    })
    expect(said(() => findParts({ chromium: '/nowhere/chromium' }))).toEqual(fault)
  })

  test('Lighthouse', () => {
    const fault = said(() => findParts({ chromium: process.execPath, lighthouse: '/nowhere' }))
    expect(fault).toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/vedette lighthouse install.*LIGHTHOUSE_PATH/),
    })
  })
})
