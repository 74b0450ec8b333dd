import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Judgement, noPhases, type Outcome } from '#contract/check.ts'
import { checkRow, voteRow } from '#control-plane/engine/verdicts/batch.ts'
import {
  type CheckRules,
  CheckState,
  confirmAfterMs,
  countCovering,
  type Effects,
  type Eligibility,
  freshnessMs,
  observe,
  type RegionResult,
  reconsider,
  silenceMs,
} from '#control-plane/engine/verdicts/core.ts'
import { QuorumProof } from '#control-plane/engine/verdicts/proof.ts'
import { type Policy, policyModes, requiredToClose, requiredToOpen } from '#control-plane/engine/verdicts/quorum.ts'

const names = ['a', 'b', 'c', 'd', 'e']
const usual: Omit<CheckRules, 'regions'> = {
  policy: { mode: 'majority', count: null },
  confirmations: 2,
  recoveryConfirmations: 2,
  severity: 'critical',
  intervalMs: 60_000,
  timeoutMs: 10_000,
}
const judgements: Record<Outcome | 'unknown', Judgement> = {
  up: { status: 'up' },
  warning: { status: 'warning', code: 'slow', reason: 'slow' },
  down: { status: 'down', code: 'refused', reason: 'refused' },
  unknown: { status: 'unknown', code: 'resolver_unavailable', reason: 'degraded' },
}

interface Seen {
  region: number
  status: Outcome | 'unknown'
  isUnreliable: boolean
}
type Step =
  | { kind: 'result'; seen: Seen; afterMs: number }
  | { kind: 'eligibility'; region: number; isEligible: boolean }

/** A check under a hand: its own clock, eligibilities and everything that came of it. */
class Hand {
  readonly rules: CheckRules
  readonly eligibilities = new Map<string, Eligibility>()
  readonly incidents: ('opens' | 'resolves')[] = []
  readonly verdicts: (Outcome | null)[] = []
  readonly taken: RegionResult[] = []
  check: CheckState
  now = 1_000_000_000_000

  constructor(rules: CheckRules) {
    this.rules = rules
    this.check = new CheckState(rules.regions, this.now)
    for (const region of rules.regions) this.eligibilities.set(region, { why: null, since: this.now })
  }

  get world() {
    return { now: this.now, eligibilities: this.eligibilities, parents: 'clear' as const }
  }

  result({ region, status, isUnreliable }: Seen, afterMs: number): Effects {
    this.now += afterMs
    const result: RegionResult = {
      region: this.rules.regions[region % this.rules.regions.length]!,
      due: this.now,
      attempt: 0,
      at: this.now,
      judgement: judgements[status],
      isUnreliable,
      evidence: { phases: noPhases, error: null, http_status: null, excerpt: null },
    }
    this.taken.push(result)
    return this.take(result)
  }

  take(result: RegionResult): Effects {
    return this.note(observe(this.check, this.rules, result, this.world))
  }

  stand(region: number, isEligible: boolean): Effects {
    this.now += 10
    const name = this.rules.regions[region % this.rules.regions.length]!
    if ((this.eligibilities.get(name)?.why === null) !== isEligible)
      this.eligibilities.set(name, { why: isEligible ? null : 'silent', since: this.now })
    return this.note(reconsider(this.check, this.rules, this.world))
  }

  note(effects: Effects): Effects {
    if (effects.opens) this.incidents.push('opens')
    if (effects.resolves) this.incidents.push('resolves')
    if (effects.verdict) this.verdicts.push(effects.verdict.to)
    return effects
  }

  step(step: Step): Effects {
    return step.kind === 'result' ? this.result(step.seen, step.afterMs) : this.stand(step.region, step.isEligible)
  }

  isEligible(region: string): boolean {
    return this.eligibilities.get(region)?.why === null
  }

  snapshot() {
    return {
      check: checkRow('', this.check),
      incident: this.check.incident,
      votes: this.check.regions.map(region => voteRow('', region)),
    }
  }
}

const policies = fc.record({ mode: fc.constantFrom(...policyModes), count: fc.integer({ min: 1, max: 5 }) }).map(
  ({ mode, count }): Policy => ({
    mode,
    count: mode === 'count' ? count : null,
  }),
)
const someRules = fc.record({
  regions: fc.integer({ min: 1, max: 5 }).map(count => names.slice(0, count)),
  policy: policies,
  confirmations: fc.integer({ min: 1, max: 4 }),
  recoveryConfirmations: fc.integer({ min: 1, max: 4 }),
  severity: fc.constant('critical' as const),
  intervalMs: fc.constant(60_000),
  timeoutMs: fc.constant(10_000),
})
const region = fc.integer({ min: 0, max: 4 })
const outcome = fc.constantFrom<Outcome>('up', 'up', 'down', 'down', 'warning')
const seen = fc.record({
  region,
  status: fc.oneof({ weight: 8, arbitrary: outcome }, { weight: 1, arbitrary: fc.constant('unknown' as const) }),
  isUnreliable: fc.nat({ max: 9 }).map(draw => draw === 0),
})
const results = fc.record({
  kind: fc.constant('result' as const),
  seen,
  afterMs: fc.integer({ min: 1_000, max: 40_000 }),
})
const eligibilities = fc.record({ kind: fc.constant('eligibility' as const), region, isEligible: fc.boolean() })
const steps = fc.array(fc.oneof({ weight: 6, arbitrary: results }, { weight: 1, arbitrary: eligibilities }), {
  maxLength: 80,
}) as fc.Arbitrary<Step[]>
const resultSteps = fc.array(results, { maxLength: 80 }) as fc.Arbitrary<Step[]>

/** Fixed, so that a red run can be run again; VERDICT_SEED and VERDICT_RUNS draw others. */
const seed = Number(process.env.VERDICT_SEED ?? 20_261_121)
const runs = { numRuns: Number(process.env.VERDICT_RUNS ?? 1_500), seed }

describe('a region', () => {
  const alone: CheckRules = {
    regions: ['a'],
    policy: { mode: 'majority', count: null },
    confirmations: 3,
    recoveryConfirmations: 2,
    severity: 'major',
    intervalMs: 10_000,
    timeoutMs: 5_000,
  }
  const votesOf = (...statuses: (Outcome | 'unknown')[]) => {
    const hand = new Hand(alone)
    return statuses.map(status => {
      hand.result({ region: 0, status, isUnreliable: false }, 10_000)
      return hand.check.regions[0]!.vote
    })
  }

  test('votes by streaks of results that agree', () => {
    expect(votesOf('up')).toEqual(['up'])
    expect(votesOf('down', 'down', 'down')).toEqual([null, null, 'down'])
    expect(votesOf('up', 'down', 'down', 'up', 'down', 'down', 'down')).toEqual([
      'up',
      'up',
      'up',
      'up',
      'up',
      'up',
      'down',
    ])
    expect(votesOf('down', 'down', 'down', 'up', 'down', 'up', 'up')).toEqual([
      null,
      null,
      'down',
      'down',
      'down',
      'down',
      'up',
    ])
    expect(votesOf('up', 'warning', 'down', 'warning')).toEqual(['up', 'up', 'up', 'warning'])
    expect(votesOf('down', 'down', 'down', 'warning', 'up', 'up')).toEqual([
      null,
      null,
      'down',
      'down',
      'warning',
      'up',
    ])
    expect(votesOf('warning', 'up', 'up')).toEqual(['warning', 'warning', 'up'])
  })

  test('is not moved by unknown results', () => {
    expect(votesOf('up', 'down', 'unknown', 'down', 'unknown', 'down')).toEqual(['up', 'up', 'up', 'up', 'up', 'down'])
  })

  test('counts a brief disturbance once, however many runs find it', () => {
    const hand = new Hand({ ...alone, confirmations: 2 })
    hand.result({ region: 0, status: 'up', isUnreliable: false }, 1_000)
    for (let result = 0; result < 5; result++)
      hand.result({ region: 0, status: 'down', isUnreliable: false }, result === 0 ? 1_000 : 100)
    expect(hand.check.regions[0]!.vote).toBe('up')
    hand.result({ region: 0, status: 'down', isUnreliable: false }, confirmAfterMs)
    expect(hand.check.regions[0]!.vote).toBe('down')
  })

  test('is sure a second after the result that counted, also when others came in between', () => {
    const hand = new Hand({ ...alone, confirmations: 2 })
    hand.result({ region: 0, status: 'up', isUnreliable: false }, 1_000)
    hand.result({ region: 0, status: 'down', isUnreliable: false }, 1_000)
    const between = hand.result({ region: 0, status: 'down', isUnreliable: false }, 700)
    expect(between.runRequests).toEqual([{ region: 'a', afterMs: confirmAfterMs - 700 }])
    expect(hand.check.regions[0]!.vote).toBe('up')
    hand.result({ region: 0, status: 'down', isUnreliable: false }, confirmAfterMs - 700)
    expect(hand.check.regions[0]!.vote).toBe('down')
  })

  test('is asked for no more than a dozen runs of a target that flips every time', () => {
    const hand = new Hand({ ...alone, confirmations: 2 })
    hand.result({ region: 0, status: 'warning', isUnreliable: false }, 1_000)
    let asked = 0
    for (let attempt = 1; attempt < 100; attempt++) {
      hand.now += 1_000
      const status = attempt % 2 === 0 ? 'up' : 'down'
      const result = { ...hand.taken[0]!, due: hand.now, at: hand.now, attempt, judgement: judgements[status] }
      asked += hand.take(result).runRequests.length
    }
    expect(asked).toBeLessThanOrEqual(12)
  })
})

describe('a region whose results do not come', () => {
  const [up, down] = [
    { status: 'up', isUnreliable: false },
    { status: 'down', isUnreliable: false },
  ] as const
  const all = [0, 1, 2]
  const aHand = (more: Partial<CheckRules> = {}) => new Hand({ ...usual, regions: ['a', 'b', 'c'], ...more })
  /** Some regions send a result, a minute after the last time. */
  const round = (hand: Hand, seen: Omit<Seen, 'region'>, regions = all) =>
    regions.map((region, nth) => hand.result({ region, ...seen }, nth === 0 ? 60_000 : 10))

  test('covers the check for two intervals and a timeout after its newest result, else until that one, and again with the next one', () => {
    const hand = aHand()
    round(hand, up)
    const lastOfC = hand.now
    round(hand, up, [0, 1])
    round(hand, up, [0, 1])
    expect(hand.check.coverage).toBe('full')
    hand.now = lastOfC + silenceMs(hand.rules)
    expect(reconsider(hand.check, hand.rules, hand.world).coverage).toBeNull()
    hand.now++
    const lost = { from: 'full', to: 'partial', at: lastOfC }
    expect(reconsider(hand.check, hand.rules, hand.world)).toMatchObject({ coverage: lost, verdict: null })
    expect(hand.check.coverageSince).toBe(lost.at)
    expect(hand.result({ region: 2, ...up }, 1_000).coverage).toEqual({ from: 'partial', to: 'full', at: hand.now })
  })

  test('whichever it is: without any the coverage is none, the status stays, nothing opens, and the next result heals', () => {
    const hand = aHand()
    round(hand, up)
    hand.now += 10 * 60_000
    const { coverage, verdict, opens } = reconsider(hand.check, hand.rules, hand.world)
    expect([coverage?.to, verdict, opens, hand.check.verdict]).toEqual(['none', null, null, 'up'])
    expect(hand.result({ region: 0, ...up }, 10).coverage?.to).toBe('partial')
    round(hand, up)
    expect(hand.check.coverage).toBe('full')
  })

  test('has no vote for the present: its failure of before makes no quorum with another that begins to fail', () => {
    const hand = aHand({ confirmations: 1 })
    round(hand, up)
    hand.result({ region: 2, ...down }, 60_000)
    const lastOfC = hand.now
    for (let minute = 0; minute < 3; minute++) round(hand, up, [0, 1])
    expect(hand.now - lastOfC).toBeGreaterThan(silenceMs(hand.rules))
    expect([hand.check.verdict, hand.check.failing]).toEqual(['up', []])
    hand.result({ region: 0, ...down }, 10)
    expect(hand.incidents).toEqual([])
    hand.result({ region: 1, ...down }, 10)
    expect(hand.incidents).toEqual(['opens'])
  })

  test('is named as silent in the proof', () => {
    const hand = aHand()
    round(hand, up)
    for (let minute = 0; minute < 3; minute++) round(hand, up, [0, 1])
    const effects = [...round(hand, down, [0, 1]), ...[0, 1].map(region => hand.result({ region, ...down }, 1_000))]
    expect(effects.find(({ opens }) => opens)?.opens?.quorum).toMatchObject({ failed: ['a', 'b'], silent: ['c'] })
  })

  test('has fifteen seconds at least, however short the interval', () => {
    expect(silenceMs({ intervalMs: 1_000, timeoutMs: 1_000 })).toBe(15_000)
    expect(silenceMs({ intervalMs: 60_000, timeoutMs: 10_000 })).toBe(130_000)
  })

  test('starts counting again when its schedule changes, when it is enabled and when it is eligible again', () => {
    const hand = aHand()
    round(hand, up)
    hand.now += 10 * 60_000
    hand.check.expect(hand.now)
    expect(countCovering(hand.check, hand.rules, hand.world)).toBe(3)
    hand.now += 10 * 60_000
    hand.check.wake(hand.now)
    expect(countCovering(hand.check, hand.rules, hand.world)).toBe(3)
    hand.now += 10 * 60_000
    hand.stand(0, false)
    hand.stand(0, true)
    expect(countCovering(hand.check, hand.rules, hand.world)).toBe(1)
  })
})

describe('whatever happens', () => {
  test('an incident stands on enough regions that failed often enough, and its proof says so', () => {
    fc.assert(
      fc.property(someRules, steps, (rules, steps) => {
        const hand = new Hand(rules)
        const runs = new Map(rules.regions.map(name => [name, { down: 0, well: 0, isDown: false }]))
        for (const step of steps) {
          const effects = hand.step(step)
          if (step.kind === 'result' && !step.seen.isUnreliable && step.seen.status !== 'unknown') {
            const run = runs.get(rules.regions[step.seen.region % rules.regions.length]!)!
            run.down = step.seen.status === 'down' ? run.down + 1 : 0
            run.well = step.seen.status === 'down' ? 0 : run.well + 1
            // down by enough failures in a row, until well as often in a row as it takes
            run.isDown = run.down >= rules.confirmations || (run.isDown && run.well < rules.recoveryConfirmations)
          }
          if (!effects.opens) continue
          const proof = QuorumProof.parse(effects.opens.quorum)
          expect(step.kind).toBe('result')
          expect(proof.required).toBeGreaterThanOrEqual(
            rules.policy.mode === 'any' ? 1 : Math.min(2, rules.regions.length),
          )
          expect(proof.failed.length).toBeGreaterThanOrEqual(proof.required)
          const sure = proof.failed.filter(
            name => runs.get(name)!.isDown && runs.get(name)!.down > 0 && hand.isEligible(name),
          )
          expect(sure.length).toBeGreaterThanOrEqual(proof.required)
          expect(
            [...proof.failed, ...proof.ok, ...proof.silent, ...proof.excluded.map(({ region }) => region)].sort(),
          ).toEqual([...proof.asked].sort())
          for (const name of proof.failed) expect(proof.regions[name]?.error?.code).toBe('refused')
          expect(effects.opens.startedAt).toBeLessThanOrEqual(effects.opens.confirmedAt)
        }
      }),
      runs,
    )
  })

  test('a recovery stands on enough regions that are well', () => {
    fc.assert(
      fc.property(someRules, steps, (rules, steps) => {
        const hand = new Hand(rules)
        for (const step of steps) {
          const effects = hand.step(step)
          if (!effects.resolves) continue
          const well = hand.check.regions.filter(
            ({ region, vote, outcome }) =>
              hand.isEligible(region) && vote !== 'down' && vote !== null && outcome !== 'down',
          )
          const asked = rules.regions.length
          expect(well.length).toBeGreaterThanOrEqual(rules.policy.mode === 'any' ? 1 : Math.min(2, asked))
          expect(well.length).toBeGreaterThanOrEqual(requiredToClose(rules.policy, well.length, asked))
        }
      }),
      runs,
    )
  })

  test('silent regions, unreliable results and unknown results neither open nor close', () => {
    fc.assert(
      fc.property(someRules, steps, (rules, steps) => {
        const hand = new Hand(rules)
        for (const step of steps) {
          const before = hand.check.verdict
          const effects = hand.step(step)
          const says = step.kind === 'result' && !step.seen.isUnreliable && step.seen.status !== 'unknown'
          if (says) continue
          expect(effects.opens).toBeNull()
          expect(effects.resolves).toBeNull()
          expect(hand.check.verdict === 'down').toBe(before === 'down')
        }
      }),
      runs,
    )
  })

  test('a region that may not vote moves nothing', () => {
    fc.assert(
      fc.property(someRules, steps, (rules, steps) => {
        const hand = new Hand(rules)
        for (const step of steps) {
          const effects = hand.step(step)
          if (step.kind === 'result' && !hand.isEligible(rules.regions[step.seen.region % rules.regions.length]!))
            expect(effects.opens ?? effects.resolves).toBeNull()
        }
      }),
      runs,
    )
  })

  test('incidents open and close in turn, as the verdict does', () => {
    fc.assert(
      fc.property(someRules, steps, (rules, steps) => {
        const hand = new Hand(rules)
        for (const step of steps) {
          hand.step(step)
          expect(hand.check.incident).toBe(hand.check.verdict === 'down' ? 'open' : 'none')
        }
        for (const [index, move] of hand.incidents.entries()) expect(move).toBe(index % 2 === 0 ? 'opens' : 'resolves')
        for (const [index, verdict] of hand.verdicts.entries()) expect(verdict).not.toBe(hand.verdicts[index - 1])
      }),
      runs,
    )
  })

  test('verdict times never go back, and never lie ahead', () => {
    fc.assert(
      fc.property(someRules, steps, (rules, steps) => {
        const hand = new Hand(rules)
        let last = 0
        for (const step of steps) {
          const { verdict } = hand.step(step)
          if (!verdict) continue
          expect(verdict.at).toBeGreaterThanOrEqual(last)
          expect(verdict.at).toBeLessThanOrEqual(hand.now)
          last = verdict.at
        }
      }),
      runs,
    )
  })

  test('coverage is the share of regions that may vote and have a result of the present', () => {
    fc.assert(
      fc.property(someRules, steps, (rules, steps) => {
        const hand = new Hand(rules)
        const resultAt = new Map(rules.regions.map(name => [name, hand.now]))
        for (const step of steps) {
          hand.step(step)
          if (step.kind === 'result') resultAt.set(rules.regions[step.seen.region % rules.regions.length]!, hand.now)
        }
        reconsider(hand.check, rules, hand.world)
        const covering = rules.regions.filter(name => {
          const since = Math.max(resultAt.get(name)!, hand.eligibilities.get(name)!.since)
          return hand.isEligible(name) && hand.now - since <= silenceMs(rules)
        }).length
        expect(hand.check.coverage).toBe(
          covering === 0 ? 'none' : covering === rules.regions.length ? 'full' : 'partial',
        )
        expect(countCovering(hand.check, rules, hand.world)).toBe(covering)
      }),
      runs,
    )
  })

  test('runs are requested from regions of the check, and only from others that are eligible', () => {
    fc.assert(
      fc.property(someRules, steps, (rules, steps) => {
        const hand = new Hand(rules)
        for (const step of steps) {
          const { runRequests } = hand.step(step)
          for (const { region, afterMs } of runRequests) {
            expect(rules.regions).toContain(region)
            expect(afterMs).toBeLessThanOrEqual(confirmAfterMs)
            if (step.kind === 'result' && region !== rules.regions[step.seen.region % rules.regions.length])
              expect(hand.isEligible(region)).toBe(true)
          }
        }
      }),
      runs,
    )
  })
})

describe('sent again', () => {
  test('any result ever taken, any number of times and in any order, changes nothing', () => {
    fc.assert(
      fc.property(someRules, steps, fc.array(fc.nat(), { maxLength: 300 }), (rules, steps, picks) => {
        const plain = new Hand(rules)
        const plagued = new Hand(rules)
        let pick = 0
        for (const step of steps) {
          plain.step(step)
          plagued.step(step)
          for (let again = 0; again < 4 && plagued.taken.length > 0 && pick < picks.length; again++) {
            const before = plagued.snapshot()
            const effects = observe(
              plagued.check,
              rules,
              plagued.taken[picks[pick++]! % plagued.taken.length]!,
              plagued.world,
            )
            expect(effects.runRequests.length + effects.store.length).toBe(0)
            expect(plagued.snapshot()).toEqual(before)
          }
        }
        expect(plagued.snapshot()).toEqual(plain.snapshot())
        expect(plagued.incidents).toEqual(plain.incidents)
      }),
      runs,
    )
  })

  test('a result too old to decide changes nothing', () => {
    fc.assert(
      fc.property(someRules, resultSteps, outcome, (rules, steps, status) => {
        const hand = new Hand(rules)
        for (const step of steps) hand.step(step)
        const before = hand.snapshot()
        const at = hand.now + 1
        hand.now = at + freshnessMs(rules) + 1
        for (let again = 0; again < 6; again++)
          for (const name of rules.regions) {
            const result = {
              region: name,
              due: at + again,
              attempt: 0,
              at,
              judgement: judgements[status],
              isUnreliable: false,
              evidence: { phases: noPhases, error: null, http_status: null, excerpt: null },
            }
            observe(hand.check, rules, result, hand.world)
          }
        expect(hand.snapshot()).toEqual(before)
      }),
      { numRuns: 300, seed },
    )
  })
})

describe('order and restarts', () => {
  const tail = (rules: CheckRules) => 2 * Math.max(rules.confirmations, rules.recoveryConfirmations) + 2

  test('however regions interleave, the same votes come out, and one verdict once they agree', () => {
    fc.assert(
      fc.property(
        someRules,
        fc.array(fc.array(outcome, { maxLength: 12 }), { minLength: 5, maxLength: 5 }),
        fc.constantFrom<Outcome>('up', 'down'),
        fc.infiniteStream(region),
        (rules, sequences, last, order) => {
          const run = (next: (waiting: number[]) => number) => {
            const hand = new Hand(rules)
            const queues = rules.regions.map((_, index) => [...sequences[index]!])
            for (;;) {
              const waiting = queues.flatMap((queue, index) => (queue.length > 0 ? [index] : []))
              if (waiting.length === 0) break
              const index = next(waiting)
              hand.result({ region: index, status: queues[index]!.shift()!, isUnreliable: false }, 1_000)
            }
            const votes = hand.check.regions.map(({ vote }) => vote)
            for (let round = 0; round < tail(rules); round++)
              rules.regions.forEach(
                (_, index) => void hand.result({ region: index, status: last, isUnreliable: false }, 1_000),
              )
            return { votes, verdict: hand.check.verdict, incident: hand.check.incident }
          }
          const inOrder = run(waiting => waiting[0]!)
          const mixed = run(waiting => waiting[order.next().value! % waiting.length]!)
          expect(mixed).toEqual(inOrder)
          expect(inOrder.verdict).toBe(last)
        },
      ),
      { numRuns: 500, seed },
    )
  })

  test('when every region sees it, a check goes down and comes back, whatever was before', () => {
    fc.assert(
      fc.property(someRules, steps, (rules, steps) => {
        const hand = new Hand(rules)
        for (const step of steps) hand.step(step)
        for (const [index] of rules.regions.entries()) hand.stand(index, true)
        for (const status of ['down', 'up', 'down'] as const) {
          for (let round = 0; round < tail(rules); round++)
            rules.regions.forEach((_, index) => void hand.result({ region: index, status, isUnreliable: false }, 1_000))
          expect(hand.check.verdict).toBe(status)
        }
      }),
      runs,
    )
  })

  test('a restart at any moment, from what was stored, changes nothing', () => {
    const plainResults = fc.array(fc.record({ region, isUp: fc.boolean(), restarts: fc.boolean() }), { maxLength: 60 })
    fc.assert(
      fc.property(someRules, plainResults, (rules, results) => {
        const steady = new Hand(rules)
        const restarted = new Hand(rules)
        const stored = new Map<string, ReturnType<typeof voteRow>>()
        const watermarks = new Map<string, number>()
        for (const { region, isUp, restarts } of results) {
          const seen: Seen = { region, status: isUp ? 'up' : 'down', isUnreliable: false }
          steady.result(seen, 2_000)
          const effects = restarted.result(seen, 2_000)
          for (const state of effects.store) stored.set(state.region, voteRow('', state))
          watermarks.set(restarted.taken.at(-1)!.region, restarted.now)
          if (!restarts) continue
          const fresh = new CheckState(rules.regions, restarted.now)
          fresh.verdict = restarted.check.verdict
          fresh.verdictSince = restarted.check.verdictSince
          fresh.recoveredAt = restarted.check.recoveredAt
          fresh.incident = restarted.check.incident
          fresh.coverage = restarted.check.coverage
          fresh.failing = restarted.check.failing
          fresh.reason = restarted.check.reason
          for (const row of stored.values()) {
            const state = fresh.region(row.region)!
            state.restore({
              vote: row.vote as Outcome | null,
              outcome: row.streak_outcome as Outcome | null,
              count: row.streak_count,
              since: row.streak_since,
              due: row.last_due,
              attempt: row.last_attempt,
              evidence: row.evidence,
            })
            state.pass(watermarks.get(row.region)!, 0)
            state.countedAt = watermarks.get(row.region)!
          }
          restarted.check = fresh
        }
        expect(restarted.incidents).toEqual(steady.incidents)
        expect(restarted.verdicts).toEqual(steady.verdicts)
        expect(restarted.check.regions.map(({ vote }) => vote)).toEqual(steady.check.regions.map(({ vote }) => vote))
      }),
      runs,
    )
  })
})

describe('a quorum', () => {
  for (const mode of policyModes)
    test(`of policy ${mode}: a check of 1 to 5 regions goes down with exactly as many as it takes`, () => {
      for (let count = 1; count <= 5; count++) {
        const policy: Policy = { mode, count: mode === 'count' ? 2 : null }
        const rules: CheckRules = {
          regions: names.slice(0, count),
          policy,
          confirmations: 2,
          recoveryConfirmations: 2,
          severity: 'critical',
          intervalMs: 60_000,
          timeoutMs: 10_000,
        }
        for (let failing = 0; failing <= count; failing++) {
          const hand = new Hand(rules)
          for (let round = 0; round < 4; round++)
            for (let index = 0; index < count; index++)
              hand.result(
                { region: index, status: index < failing && round > 0 ? 'down' : 'up', isUnreliable: false },
                1_000,
              )
          const isDown = failing >= requiredToOpen(policy, count, count)
          expect(hand.check.verdict, `${failing} of ${count}`).toBe(isDown ? 'down' : failing > 0 ? 'warning' : 'up')
        }
      }
    })

  test.each([
    [2, 1],
    [3, 1],
    [3, 2],
    [3, 3],
    [5, 1],
    [5, 2],
  ])('that ends warns of nothing while %i regions turn well, each after %i results', (count, recoveryConfirmations) => {
    const rules: CheckRules = { ...usual, regions: names.slice(0, count), recoveryConfirmations }
    for (const gapMs of [1, 100]) {
      const hand = new Hand(rules)
      const round = (status: Outcome) => {
        for (const [region] of rules.regions.entries()) hand.result({ region, status, isUnreliable: false }, gapMs)
        hand.now += 1_000
      }
      for (const status of ['up', 'down', 'down', 'down'] as const) round(status)
      expect([hand.check.verdict, hand.check.failing.length]).toEqual(['down', count])
      hand.verdicts.length = 0
      for (let n = 0; n <= recoveryConfirmations; n++) round('up')
      expect(hand.verdicts).toEqual(['up'])
      expect([hand.check.incident, hand.check.failing]).toEqual(['none', []])
    }
  })

  test.each([1, 2])(
    'that ends leaves a warning of the region that fails on, after %i results',
    recoveryConfirmations => {
      const rules: CheckRules = { ...usual, regions: ['a', 'b', 'c'], recoveryConfirmations }
      const hand = new Hand(rules)
      const round = (statuses: Outcome[]) => {
        for (const [region, status] of statuses.entries()) hand.result({ region, status, isUnreliable: false }, 10)
        hand.now += 1_000
      }
      round(['up', 'up', 'up'])
      for (let n = 0; n < 3; n++) round(['down', 'down', 'down'])
      for (let n = 0; n < 3; n++) round(['up', 'up', 'down'])
      expect([hand.check.verdict, hand.check.incident, hand.check.failing]).toEqual(['warning', 'none', ['c']])
      // well once, it fails again: it has not followed the others
      round(['up', 'up', 'up'])
      round(['up', 'up', 'down'])
      expect([hand.check.verdict, hand.check.failing]).toEqual(
        recoveryConfirmations === 1 ? ['up', []] : ['warning', ['c']],
      )
    },
  )

  test('waits for regions whose result is still expected, and goes on without them later', () => {
    const rules: CheckRules = { ...usual, regions: names }
    const hand = new Hand(rules)
    for (let index = 0; index < 5; index++) hand.result({ region: index, status: 'up', isUnreliable: false }, 1_000)
    for (const index of [2, 3, 4]) hand.stand(index, false)
    const fail = () =>
      [0, 1].forEach(index => void hand.result({ region: index, status: 'down', isUnreliable: false }, 1_000))
    for (let round = 0; round < 5; round++) fail()
    expect(hand.check.verdict).toBe('warning')
    hand.now += freshnessMs(rules)
    fail()
    expect(hand.check.verdict).toBe('down')
  })

  test('is not formed by failures of different moments: regions that failed before run again', () => {
    const rules: CheckRules = { ...usual, regions: ['a', 'b', 'c'] }
    for (const answer of ['up', 'down'] as const) {
      const hand = new Hand(rules)
      for (const region of [0, 1, 2]) hand.result({ region, status: 'up', isUnreliable: false }, 1_000)
      for (const afterMs of [1_000, 1_000]) hand.result({ region: 0, status: 'down', isUnreliable: false }, afterMs)
      const { runRequests } = hand.result({ region: 1, status: 'down', isUnreliable: false }, 3_000)
      expect(runRequests.map(({ region }) => region).sort()).toEqual(['a', 'b', 'c'])
      hand.result({ region: 1, status: 'down', isUnreliable: false }, 1_000)
      expect(hand.check.verdict).toBe('warning')
      hand.result({ region: 0, status: answer, isUnreliable: false }, 100)
      expect(hand.check.verdict).toBe(answer === 'down' ? 'down' : 'warning')
    }
  })

  test('counts from the moment at which its regions may vote, as recovery does', () => {
    for (const [before, after] of [
      ['up', 'down'],
      ['down', 'up'],
    ] as const) {
      const hand = new Hand({ ...usual, regions: ['a'], policy: { mode: 'any', count: null } })
      for (let n = 0; n < 3; n++) hand.result({ region: 0, status: before, isUnreliable: false }, 1_000)
      expect(hand.check.verdict).toBe(before)
      hand.stand(0, false)
      // back, it reports before it may vote
      for (let n = 0; n < 3; n++) hand.result({ region: 0, status: after, isUnreliable: false }, 5_000)
      expect(hand.check.verdict).toBe(before)
      hand.stand(0, true)
      const mayVoteSince = hand.now
      for (let n = 0; n < 2; n++) hand.result({ region: 0, status: after, isUnreliable: false }, 1_000)
      expect([hand.check.verdict, hand.check.verdictSince]).toEqual([after, mayVoteSince])
    }
  })

  test('is not moved by late results of a time before the recovery', () => {
    const rules: CheckRules = { ...usual, regions: names, policy: { mode: 'count', count: 2 } }
    const hand = new Hand(rules)
    for (let index = 0; index < 5; index++) hand.result({ region: index, status: 'up', isUnreliable: false }, 1_000)
    const late: RegionResult[] = []
    for (let round = 0; round < 3; round++) {
      for (const index of [0, 1]) hand.result({ region: index, status: 'down', isUnreliable: false }, 1_000)
      for (const name of ['c', 'd']) late.push({ ...hand.taken.at(-1)!, region: name })
    }
    for (let round = 0; round < 3; round++)
      for (const index of [0, 1, 4]) hand.result({ region: index, status: 'up', isUnreliable: false }, 1_000)
    expect(hand.incidents).toEqual(['opens', 'resolves'])
    for (const result of late) hand.take(result)
    expect(hand.incidents).toEqual(['opens', 'resolves'])
  })
})

test('a check that only warns never opens an incident', () => {
  fc.assert(
    fc.property(someRules, steps, (rules, steps) => {
      const hand = new Hand({ ...rules, severity: null })
      for (const step of steps) hand.step(step)
      expect(hand.incidents).toEqual([])
    }),
    { numRuns: 300, seed },
  )
})

test('new rules: regions that are no longer asked are forgotten, new ones are waited for', () => {
  const rules: CheckRules = { ...usual, regions: ['a', 'b', 'c'] }
  const hand = new Hand(rules)
  for (let index = 0; index < 3; index++) hand.result({ region: index, status: 'up', isUnreliable: false }, 1_000)
  const changed = { ...rules, regions: ['b', 'c', 'd'] }
  const effects = reconsider(hand.check, changed, hand.world)
  expect(effects.dropped).toEqual(['a'])
  expect(hand.check.regions.map(({ region, vote }) => [region, vote])).toEqual([
    ['b', 'up'],
    ['c', 'up'],
    ['d', null],
  ])
})
