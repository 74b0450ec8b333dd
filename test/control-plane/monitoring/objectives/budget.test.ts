import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Objective } from '#control-plane/db/model/shapes.ts'
import { budgetOf, burnRate, exhaustionAt } from '#control-plane/monitoring/objectives/budget.ts'
import { dayMs } from '#control-plane/monitoring/statistics/judged-time.ts'

const objective: Objective = { target_pct: 99.9, window_days: 30 }
const minutes = (count: number) => count * 60_000
const judged = (up: number, down: number, warning = 0) => ({ up, down, warning })

const objectives = fc.record({
  target_pct: fc.integer({ min: 50_000, max: 99_999 }).map(thousandths => thousandths / 1_000),
  window_days: fc.integer({ min: 7, max: 90 }),
})
/** An objective and how its window was judged; what is left was judged as neither. */
const windows = fc
  .tuple(objectives, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([slo, share, down]) => {
    const total = slo.window_days * dayMs * share
    return { slo, time: judged(Math.round(total * (1 - down)), Math.round(total * down)) }
  })

describe('an error budget', () => {
  test('is the share of the whole window that may be down', () => {
    expect(budgetOf(objective, judged(minutes(43_190), minutes(10)))).toEqual({
      uptime_pct: 99.9768,
      budget_s: 2_592,
      used_s: 600,
      left_s: 1_992,
      left_pct: 76.85,
    })
    expect(budgetOf({ target_pct: 99.999, window_days: 7 }, judged(0, 0))).toEqual({
      uptime_pct: null,
      budget_s: 6,
      used_s: 0,
      left_s: 6,
      left_pct: 100,
    })
  })

  test('is never below zero, and what is left and used make up the whole', () =>
    fc.assert(
      fc.property(windows, ({ slo, time }) => {
        const { budget_s, used_s, left_s, left_pct } = budgetOf(slo, time)
        expect(left_s).toBeGreaterThanOrEqual(0)
        expect(left_pct).toBeGreaterThanOrEqual(0)
        expect(left_pct).toBeLessThanOrEqual(100)
        expect(Math.abs(Math.max(budget_s, used_s) - used_s - left_s)).toBeLessThanOrEqual(0.21)
      }),
    ))

  test('of a window that was judged as a whole is used up exactly where uptime is below the target', () =>
    fc.assert(
      fc.property(objectives, fc.double({ min: 0, max: 0.6, noNaN: true }), (slo, share) => {
        const down = Math.round(slo.window_days * dayMs * share)
        const { uptime_pct, left_s } = budgetOf(slo, judged(slo.window_days * dayMs - down, down))
        if (left_s > 0.1) expect(uptime_pct).toBeGreaterThanOrEqual(slo.target_pct - 0.000_1)
        if (uptime_pct! > slo.target_pct + 0.000_2) expect(left_s).toBeGreaterThan(0)
      }),
    ))

  test('only shrinks by more time down, and a warning uses none of it', () =>
    fc.assert(
      fc.property(windows, fc.nat(10_000_000), ({ slo, time }, more) => {
        const before = budgetOf(slo, time)
        expect(budgetOf(slo, { ...time, down: time.down + more }).left_s).toBeLessThanOrEqual(before.left_s)
        expect(budgetOf(slo, { ...time, warning: more }).left_s).toBe(before.left_s)
      }),
    ))
})

describe('a burn rate', () => {
  test('is one where failures use exactly the budget of a window, and null without results', () => {
    expect(burnRate(objective, judged(minutes(999), minutes(1)))).toBe(1)
    expect(burnRate(objective, judged(0, minutes(60)))).toBe(1_000)
    expect(burnRate(objective, judged(minutes(60), 0))).toBe(0)
    expect(burnRate(objective, judged(0, 0))).toBeNull()
  })

  test('kept up for a window uses the budget as many times', () =>
    fc.assert(
      fc.property(windows, ({ slo, time }) => {
        const rate = burnRate(slo, time)
        if (rate === null) return
        const share = time.down / (time.up + time.down)
        expect(Math.abs(rate * (1 - slo.target_pct / 100) - share)).toBeLessThanOrEqual(0.005)
      }),
    ))
})

describe('the estimated exhaustion', () => {
  const now = new Date('2026-03-15T12:00:00Z')

  test('is when what is left is used at the present rate', () => {
    // 43.2 minutes may be down; 13.2 were; a tenth of an hour more each hour
    const at = exhaustionAt(objective, judged(minutes(40_000), minutes(13.2)), judged(minutes(54), minutes(6)), now)
    expect(at?.toISOString()).toBe('2026-03-15T17:00:00.000Z')
  })

  test('is null without failures, without results, for a slow rate and for a budget that is used up', () => {
    const half = judged(minutes(40_000), minutes(20))
    expect(exhaustionAt(objective, half, judged(minutes(60), 0), now)).toBeNull()
    expect(exhaustionAt(objective, half, judged(0, 0), now)).toBeNull()
    expect(exhaustionAt(objective, judged(0, 0), judged(minutes(2_000), minutes(1)), now)).toBeNull()
    expect(exhaustionAt(objective, judged(0, minutes(44)), judged(minutes(54), minutes(6)), now)).toBeNull()
  })

  test('is never in the past, nor later than a window from now', () =>
    fc.assert(
      fc.property(windows, windows, ({ slo, time }, { time: recent }) => {
        const at = exhaustionAt(slo, time, recent, now)
        if (at === null) return
        expect(at.getTime()).toBeGreaterThanOrEqual(now.getTime())
        expect(at.getTime() - now.getTime()).toBeLessThanOrEqual(slo.window_days * dayMs)
      }),
    ))
})
