import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { momentsOf, parentsAt } from '#control-plane/monitoring/simulations/moments.ts'
import { Lane, Replay } from '#control-plane/monitoring/simulations/replay.ts'
import type { CheckRules } from '#control-plane/monitoring/verdicts/core.ts'
import { policyModes } from '#control-plane/monitoring/verdicts/quorum.ts'
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
  const oneRegion = live(rulesOf(), [{ kind: 'down', from: 30 * minute, length: 20 * minute, region: 1 }], startsAt, lengthS)
  const all = live(rulesOf(), [{ kind: 'down', from: 30 * minute, length: 20 * minute, region: undefined }], startsAt, lengthS)

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
      const going = new Replay([lane], { startsAt, standings: new Map(), moments: momentsOf({ standings: [], changes: [], parentsDown }), parentsDown })
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
