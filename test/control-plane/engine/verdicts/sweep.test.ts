import { expect, test } from 'vitest'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { type CheckRules, type Eligibility, reconsider } from '#control-plane/engine/verdicts/core.ts'
import { EngineCheck } from '#control-plane/engine/verdicts/engine-check.ts'
import { sweepSilent } from '#control-plane/engine/verdicts/sweep.ts'

const regions = ['ap', 'eu', 'us']
const rules: CheckRules = {
  regions,
  policy: { mode: 'majority', count: null },
  confirmations: 2,
  recoveryConfirmations: 2,
  severity: 'critical',
  intervalMs: 60_000,
  timeoutMs: 10_000,
}

/** Sixty thousand checks that all regions run at this moment. */
class Many {
  now = 1_000_000_000_000
  eligibilities = new Map<string, Eligibility>(regions.map(name => [name, { why: null, since: this.now }]))
  readonly checks = new Map<string, EngineCheck>()
  readonly assigned = new Map<string, Assigned>()

  constructor(count = 60_000) {
    for (let n = 0; n < count; n++) {
      const check = `check ${n}`
      const state = new EngineCheck(regions, this.now, `monitor ${n}`, false)
      state.verdict = 'up'
      reconsider(state, rules, { now: this.now, eligibilities: this.eligibilities, parents: 'clear' })
      this.checks.set(check, state)
      this.assigned.set(check, { check, rules } as Assigned)
    }
  }

  sweep = () =>
    sweepSilent(this.checks, {
      find: check => this.assigned.get(check),
      world: () => ({ now: this.now, eligibilities: this.eligibilities }),
      onBad: (_, error) => {
        throw error
      },
    })

  /** Results of a minute later, of all but the first so many. */
  live(ms: number, without = 0) {
    this.now += ms
    for (const state of [...this.checks.values()].slice(without))
      for (const region of state.regions) region.resultAt = this.now
  }

  /** Processor time of one sweep, and of its longest slice between two turns of the event loop, in milliseconds. */
  async cost() {
    const spent = (since: NodeJS.CpuUsage) => {
      const { user, system } = process.threadCpuUsage(since)
      return (user + system) / 1_000
    }
    const from = process.threadCpuUsage()
    let last = from
    let longest = 0
    let isOver = false
    const watch = () => {
      longest = Math.max(longest, spent(last))
      last = process.threadCpuUsage()
      if (!isOver) setImmediate(watch)
    }
    setImmediate(watch)
    await this.sweep()
    isOver = true
    return { ms: spent(from), longest }
  }
}

test('a sweep finds the checks with missing results, and again while they are missing', async () => {
  const many = new Many(1_000)
  expect(await many.sweep()).toEqual({ changed: [], silent: new Map() })
  for (let minute = 0; minute < 3; minute++) many.live(60_000, 100)
  const silent = new Map(regions.map(name => [name, 100]))
  for (let turn = 0; turn < 2; turn++) {
    const found = await many.sweep()
    expect([found.changed.length, found.silent]).toEqual([100, silent])
  }
  many.live(1_000)
  expect((await many.sweep()).silent.size).toBe(0)
  many.eligibilities = new Map([...many.eligibilities, ['us', { why: 'silent', since: many.now }]])
  expect((await many.sweep()).changed).toHaveLength(1_000)
})

test('sixty thousand checks of three regions are swept in a small part of the time between two sweeps, in short steps', async () => {
  const many = new Many()
  const costs: number[] = []
  let longest = 0
  // the median of sweeps five seconds apart, in which every check has a result a minute
  for (let turn = 0; turn < 25; turn++) {
    many.now += 5_000
    if (turn % 12 === 0) many.live(0)
    const cost = await many.cost()
    costs.push(cost.ms)
    longest = Math.max(longest, cost.longest)
  }
  // some 60 ms where nothing else runs; machines differ, and what grows with the square is far above
  expect(costs.sort((one, other) => one - other)[12]).toBeLessThan(300)
  expect(longest).toBeLessThan(300)
})
