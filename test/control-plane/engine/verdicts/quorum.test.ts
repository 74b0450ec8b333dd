import { describe, expect, test } from 'vitest'
import { type Policy, RegionPolicy, requiredToClose, requiredToOpen } from '#control-plane/engine/verdicts/quorum.ts'

const majority: Policy = { mode: 'majority', count: null }
const any: Policy = { mode: 'any', count: null }
const all: Policy = { mode: 'all', count: null }
const atLeast = (count: number): Policy => ({ mode: 'count', count })

/** Regions that must fail, and that must be well again, when 1 to 6 regions were asked and all of them vote. */
const table: [string, Policy, number[], number[]][] = [
  ['any', any, [1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6]],
  ['majority', majority, [1, 2, 2, 3, 3, 4], [1, 2, 2, 2, 3, 3]],
  ['all', all, [1, 2, 3, 4, 5, 6], [1, 2, 2, 2, 2, 2]],
  ['count of 1', atLeast(1), [1, 2, 2, 2, 2, 2], [1, 2, 2, 3, 4, 5]],
  ['count of 2', atLeast(2), [1, 2, 2, 2, 2, 2], [1, 2, 2, 3, 4, 5]],
  ['count of 3', atLeast(3), [1, 2, 3, 3, 3, 3], [1, 2, 2, 2, 3, 4]],
  ['count of 9', atLeast(9), [1, 2, 3, 4, 5, 6], [1, 2, 2, 2, 2, 2]],
]

describe('a policy', () => {
  for (const [name, policy, opens, closes] of table)
    test(`${name}: so many of 1 to 6 regions`, () => {
      const asked = [1, 2, 3, 4, 5, 6]
      expect(asked.map(regions => requiredToOpen(policy, regions, regions))).toEqual(opens)
      expect(asked.map(regions => requiredToClose(policy, regions, regions))).toEqual(closes)
    })

  test('lets no region decide alone when several were asked, however many are left', () => {
    for (const policy of [majority, all, atLeast(1), atLeast(4)])
      for (let asked = 2; asked <= 6; asked++)
        for (let voting = 0; voting <= asked; voting++) {
          expect(requiredToOpen(policy, voting, asked)).toBeGreaterThanOrEqual(2)
          expect(requiredToClose(policy, voting, asked)).toBeGreaterThanOrEqual(2)
        }
  })

  test('never holds for down and well at once', () => {
    for (const [, policy] of table)
      for (let asked = 2; asked <= 6; asked++)
        for (let voting = 2; voting <= asked; voting++)
          for (let down = requiredToOpen(policy, voting, asked); down <= voting; down++)
            expect(voting - down).toBeLessThan(requiredToClose(policy, voting, asked))
  })

  test('of mode count names its count', () => {
    expect(RegionPolicy.safeParse({ mode: 'count' }).success).toBe(false)
    expect(RegionPolicy.parse({ mode: 'majority' })).toEqual({ mode: 'majority', count: null })
  })
})
