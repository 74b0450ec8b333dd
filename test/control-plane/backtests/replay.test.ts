import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StoredResult } from '#analytics/queries/stored-results.ts'
import { kinds } from '#checks/index.ts'
import { type CheckKind, noPhases } from '#contract/check.ts'
import { alertsOf } from '#control-plane/backtests/alerts.ts'
import { momentsOf, parentsAt } from '#control-plane/backtests/moments.ts'
import { Judge, PreviousResults, SeenReader } from '#control-plane/backtests/rejudge.ts'
import { Replay, Variant } from '#control-plane/backtests/replay.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import type { CheckRules } from '#control-plane/engine/verdicts/core.ts'
import { policyModes } from '#control-plane/engine/verdicts/quorum.ts'
import { type History, type Phase, simulate } from './history.ts'

const startsAt = 1_800_000_000_000
const lengthS = 4 * 3_600
const rulesOf = (changes: Partial<CheckRules> = {}): CheckRules => ({
  regions: ['ap', 'eu', 'us'],
  policy: { mode: 'majority', count: null },
  confirmations: 2,
  recoveryConfirmations: 2,
  severity: 'critical',
  intervalMs: 60_000,
  timeoutMs: 10_000,
  ...changes,
})

function replay({ results, eligibilities }: History, ...rules: CheckRules[]): Variant[] {
  const variants = rules.map(one => new Variant(one, startsAt))
  const moments = momentsOf({ eligibilities, changes: [], parentsDown: [] })
  const replayed = new Replay(variants, { startsAt, eligibilities: new Map(), moments, parentsDown: [] })
  for (const result of results) replayed.take(result)
  replayed.end(startsAt + lengthS * 1_000)
  return variants
}

const phase = fc.record<Phase>({
  kind: fc.constantFrom('down', 'down', 'warning', 'flap', 'cut', 'lost'),
  from: fc.integer({ min: 60, max: lengthS }),
  length: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 90, max: 3_000 })),
  region: fc.constantFrom(undefined, 0, 1, 2),
})
const rules = fc
  .record({
    mode: fc.constantFrom(...policyModes),
    confirmations: fc.integer({ min: 1, max: 4 }),
    recoveryConfirmations: fc.integer({ min: 1, max: 4 }),
    regions: fc.constantFrom(['ap'], ['ap', 'eu'], ['ap', 'eu', 'us']),
    intervalMs: fc.constantFrom(30_000, 60_000, 300_000),
    timeoutMs: fc.constant(10_000),
  })
  .map(({ mode, ...others }) => rulesOf({ ...others, policy: { mode, count: mode === 'count' ? 2 : null } }))

describe('a replay by the same settings', () => {
  test('yields exactly the real incidents', () => {
    let incidents = 0
    fc.assert(
      fc.property(rules, fc.array(phase, { maxLength: 8 }), (rules, phases) => {
        const history = simulate(rules, phases, startsAt, lengthS)
        incidents += history.incidents.length
        const [variant] = replay(history, rules)
        expect(variant!.incidents).toEqual(history.incidents)
      }),
      { numRuns: 400 },
    )
    expect(incidents).toBeGreaterThan(200)
  })

  test('is the same beside other variants as alone', () => {
    fc.assert(
      fc.property(rules, rules, fc.array(phase, { maxLength: 6 }), (one, other, phases) => {
        const history = simulate(one, phases, startsAt, lengthS)
        const both = replay(history, one, { ...other, regions: one.regions })
        expect(both[0]!.incidents).toEqual(replay(history, one)[0]!.incidents)
        expect(both[1]!.incidents).toEqual(replay(history, { ...other, regions: one.regions })[0]!.incidents)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a replay by other settings', () => {
  const minute = 60
  const oneRegion = simulate(
    rulesOf(),
    [{ kind: 'down', from: 30 * minute, length: 20 * minute, region: 1 }],
    startsAt,
    lengthS,
  )
  const all = simulate(
    rulesOf(),
    [{ kind: 'down', from: 30 * minute, length: 20 * minute, region: undefined }],
    startsAt,
    lengthS,
  )

  test('opens an incident for one failing region by the policy any, and none by majority', () => {
    expect(oneRegion.incidents).toEqual([])
    const [any] = replay(oneRegion, rulesOf({ policy: { mode: 'any', count: null } }))
    expect(any!.incidents).toHaveLength(1)
    const [found] = any!.incidents
    expect(found!.regions).toEqual(['eu'])
    expect((found!.endedAt! - found!.startedAt) / 60_000).toBeCloseTo(20, -0.5)
  })

  test('waits for stored results when more confirmations are needed, and counts the missing runs', () => {
    const [two, ten] = replay(all, rulesOf(), rulesOf({ confirmations: 10 }))
    expect(two!.missingRuns).toBe(0)
    expect(ten!.missingRuns).toBeGreaterThan(0)
    expect(ten!.incidents).toHaveLength(1)
    expect(ten!.incidents[0]!.startedAt).toBe(two!.incidents[0]!.startedAt)
    expect(ten!.incidents[0]!.confirmedAt).toBeGreaterThan(two!.incidents[0]!.confirmedAt + 5 * 60_000)
  })

  test('confirms a failure again after a pause', () => {
    const variant = new Variant(rulesOf(), startsAt)
    const [from, to] = [startsAt + 35 * 60_000, startsAt + 40 * 60_000]
    const changes = [
      { at: from, verdict: 'paused' },
      { at: to, verdict: 'none' },
    ]
    const replayed = new Replay([variant], {
      startsAt,
      eligibilities: new Map(),
      moments: momentsOf({ eligibilities: [], changes, parentsDown: [] }),
      parentsDown: [],
    })
    for (const result of all.results) if (result.at < from || result.at >= to) replayed.take(result)
    replayed.end(startsAt + lengthS * 1_000)
    expect(variant.incidents).toHaveLength(1)
    expect(variant.incidents[0]!.endedAt).toBeGreaterThan(to)
  })

  test('withholds an incident while a parent is down, and opens it when only the check is still down', () => {
    const parentDown = (fromMinute: number, toMinute: number) => {
      const parentsDown = [{ from: startsAt + fromMinute * 60_000, to: startsAt + toMinute * 60_000 }]
      const variant = new Variant(rulesOf(), startsAt)
      const replayed = new Replay([variant], {
        startsAt,
        eligibilities: new Map(),
        moments: momentsOf({ eligibilities: [], changes: [], parentsDown }),
        parentsDown,
      })
      for (const result of all.results) replayed.take(result)
      replayed.end(startsAt + lengthS * 1_000)
      return variant.incidents
    }
    expect(parentDown(29, 55)).toEqual([])
    const [late] = parentDown(29, 40)
    expect(late!.startedAt).toBeLessThan(startsAt + 31 * 60_000)
    expect(late!.confirmedAt).toBe(startsAt + 40 * 60_000 + 20_000)
    expect(parentDown(60, 70)).toHaveLength(1)
    expect(parentsAt([{ from: 100_000, to: 200_000 }], 90_000)).toBe('settling')
  })
})

describe('a replay of kinds that need a crawl', () => {
  const run = {
    state: 'finished',
    run: null,
    finished_at: null,
    pages: 40,
    checked: 9,
    limited_by: null,
    failure: null,
  }
  const links = (internal: number, external: number) => ({
    ...run,
    broken_internal: internal,
    broken_external: external,
    broken: [],
  })
  const mixed = (active: number, passive: number) => ({ ...run, mixed_pages: 1, active, passive, forms: 0, mixed: [] })
  const map = (...codes: string[]) => ({
    url: 'https://a.example/sitemap.xml',
    status: 200,
    root: 'urlset',
    read: 1,
    named: 0,
    urls: 1,
    bytes: 100,
    gzip: false,
    newest: null,
    sampled: [],
    cut_short: false,
    problems: codes.map(code => ({ code, count: 1, examples: [] })),
  })
  const judged = (kind: CheckKind, settings: object, seen: object) => {
    const judge = new Judge(kind, kind.settings.parse(settings), new PreviousResults())
    return judge.rejudge({
      region: 'eu',
      due: startsAt,
      attempt: 0,
      at: startsAt,
      receivedAt: startsAt,
      outcome: 'up',
      isUnreliable: false,
      phases: noPhases,
      seen: new SeenReader(kind).read(JSON.stringify(seen)),
    })
  }

  test.each<
    [
      name: 'crawl' | 'broken_links' | 'mixed_content' | 'sitemap',
      settings: object,
      seen: object,
      before: string,
      after: string,
    ]
  >([
    ['crawl', { min_pages: 41 }, { ...run, failed_pages: 3 }, 'up', 'warning'],
    ['crawl', { max_failed_pages: 2 }, { ...run, failed_pages: 3 }, 'up', 'warning'],
    ['broken_links', { max_broken: 2 }, links(1, 1), 'warning', 'up'],
    ['broken_links', { external: 'ignore' }, links(0, 3), 'warning', 'up'],
    ['broken_links', { internal: 'down' }, links(1, 0), 'warning', 'down'],
    ['mixed_content', { passive: 'ignore' }, mixed(0, 2), 'warning', 'up'],
    ['mixed_content', { active: 'down' }, mixed(1, 0), 'warning', 'down'],
    ['mixed_content', { forms: 'down' }, { ...mixed(0, 0), forms: 1 }, 'warning', 'down'],
    ['sitemap', { ignored: ['lastmod_future'] }, map('lastmod_future'), 'warning', 'up'],
    ['sitemap', { ignored: ['lastmod_future'] }, map('missing', 'lastmod_future'), 'warning', 'warning'],
  ])('%s by %o', (name, settings, seen, before, after) => {
    const kind: CheckKind = kinds[name]
    for (const setting of Object.keys(settings)) expect(kind.backtestable).toContain(setting)
    expect([judged(kind, {}, seen), judged(kind, settings, seen)]).toEqual([before, after])
  })

  test('yields exactly the real incidents by the same settings, and none by settings that only warn', () => {
    const stories: [CheckKind, object, object, Record<StoredResult['outcome'], object>][] = [
      [
        kinds.broken_links,
        { internal: 'down' },
        { internal: 'warning' },
        { up: links(0, 0), warning: links(0, 1), down: links(1, 1), unknown: links(0, 0) },
      ],
      [
        kinds.mixed_content,
        { active: 'down' },
        { active: 'ignore' },
        { up: mixed(0, 0), warning: mixed(0, 1), down: mixed(1, 1), unknown: mixed(0, 0) },
      ],
    ]
    let incidents = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...stories),
        rules,
        fc.array(phase, { maxLength: 6 }),
        ([kind, were, others, seen], rules, phases) => {
          const history = simulate(rules, phases, startsAt, lengthS)
          incidents += history.incidents.length
          const [reader, previous] = [new SeenReader(kind), new PreviousResults()]
          const variants = [were, others].map(
            settings => new Variant(rules, startsAt, new Judge(kind, kind.settings.parse(settings), previous).rejudge),
          )
          const moments = momentsOf({ eligibilities: history.eligibilities, changes: [], parentsDown: [] })
          const replayed = new Replay(variants, { startsAt, eligibilities: new Map(), moments, parentsDown: [] })
          // the observation decides, not the stored outcome
          for (const result of history.results)
            replayed.take({ ...result, outcome: 'up', seen: reader.read(JSON.stringify(seen[result.outcome])) })
          replayed.end(startsAt + lengthS * 1_000)
          expect(variants.map(({ incidents }) => incidents)).toEqual([history.incidents, []])
        },
      ),
      { numRuns: 60 },
    )
    expect(incidents).toBeGreaterThan(3)
  })
})

describe('alerts of a replay', () => {
  const minute = 60_000
  const outage = (from: number, to: number | null) => ({
    startedAt: from * minute,
    confirmedAt: from * minute,
    endedAt: to === null ? null : to * minute,
    regions: [],
  })
  const often = (from: number, count: number) =>
    Array.from({ length: count }, (_, time) => outage(from + 4 * time, from + 4 * time + 2))
  const timelineOf = (
    incidents: ReturnType<typeof outage>[],
    { turned = [], warned = [] }: { turned?: number[]; warned?: number[] } = {},
  ) => ({
    check: 'one',
    timeline: { incidents, turned: turned.map(at => at * minute), warned: warned.map(at => at * minute) },
  })
  const intervals = (pairs: [from: number, to: number][]) =>
    pairs.map(([from, to]) => ({ from: from * minute, to: to * minute }))
  const alerts = (
    timelines: ReturnType<typeof timelineOf>[],
    snoozed: [from: number, to: number][] = [],
    inMaintenance: [from: number, to: number][] = [],
  ) => {
    const { notifications, flappings } = alertsOf(timelines, {
      snoozes: new Map([['one', intervals(snoozed)]]),
      maintenance: intervals(inMaintenance),
      rules: defaultSuppression.flapping,
      to: 300 * minute,
    })
    const inMinutes = (at: number | null) => at && at / minute
    return {
      notifications: [...notifications.values()].map(({ suppressedBy, notifiedAt }) => [
        suppressedBy,
        inMinutes(notifiedAt),
      ]),
      flappings: flappings.map(({ notifiedAt, endedAt }) => [inMinutes(notifiedAt), inMinutes(endedAt)]),
    }
  }

  test('are grouped from the third return within half an hour until half an hour without changes', () => {
    expect(alerts([timelineOf(often(10, 2))])).toEqual({
      notifications: [
        [null, 10],
        [null, 14],
      ],
      flappings: [],
    })
    const { notifications, flappings } = alerts([timelineOf([...often(10, 5), outage(70, 71)])])
    expect(notifications).toEqual([
      [null, 10],
      [null, 14],
      [null, 18],
      ['flapping', null],
      ['flapping', null],
      [null, 70],
    ])
    expect(flappings).toEqual([[20, 58]])
    expect(
      alerts([timelineOf([outage(10, 12), outage(26, 28), outage(42, 44), outage(58, 60)])]).flappings,
      'slower than that',
    ).toEqual([])
  })

  test('of a lasting outage are sent in the end although the monitor flaps', () => {
    expect(
      alerts([timelineOf([...often(10, 3), outage(30, 39), outage(45, 56), outage(60, null)])]).notifications.slice(3),
    ).toEqual([
      ['flapping', null],
      ['flapping', 55],
      ['flapping', 70],
    ])
  })

  test('of other checks are grouped too, and repeated warnings count as flapping', () => {
    const other = { ...timelineOf([outage(22, 23)]), check: 'other' }
    expect(alerts([timelineOf(often(10, 3)), other]).notifications.at(-1)).toEqual(['flapping', null])
    const turned = [10, 12, 14, 16, 18, 20]
    expect(alerts([timelineOf([outage(22, 23)], { turned, warned: turned })])).toEqual({
      notifications: [['flapping', null]],
      flappings: [[20, 53]],
    })
    expect(alerts([timelineOf([outage(22, 23)], { turned: turned.slice(1), warned: turned })]).flappings).toEqual([])
  })

  test('of what begins in maintenance are sent at its end if it is still open, and do not count as flapping', () => {
    expect(alerts([timelineOf([outage(10, 25), outage(30, 35), outage(36, 50)])], [], [[20, 40]])).toEqual({
      notifications: [
        [null, 10],
        ['maintenance', null],
        ['maintenance', 40],
      ],
      flappings: [],
    })
    expect(alerts([timelineOf(often(10, 6))], [], [[0, 30]])).toMatchObject({ flappings: [] })
    expect(alerts([timelineOf([outage(10, 60)])], [[15, 50]], [[5, 20]]).notifications).toEqual([['maintenance', 50]])
  })

  test('are suppressed while the check is snoozed, and sent at its end for incidents that are still open', () => {
    const snoozed: [number, number][] = [
      [20, 40],
      [40, 60],
    ]
    expect(
      alerts([timelineOf([outage(10, 25), outage(30, 50), outage(55, 70), outage(80, 81)])], snoozed).notifications,
    ).toEqual([
      [null, 10],
      ['snooze', null],
      ['snooze', 60],
      [null, 80],
    ])
    expect(alerts([timelineOf(often(10, 4))], [[0, 30]])).toMatchObject({ flappings: [[30, 54]] })
    expect(alerts([timelineOf(often(10, 4))], [[0, 300]])).toEqual({
      notifications: [
        ['snooze', null],
        ['snooze', null],
        ['snooze', null],
        ['flapping', null],
      ],
      flappings: [[null, 54]],
    })
  })
})
