import { expect, test } from 'vitest'
import type { Outcome } from '#contract/check.ts'
import { CheckState, type Eligibility } from '#control-plane/engine/verdicts/core.ts'
import {
  countDisagreement,
  type RegionCount,
  unreliableRegions,
} from '#control-plane/engine/verdicts/unreliable-regions.ts'

const regions = ['ap', 'eu', 'us']
const eligible = new Map<string, Eligibility>(regions.map(region => [region, { why: null, since: 0 }]))

function checkWith(...votes: (Outcome | null)[]): CheckState {
  const check = new CheckState(regions, 0)
  for (const [index, vote] of votes.entries()) check.regions[index]!.vote = vote
  return check
}

function found(
  checks: CheckState[],
  before: ReadonlySet<string> = new Set(),
  eligibilities: ReadonlyMap<string, Eligibility> = eligible,
): string[] {
  const counts = new Map<string, RegionCount>()
  for (const check of checks) countDisagreement(counts, check, eligibilities, before)
  return [...unreliableRegions(counts, before, eligibilities)]
}

const many = (count: number, ...votes: (Outcome | null)[]) => Array.from({ length: count }, () => checkWith(...votes))

test('a region that alone fails more than 30 % of at least 20 checks is unreliable', () => {
  expect(found([...many(70, 'up', 'up', 'up'), ...many(31, 'up', 'up', 'down')])).toEqual(['us'])
  expect(found([...many(70, 'up', 'up', 'up'), ...many(30, 'up', 'up', 'down')])).toEqual([])
  expect(found(many(20, 'up', 'up', 'down'))).toEqual(['us'])
  expect(found(many(19, 'up', 'up', 'down'))).toEqual([])
})

test('a check that fails elsewhere too, or runs nowhere else, does not count against a region', () => {
  expect(found(many(100, 'up', 'down', 'down'))).toEqual([])
  expect(found(many(100, 'down', 'down', 'down'))).toEqual([])
  expect(found(many(100, null, null, 'down'))).toEqual([])
})

test('an unreliable region recovers when it agrees with the others again, not before', () => {
  const before = new Set(['us'])
  const excluded = new Map<string, Eligibility>([...eligible, ['us', { why: 'suspect', since: 0 }]])
  expect(found([...many(80, 'up', 'up', 'up'), ...many(20, 'up', 'up', 'down')], before, excluded)).toEqual(['us'])
  expect(found([...many(90, 'up', 'up', 'up'), ...many(10, 'up', 'up', 'down')], before, excluded)).toEqual([])
  // without results: it has shown nothing
  const silent = new Map<string, Eligibility>([...eligible, ['us', { why: 'silent', since: 0 }]])
  expect(found(many(90, 'up', 'up', 'up'), before, silent)).toEqual(['us'])
})

test('a check that the others have not run since it failed counts against no region', () => {
  const fresh = (countedAt: number, outcome: Outcome) => {
    const check = checkWith('up', 'up', 'down')
    check.regions[2]!.since = 1_000
    for (const other of check.regions.slice(0, 2)) Object.assign(other, { countedAt, outcome })
    return check
  }
  expect(found(Array.from({ length: 100 }, () => fresh(999, 'up')))).toEqual([])
  expect(found(Array.from({ length: 100 }, () => fresh(1_500, 'down')))).toEqual([])
  expect(found(Array.from({ length: 100 }, () => fresh(1_000, 'up')))).toEqual(['us'])
})

test('fewer than half of the regions are unreliable, always', () => {
  const before = new Set(['us'])
  const excluded = new Map<string, Eligibility>([...eligible, ['us', { why: 'suspect', since: 0 }]])
  expect(found(many(100, 'up', 'down', 'down'), before, excluded)).toEqual([])
  expect(
    found([...many(40, 'up', 'up', 'down'), ...many(40, 'up', 'down', 'up'), ...many(40, 'down', 'up', 'up')]),
  ).toEqual([])
  expect(found([...many(40, 'up', 'up', 'down'), ...many(40, 'up', 'down', 'up')])).toEqual([])
})
