import { describe, expect, test } from 'vitest'
import {
  advance,
  minutesUntilNext,
  type Plan,
  type Progress,
} from '#control-plane/alerting/escalation-policies/runs/advance.ts'
import { isMet } from '#control-plane/alerting/escalation-policies/runs/condition.ts'
import type { StepCondition } from '#control-plane/db/model/shapes.ts'

const policy = (id: string, delays: readonly number[], more: Partial<Plan> = {}): Plan => ({
  id,
  repeatCount: 0,
  repeatDelayMinutes: 7,
  fallbackPolicyId: null,
  steps: delays.map(delayMinutes => ({ delayMinutes })),
  ...more,
})

/** Every step of a run that no person takes, each with the minutes until the next. */
function wholeRun(plans: readonly Plan[]): string[] {
  const byId = new Map(plans.map(each => [each.id, each]))
  const taken: string[] = []
  let progress: Progress = { policyId: plans[0]!.id, round: 1, step: 0, repeats: 0 }
  for (let next = advance(byId, progress); next; next = advance(byId, progress)) {
    progress = next.progress
    const minutes = minutesUntilNext(byId.get(progress.policyId)!, progress, { hasCalled: true })
    taken.push(`${progress.policyId} round ${progress.round} step ${progress.step}, then ${minutes}`)
    if (taken.length > 100) throw new Error('The run does not end.')
  }
  return taken
}

describe('the steps of a run', () => {
  test('are taken in order, repeated, and followed by those of the fallback policy', () => {
    const first = policy('a', [1, 5, 10], { repeatCount: 1, fallbackPolicyId: 'b' })
    expect(wholeRun([first, policy('b', [2])])).toEqual([
      'a round 1 step 1, then 5',
      'a round 1 step 2, then 10',
      'a round 1 step 3, then 7',
      'a round 2 step 1, then 5',
      'a round 2 step 2, then 10',
      'a round 2 step 3, then 7',
      'b round 3 step 1, then 7',
    ])
  })

  test('are at most ten rounds more than one', () => {
    expect(wholeRun([policy('a', [1, 1], { repeatCount: 10 })])).toHaveLength(22)
  })

  test('end where policies without steps fall back on each other', () => {
    const [a, b] = [
      policy('a', [], { fallbackPolicyId: 'b', repeatCount: 3 }),
      policy('b', [], { fallbackPolicyId: 'a' }),
    ]
    expect(wholeRun([a, b])).toEqual([])
  })

  test('end where the policy was deleted, or has fewer steps than were taken', () => {
    const progress = { policyId: 'a', round: 1, step: 3, repeats: 0 }
    expect(advance(new Map(), progress)).toBeNull()
    expect(advance(new Map([['a', policy('a', [1])]]), progress)).toBeNull()
  })

  test('that called no target delay nothing but the end of their round', () => {
    const plan = policy('a', [1, 5])
    const at = (step: number) => ({ policyId: 'a', round: 1, step, repeats: 0 })
    expect(minutesUntilNext(plan, at(1), { hasCalled: false })).toBe(0)
    expect(minutesUntilNext(plan, at(2), { hasCalled: false })).toBe(7)
    expect(minutesUntilNext(plan, at(2), { hasCalled: false, isRoundLost: true })).toBe(0)
  })
})

describe('the condition of a step', () => {
  const always: StepCondition = { severity: null, days: null, from: null, to: null, timezone: null }
  const at = (text: string) => Date.parse(text)

  test('compares the severity', () => {
    expect(isMet({ ...always, severity: ['critical'] }, 'critical', 0)).toBe(true)
    expect(isMet({ ...always, severity: ['critical'] }, 'minor', 0)).toBe(false)
    expect(isMet(null, 'minor', 0)).toBe(true)
  })

  test('reads days and times by the clock of its zone', () => {
    const office: StepCondition = {
      ...always,
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      from: '09:00',
      to: '17:00',
      timezone: 'Europe/Berlin',
    }
    // 2026-03-27 is a Friday before the clocks change, 2026-03-30 the Monday after it
    expect(isMet(office, 'minor', at('2026-03-27T07:59:00Z'))).toBe(false)
    expect(isMet(office, 'minor', at('2026-03-27T08:00:00Z'))).toBe(true)
    expect(isMet(office, 'minor', at('2026-03-27T16:00:00Z'))).toBe(false)
    expect(isMet(office, 'minor', at('2026-03-28T10:00:00Z'))).toBe(false)
    expect(isMet(office, 'minor', at('2026-03-30T07:00:00Z'))).toBe(true)
  })

  test('lets a night belong to the day on which it begins', () => {
    const nights: StepCondition = { ...always, days: ['fri'], from: '22:00', to: '06:00', timezone: 'UTC' }
    expect(isMet(nights, 'minor', at('2026-03-27T22:00:00Z'))).toBe(true)
    expect(isMet(nights, 'minor', at('2026-03-28T05:59:00Z'))).toBe(true)
    expect(isMet(nights, 'minor', at('2026-03-28T06:00:00Z'))).toBe(false)
    expect(isMet(nights, 'minor', at('2026-03-28T22:00:00Z'))).toBe(false)
    expect(isMet(nights, 'minor', at('2026-03-27T05:00:00Z'))).toBe(false)
  })

  test('without times lasts whole days', () => {
    const weekend: StepCondition = { ...always, days: ['sat', 'sun'], timezone: 'UTC' }
    expect(isMet(weekend, 'minor', at('2026-03-28T00:00:00Z'))).toBe(true)
    expect(isMet(weekend, 'minor', at('2026-03-29T23:59:00Z'))).toBe(true)
    expect(isMet(weekend, 'minor', at('2026-03-27T23:59:00Z'))).toBe(false)
  })
})
