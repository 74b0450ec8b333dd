import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StoredResult } from '#analytics/queries/stored-results.ts'
import { kinds } from '#checks/index.ts'
import { type CheckKind, noPhases } from '#contract/check.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import type { CheckRules } from '#control-plane/engine/verdicts/core.ts'
import { policyModes } from '#control-plane/engine/verdicts/quorum.ts'
import { alertsOf } from '#control-plane/monitoring/simulations/alerts.ts'
import { momentsOf, parentsAt } from '#control-plane/monitoring/simulations/moments.ts'
import { Judge, LookBack, SeenReader } from '#control-plane/monitoring/simulations/rejudge.ts'
import { Lane, Replay } from '#control-plane/monitoring/simulations/replay.ts'
import { type Lived, live, type Spell } from './history.ts'

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

function replay({ looks, standings }: Lived, ...rules: CheckRules[]): Lane[] {
  const lanes = rules.map(one => new Lane(one, startsAt))
  const moments = momentsOf({ standings, changes: [], parentsDown: [] })
  const going = new Replay(lanes, { startsAt, standings: new Map(), moments, parentsDown: [] })
  for (const look of looks) going.take(look)
  going.end(startsAt + lengthS * 1_000)
  return lanes
}

const spell = fc.record<Spell>({
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

describe('a replay by the settings there were', () => {
  test('gives the very incidents that were, whatever happened', () => {
    let incidents = 0
    fc.assert(
      fc.property(rules, fc.array(spell, { maxLength: 8 }), (rules, spells) => {
        const lived = live(rules, spells, startsAt, lengthS)
        incidents += lived.incidents.length
        const [lane] = replay(lived, rules)
        expect(lane!.incidents).toEqual(lived.incidents)
      }),
      { numRuns: 400 },
    )
    expect(incidents).toBeGreaterThan(200)
  })

  test('is the same beside other lanes as alone', () => {
    fc.assert(
      fc.property(rules, rules, fc.array(spell, { maxLength: 6 }), (one, other, spells) => {
        const lived = live(one, spells, startsAt, lengthS)
        const both = replay(lived, one, { ...other, regions: one.regions })
        expect(both[0]!.incidents).toEqual(replay(lived, one)[0]!.incidents)
        expect(both[1]!.incidents).toEqual(replay(lived, { ...other, regions: one.regions })[0]!.incidents)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a replay by other settings', () => {
  const minute = 60
  const oneRegion = live(
    rulesOf(),
    [{ kind: 'down', from: 30 * minute, length: 20 * minute, region: 1 }],
    startsAt,
    lengthS,
  )
  const all = live(
    rulesOf(),
    [{ kind: 'down', from: 30 * minute, length: 20 * minute, region: undefined }],
    startsAt,
    lengthS,
  )

  test('one region that fails is an incident where any suffices, and none where most must agree', () => {
    expect(oneRegion.incidents).toEqual([])
    const [any] = replay(oneRegion, rulesOf({ policy: { mode: 'any', count: null } }))
    expect(any!.incidents).toHaveLength(1)
    const [found] = any!.incidents
    expect(found!.regions).toEqual(['eu'])
    expect((found!.endedAt! - found!.startedAt) / 60_000).toBeCloseTo(20, -0.5)
  })

  test('more confirmations than were asked for wait for looks that were made, and say how many were not', () => {
    const [two, ten] = replay(all, rulesOf(), rulesOf({ confirmations: 10 }))
    expect(two!.unmade).toBe(0)
    expect(ten!.unmade).toBeGreaterThan(0)
    expect(ten!.incidents).toHaveLength(1)
    expect(ten!.incidents[0]!.startedAt).toBe(two!.incidents[0]!.startedAt)
    expect(ten!.incidents[0]!.confirmedAt).toBeGreaterThan(two!.incidents[0]!.confirmedAt + 5 * 60_000)
  })

  test('a pause ends what was known, and what is down after it is confirmed anew', () => {
    const lane = new Lane(rulesOf(), startsAt)
    const [from, to] = [startsAt + 35 * 60_000, startsAt + 40 * 60_000]
    const changes = [
      { at: from, verdict: 'paused' },
      { at: to, verdict: 'none' },
    ]
    const going = new Replay([lane], {
      startsAt,
      standings: new Map(),
      moments: momentsOf({ standings: [], changes, parentsDown: [] }),
      parentsDown: [],
    })
    for (const look of all.looks) if (look.at < from || look.at >= to) going.take(look)
    going.end(startsAt + lengthS * 1_000)
    expect(lane.incidents).toHaveLength(1)
    expect(lane.incidents[0]!.endedAt).toBeGreaterThan(to)
  })

  test('a parent that was down withholds an incident, and one that stays down alone is opened when the parent is well', () => {
    const parentDown = (fromMinute: number, toMinute: number) => {
      const parentsDown = [{ from: startsAt + fromMinute * 60_000, to: startsAt + toMinute * 60_000 }]
      const lane = new Lane(rulesOf(), startsAt)
      const going = new Replay([lane], {
        startsAt,
        standings: new Map(),
        moments: momentsOf({ standings: [], changes: [], parentsDown }),
        parentsDown,
      })
      for (const look of all.looks) going.take(look)
      going.end(startsAt + lengthS * 1_000)
      return lane.incidents
    }
    expect(parentDown(29, 55)).toEqual([])
    const [late] = parentDown(29, 40)
    expect(late!.startedAt).toBeLessThan(startsAt + 31 * 60_000)
    expect(late!.confirmedAt).toBe(startsAt + 40 * 60_000 + 20_000)
    expect(parentDown(60, 70)).toHaveLength(1)
    expect(parentsAt([{ from: 100_000, to: 200_000 }], 90_000)).toBe('settling')
  })
})

describe('kinds that live on a crawl', () => {
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
    const judge = new Judge(kind, kind.settings.parse(settings), new LookBack())
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

  test('give the very incidents that were by the settings there were, and none where nothing is down', () => {
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
        fc.array(spell, { maxLength: 6 }),
        ([kind, were, others, seen], rules, spells) => {
          const lived = live(rules, spells, startsAt, lengthS)
          incidents += lived.incidents.length
          const [reader, back] = [new SeenReader(kind), new LookBack()]
          const lanes = [were, others].map(
            settings => new Lane(rules, startsAt, new Judge(kind, kind.settings.parse(settings), back).rejudge),
          )
          const moments = momentsOf({ standings: lived.standings, changes: [], parentsDown: [] })
          const going = new Replay(lanes, { startsAt, standings: new Map(), moments, parentsDown: [] })
          // whatever they were judged to be, what was seen decides
          for (const look of lived.looks)
            going.take({ ...look, outcome: 'up', seen: reader.read(JSON.stringify(seen[look.outcome])) })
          going.end(startsAt + lengthS * 1_000)
          expect(lanes.map(({ incidents }) => incidents)).toEqual([lived.incidents, []])
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
  const courseOf = (
    incidents: ReturnType<typeof outage>[],
    { turned = [], warned = [] }: { turned?: number[]; warned?: number[] } = {},
  ) => ({
    check: 'one',
    course: { incidents, turned: turned.map(at => at * minute), warned: warned.map(at => at * minute) },
  })
  const alerts = (
    courses: ReturnType<typeof courseOf>[],
    snoozed: [from: number, to: number][] = [],
    toMinute = 300,
  ) => {
    const { told, flaps } = alertsOf(courses, {
      snoozes: new Map([['one', snoozed.map(([from, to]) => ({ from: from * minute, to: to * minute }))]]),
      rules: defaultSuppression.flapping,
      to: toMinute * minute,
    })
    const inMinutes = (at: number | null) => at && at / minute
    return {
      told: [...told.values()].map(({ heldBy, toldAt }) => [heldBy, inMinutes(toldAt)]),
      flaps: flaps.map(({ toldAt, endedAt }) => [inMinutes(toldAt), inMinutes(endedAt)]),
    }
  }

  test('are gathered from the third return within half an hour on, until half an hour is calm', () => {
    expect(alerts([courseOf(often(10, 2))])).toEqual({
      told: [
        [null, 10],
        [null, 14],
      ],
      flaps: [],
    })
    const { told, flaps } = alerts([courseOf([...often(10, 5), outage(70, 71)])])
    expect(told).toEqual([
      [null, 10],
      [null, 14],
      [null, 18],
      ['flapping', null],
      ['flapping', null],
      [null, 70],
    ])
    expect(flaps).toEqual([[20, 58]])
    expect(
      alerts([courseOf([outage(10, 12), outage(26, 28), outage(42, 44), outage(58, 60)])]).flaps,
      'slower than that',
    ).toEqual([])
  })

  test('of an outage that lasts are told after all', () => {
    expect(
      alerts([courseOf([...often(10, 3), outage(30, 39), outage(45, 56), outage(60, null)])]).told.slice(3),
    ).toEqual([
      ['flapping', null],
      ['flapping', 55],
      ['flapping', 70],
    ])
  })

  test('of another check are gathered with them, and warnings that come and go flap too', () => {
    const other = { ...courseOf([outage(22, 23)]), check: 'other' }
    expect(alerts([courseOf(often(10, 3)), other]).told.at(-1)).toEqual(['flapping', null])
    const turned = [10, 12, 14, 16, 18, 20]
    expect(alerts([courseOf([outage(22, 23)], { turned, warned: turned })])).toEqual({
      told: [['flapping', null]],
      flaps: [[20, 53]],
    })
    expect(alerts([courseOf([outage(22, 23)], { turned: turned.slice(1), warned: turned })]).flaps).toEqual([])
  })

  test('are kept while the check is snoozed, and told at its end of what is still open then', () => {
    const snoozed: [number, number][] = [
      [20, 40],
      [40, 60],
    ]
    expect(alerts([courseOf([outage(10, 25), outage(30, 50), outage(55, 70), outage(80, 81)])], snoozed).told).toEqual([
      [null, 10],
      ['snooze', null],
      ['snooze', 60],
      [null, 80],
    ])
    expect(alerts([courseOf(often(10, 4))], [[0, 30]])).toMatchObject({ flaps: [[30, 54]] })
    expect(alerts([courseOf(often(10, 4))], [[0, 300]])).toEqual({
      told: [
        ['snooze', null],
        ['snooze', null],
        ['snooze', null],
        ['flapping', null],
      ],
      flaps: [[null, 54]],
    })
  })
})
