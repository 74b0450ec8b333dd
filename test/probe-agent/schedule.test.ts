import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DueRun, type Job, latestDue, Schedule } from '#probe-agent/schedule.ts'

const job = (
  check: string,
  intervalMs: number,
  offsetMs = 0,
  lastDue: number | null = null,
  more: Partial<Job> = {},
): Job => ({
  check,
  tenant: 'one',
  host: 'example.com:443',
  isHeavy: false,
  intervalMs,
  offsetMs,
  lastDue,
  ...more,
})
const roomy = { slots: Infinity, window: Infinity }

/** Lives through the time from `from` to `to`, each run taking `runMs`. */
function live(schedule: Schedule<Job>, from: number, to: number, { stepMs = 20, runMs = 0, slots = Infinity } = {}) {
  const runs: { turn: DueRun<Job>; at: number }[] = []
  const running: { turn: DueRun<Job>; until: number }[] = []
  for (let now = from; now <= to; now += stepMs) {
    for (let index = running.length - 1; index >= 0; index--)
      if (running[index]!.until <= now) schedule.finished(running.splice(index, 1)[0]!.turn, now)
    for (const turn of schedule.take(now, { slots, window: Infinity })) {
      runs.push({ turn, at: now })
      running.push({ turn, until: now + runMs })
    }
  }
  return runs
}
const dues = (runs: { turn: DueRun<Job> }[]) =>
  runs.filter(({ turn }) => turn.attempt === 0).map(({ turn }) => turn.due)

describe('the schedule', () => {
  test('runs a new check at once, then on its grid', () => {
    const schedule = new Schedule<Job>()
    schedule.assign(job('a', 10_000, 3_000), 100_000)
    const runs = live(schedule, 100_000, 130_000)
    expect(dues(runs)).toEqual([93_000, 103_000, 113_000, 123_000])
    expect(runs[0]?.at).toBe(100_000)
    for (const { turn, at } of runs.slice(1)) expect(at - turn.due).toBeLessThanOrEqual(20)
  })

  test('neither repeats nor skips a due time across a restart', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 120_000 }),
        fc.integer({ min: 0, max: 119_999 }),
        fc.array(fc.integer({ min: 100, max: 300_000 }), { minLength: 1, maxLength: 8 }),
        (interval, rawOffset, lives) => {
          const offset = rawOffset % interval
          let now = 1_000_000
          let last: number | null = null
          const seen: number[] = []
          for (const length of lives) {
            const schedule = new Schedule<Job>()
            schedule.assign(job('a', interval, offset, last), now)
            const ran = dues(live(schedule, now, now + length, { stepMs: 50 }))
            seen.push(...ran)
            last = ran.at(-1) ?? last
            now += length
          }
          expect(new Set(seen).size).toBe(seen.length)
          for (const [index, due] of seen.entries()) {
            expect((due - offset) % interval).toBe(0)
            if (index > 0) expect(due - seen[index - 1]!).toBe(interval)
          }
          // The last life ended at most a tick after its last run could have been made.
          expect(latestDue(now - 100, interval, offset)).toBeLessThanOrEqual(seen.at(-1)!)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('runs only the newest due time after a long suspension, and counts the others', () => {
    const schedule = new Schedule<Job>()
    schedule.assign(job('a', 10_000), 100_000)
    live(schedule, 100_000, 105_000)
    const runs = live(schedule, 158_000, 165_000)
    expect(dues(runs)).toEqual([150_000, 160_000])
    expect(schedule.skipped).toBe(4)
  })

  test('limits the rate of missed runs, each still before its next due time', () => {
    const schedule = new Schedule<Job>()
    const count = 6_000
    for (let n = 0; n < count; n++) schedule.assign(job(`c${n}`, 60_000, Math.floor((n * 60_000) / count)), 6_000_000)
    const runs = live(schedule, 6_000_000, 6_070_000, { stepMs: 10 })
    const late = runs.filter(({ turn, at }) => at - turn.due > 2_000)
    expect(late.length).toBeGreaterThan(count * 0.95)
    expect(schedule.skipped).toBe(0)
    const perSecond = new Map<number, number>()
    for (const { at } of runs) perSecond.set(Math.floor(at / 1_000), (perSecond.get(Math.floor(at / 1_000)) ?? 0) + 1)
    expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(350)
    const own = Map.groupBy(runs, ({ turn }) => turn.job.check)
    expect(Math.min(...[...own.values()].map(list => list.length))).toBeGreaterThanOrEqual(2)
    expect(own.size).toBe(count)
  })

  test('applies a changed interval from now on', () => {
    const schedule = new Schedule<Job>()
    schedule.assign(job('a', 60_000, 0, 1_200_000), 1_225_000)
    expect(dues(live(schedule, 1_225_000, 1_230_000))).toEqual([])
    schedule.assign(job('a', 10_000, 0, 1_200_000), 1_231_000)
    expect(dues(live(schedule, 1_231_000, 1_251_000))).toEqual([1_230_000, 1_240_000, 1_250_000])
    schedule.assign(job('a', 60_000), 1_252_000)
    expect(dues(live(schedule, 1_252_000, 1_330_000))).toEqual([1_260_000, 1_320_000])
  })

  test('ignores an unchanged list', () => {
    const schedule = new Schedule<Job>()
    schedule.assign(job('a', 10_000), 100_000)
    const first = dues(live(schedule, 100_000, 115_000))
    schedule.assign(job('a', 10_000, 0, 90_000), 115_000)
    expect([...first, ...dues(live(schedule, 115_000, 131_000))]).toEqual([100_000, 110_000, 120_000, 130_000])
  })

  test('does not run a withdrawn check, and resumes one that is assigned again', () => {
    const schedule = new Schedule<Job>()
    schedule.assign(job('a', 10_000), 100_000)
    schedule.assign(job('b', 10_000), 100_000)
    live(schedule, 100_000, 105_000)
    schedule.keepOnly(new Set(['b']))
    expect(new Set(live(schedule, 105_000, 125_000).map(({ turn }) => turn.job.check))).toEqual(new Set(['b']))
    expect(schedule.size).toBe(1)
    expect(schedule.rate).toBeCloseTo(0.1)
  })

  test('makes one run of a check at a time: the newest due time follows, older ones are skipped', () => {
    const schedule = new Schedule<Job>()
    schedule.assign(job('a', 1_000), 100_000)
    const runs = live(schedule, 100_000, 110_000, { runMs: 2_500 })
    for (const [index, { at }] of runs.entries())
      if (index > 0) expect(at - runs[index - 1]!.at).toBeGreaterThanOrEqual(2_500)
    expect(dues(runs)).toEqual([100_000, 102_000, 105_000, 107_000, 110_000])
    expect(schedule.skipped).toBe(6)
  })

  test('starts unscheduled runs when requested, merges equal ones, and lets them follow a run in progress', () => {
    const schedule = new Schedule<Job>()
    schedule.assign(job('a', 60_000, 0, 600_000), 610_000)
    expect(schedule.request({ check: 'a', afterMs: 1_000, reason: 'confirm' }, 610_000)).toBe(true)
    expect(schedule.request({ check: 'a', afterMs: 0, reason: 'asked', request: 'r1' }, 610_200)).toBe(true)
    expect(schedule.request({ check: 'a', afterMs: 0, reason: 'asked', request: 'r2' }, 610_200)).toBe(true)
    expect(schedule.request({ check: 'gone', afterMs: 0, reason: 'asked' }, 610_200)).toBe(false)
    const runs = live(schedule, 610_200, 615_000, { runMs: 400 })
    expect(runs.map(({ turn, at }) => [at, turn.due, turn.attempt, turn.reason, turn.request])).toEqual([
      [610_200, 610_200, 1, 'asked', 'r1'],
      [610_600, 610_600, 2, 'asked', 'r2'],
    ])
  })

  test('takes no more runs than there is capacity, and loses none', () => {
    const schedule = new Schedule<Job>()
    for (let n = 0; n < 50; n++) schedule.assign(job(`c${n}`, 10_000, 0, 100_000), 105_000)
    const runs = live(schedule, 105_000, 119_000, { runMs: 100, slots: 10 })
    expect(dues(runs).length).toBe(50)
    expect(schedule.skipped).toBe(0)
  })

  test('recovers from a due time in the far future, set by a wrong clock', () => {
    const schedule = new Schedule<Job>()
    schedule.assign(job('a', 10_000, 0, 90_000_000), 100_000)
    expect(dues(live(schedule, 100_000, 120_000))).toEqual([100_000, 110_000, 120_000])
  })

  test('creates no run that would be refused as too old, with an interval of a day', () => {
    const schedule = new Schedule<Job>()
    const day = 86_400_000
    schedule.assign(job('a', day, 0), 20 * day - 1_000)
    const [first] = live(schedule, 20 * day - 1_000, 20 * day - 500)
    expect(20 * day - first!.turn.due).toBeLessThan(day / 2)
  })

  test('starts sixty thousand checks a minute, each due time once and in its tick', () => {
    const schedule = new Schedule<Job>()
    const count = 60_000
    const start = 60_000_000
    for (let n = 0; n < count; n++)
      schedule.assign(job(`c${n}`, 60_000, n % 60_000, start - 60_000 + (n % 60_000)), start)
    const ticks: number[] = []
    let runs = 0
    let worstLate = 0
    for (let now = start; now < start + 120_000; now += 50) {
      const before = process.threadCpuUsage()
      const turns = schedule.take(now, roomy)
      for (const turn of turns) {
        worstLate = Math.max(worstLate, now - turn.due)
        schedule.finished(turn, now)
      }
      runs += turns.length
      const { user, system } = process.threadCpuUsage(before)
      ticks.push((user + system) / 1_000)
    }
    expect(Math.abs(runs - 2 * count)).toBeLessThanOrEqual(50)
    expect(schedule.skipped).toBe(0)
    expect(worstLate).toBeLessThanOrEqual(50)
    expect(ticks.sort((a, b) => a - b)[Math.floor(ticks.length * 0.99)]).toBeLessThan(50)
  })

  test('starts every due time at most once and on its grid, with one run of a check at a time, in any mix of events', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
      fc.record({
        kind: fc.constant('assign' as const),
        check: fc.constantFrom('a', 'b', 'c'),
        interval: fc.constantFrom(1_000, 10_000, 60_000),
      }),
      fc.record({ kind: fc.constant('withdraw' as const), check: fc.constantFrom('a', 'b', 'c') }),
      fc.record({
        kind: fc.constant('ask' as const),
        check: fc.constantFrom('a', 'b', 'c'),
        after: fc.integer({ min: 0, max: 2_000 }),
      }),
      fc.record({ kind: fc.constant('finish' as const) }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), events => {
        const schedule = new Schedule<Job>()
        const running = new Map<string, DueRun<Job>>()
        const taken = new Set<string>()
        const known = new Map<string, number>()
        let now = 1_000_000
        const take = () => {
          for (const turn of schedule.take(now, { slots: 2, window: 2 })) {
            const { check, intervalMs, offsetMs } = turn.job
            expect(running.has(check)).toBe(false)
            running.set(check, turn)
            const key = `${check} ${turn.due} ${turn.attempt}`
            expect(taken.has(key)).toBe(false)
            taken.add(key)
            expect(turn.due).toBeLessThanOrEqual(now)
            if (turn.attempt === 0) {
              expect((turn.due - offsetMs) % intervalMs).toBe(0)
              known.set(check, turn.due)
            }
          }
        }
        for (const event of events) {
          if (event.kind === 'wait') {
            for (let end = now + event.ms; now < end; now += 500) take()
          } else if (event.kind === 'assign')
            schedule.assign(job(event.check, event.interval, 0, known.get(event.check) ?? null), now)
          else if (event.kind === 'withdraw') schedule.withdraw(event.check)
          else if (event.kind === 'ask')
            schedule.request({ check: event.check, afterMs: event.after, reason: 'confirm' }, now)
          else {
            for (const turn of running.values()) schedule.finished(turn, now)
            running.clear()
          }
          take()
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('runs shared between tenants', () => {
  const slots = { slots: 100, window: 1_000 }

  /** Counts runs under way by tenant, and ends them on request. */
  class Underway {
    readonly turns = new Set<DueRun<Job>>()
    readonly schedule: Schedule<Job>

    constructor(schedule: Schedule<Job>) {
      this.schedule = schedule
    }

    take(now: number, room = slots) {
      const turns = this.schedule.take(now, room)
      for (const turn of turns) {
        expect([...this.turns].some(other => other.job.check === turn.job.check)).toBe(false)
        this.turns.add(turn)
      }
      return turns
    }

    end(now: number, which: (turn: DueRun<Job>) => boolean, isHung = false) {
      for (const turn of [...this.turns].filter(which)) {
        this.turns.delete(turn)
        this.schedule.finished(turn, now, isHung)
      }
    }

    of(tenant: string) {
      return [...this.turns].filter(({ job }) => job.tenant === tenant).length
    }
  }

  /** Checks that are due at `at`, each at a host of its own by default. */
  function assign(schedule: Schedule<Job>, tenant: string, count: number, at: number, more: Partial<Job> = {}) {
    for (let n = 0; n < count; n++)
      schedule.assign(
        job(`${tenant}-${n}`, 60_000, at % 60_000, at - 60_000, { tenant, host: `${tenant}-${n}`, ...more }),
        at - 1,
      )
  }

  test('give one tenant alone half of the slots, and a new tenant a slot in the next step', () => {
    const schedule = new Schedule<Job>()
    const underway = new Underway(schedule)
    assign(schedule, 'hog', 1_000, 600_000)
    underway.take(600_000)
    expect(underway.of('hog')).toBe(50)
    assign(schedule, 'new', 3, 600_100)
    underway.take(600_100)
    expect(underway.of('new')).toBe(3)
    assign(schedule, 'other', 1_000, 600_200)
    underway.take(600_200)
    expect(underway.of('other')).toBeGreaterThanOrEqual(23)
    underway.end(600_300, ({ job }) => job.tenant === 'hog')
    underway.take(600_300)
    for (const tenant of ['hog', 'other']) expect(underway.of(tenant)).toBeGreaterThanOrEqual(25)
  })

  test("leave room at a tenant's other hosts", () => {
    const schedule = new Schedule<Job>()
    const underway = new Underway(schedule)
    assign(schedule, 'one', 1_000, 600_000, { host: 'hangs' })
    underway.take(600_000)
    const atOne = underway.of('one')
    expect(atOne).toBe(34)
    schedule.assign(job('another', 60_000, 600_100 % 60_000, 540_100, { tenant: 'one', host: 'answers' }), 600_050)
    expect(underway.take(600_100).map(({ job }) => job.check)).toEqual(['another'])
    // what was parked goes on as soon as the host has room
    underway.end(600_200, ({ job }) => job.host === 'hangs')
    expect(underway.take(600_200)).toHaveLength(33)
  })

  test('are reduced to fifty at a hanging host, and unlimited within a second once it responds', () => {
    const schedule = new Schedule<Job>()
    const underway = new Underway(schedule)
    const room = { slots: 10_000, window: 10_000 }
    for (let n = 0; n < 2_000; n++) schedule.assign(job(`c${n}`, 5_000, n % 5_000, null, { host: 'hangs' }), 595_000)
    const begun: number[] = []
    let now = 600_000
    let isHanging = true
    const startedAt = new Map<DueRun<Job>, number>()
    const live = (untilMs: number, took: number) => {
      let count = 0
      for (; now < untilMs; now += 10) {
        underway.end(now, turn => now - startedAt.get(turn)! >= took, isHanging)
        for (const turn of underway.take(now, room)) {
          startedAt.set(turn, now)
          count++
        }
      }
      return count
    }
    for (let round = 0; round < 12; round++) begun.push(live(now + 5_000, 5_000))
    expect(begun[0]).toBeGreaterThan(1_500)
    expect(begun.at(-1)).toBeLessThanOrEqual(60)
    expect(begun.at(-1)).toBeGreaterThanOrEqual(40)
    expect(underway.turns.size).toBeLessThanOrEqual(50)
    expect(schedule.missed.host_limit).toBeGreaterThan(10_000)

    isHanging = false
    live(now + 5_000, 20)
    expect(live(now + 1_000, 20)).toBeGreaterThan(350)
    expect(live(now + 5_000, 20)).toBeGreaterThan(1_950)
  })

  test('start confirmations before scheduled runs of the same tenant', () => {
    const schedule = new Schedule<Job>()
    const underway = new Underway(schedule)
    assign(schedule, 'one', 200, 600_000)
    underway.take(600_000)
    const waiting = [...schedule.checks()].filter(check => ![...underway.turns].some(turn => turn.job.check === check))
    schedule.assign(job('down', 60_000, 0, 600_000, { tenant: 'one', host: 'down' }), 600_000)
    schedule.request({ check: 'down', afterMs: 1_000, reason: 'confirm' }, 600_000)
    underway.take(601_000)
    expect(waiting.length).toBe(150)
    underway.end(601_100, turn => turn === [...underway.turns][0])
    underway.end(601_100, turn => turn === [...underway.turns][0])
    expect(underway.take(601_100).map(({ reason }) => reason)).toContain('confirm')
  })

  test('reach every check of a hanging host, however long its runs and confirmations', () => {
    const schedule = new Schedule<Job>()
    const underway = new Underway(schedule)
    for (let n = 0; n < 100; n++) schedule.assign(job(`c${n}`, 2_000, n * 20, null, { host: 'hangs' }), 600_000)
    const begun = new Map<string, string[]>()
    const startedAt = new Map<DueRun<Job>, number>()
    for (let now = 600_000; now < 700_000; now += 20) {
      for (const turn of [...underway.turns].filter(each => now - startedAt.get(each)! >= 2_000)) {
        underway.end(now, each => each === turn, true)
        const { check } = turn.job
        if (begun.get(check)!.length === 1) schedule.request({ check, afterMs: 0, reason: 'confirm' }, now)
        if (begun.get(check)!.length === 3) schedule.request({ check, afterMs: 0, reason: 'asked', request: 'r' }, now)
      }
      for (const turn of underway.take(now, { slots: 30, window: 100 })) {
        startedAt.set(turn, now)
        begun.set(turn.job.check, [...(begun.get(turn.job.check) ?? []), turn.request ?? turn.reason])
      }
    }
    expect(begun.size).toBe(100)
    const counts = [...begun.values()].map(reasons => reasons.length)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(4)
    expect(Math.max(...counts)).toBeLessThanOrEqual(8)
    expect([...begun.values()].every(reasons => reasons.includes('r'))).toBe(true)
  })

  test('execute audits one at a time, by tenant in turn, without using a slot', () => {
    const schedule = new Schedule<Job>()
    const underway = new Underway(schedule)
    assign(schedule, 'hog', 50, 600_000, { isHeavy: true })
    underway.take(600_000)
    assign(schedule, 'new', 1, 600_100, { isHeavy: true })
    assign(schedule, 'light', 200, 600_100)
    underway.take(600_100)
    expect([underway.of('hog'), underway.of('light')]).toEqual([1, 50])
    const order = [...underway.turns].filter(({ job }) => job.isHeavy).map(({ job }) => job.tenant)
    for (let now = 600_200; order.length < 4; now += 100) {
      underway.end(now, ({ job }) => job.isHeavy)
      order.push(
        ...underway
          .take(now)
          .filter(({ job }) => job.isHeavy)
          .map(({ job }) => job.tenant),
      )
    }
    expect(order.slice(0, 3)).toContain('new')
  })

  test('make up missed ones by tenant in turn', () => {
    const schedule = new Schedule<Job>()
    for (let n = 0; n < 3_000; n++)
      schedule.assign(job(`hog-${n}`, 60_000, n * 20, null, { tenant: 'hog', host: 'hog' }), 600_000)
    for (let n = 0; n < 5; n++)
      schedule.assign(job(`b-${n}`, 60_000, n * 20, null, { tenant: 'b', host: 'b' }), 600_000)
    const first = schedule.take(600_000, roomy).map(({ job }) => job.tenant)
    expect(first.filter(tenant => tenant === 'b')).toHaveLength(5)
    expect(first.length).toBeLessThan(60)
  })

  test('never exceed the slots, and make a tenant wait only for a fair reason, in any mix of events', () => {
    const tenants = ['a', 'b', 'c']
    const event = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('assign' as const),
          tenant: fc.constantFrom(...tenants),
          host: fc.integer({ min: 0, max: 3 }),
          count: fc.integer({ min: 1, max: 40 }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), nth: fc.nat(500) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('ask' as const), nth: fc.nat(500) }) },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('end' as const),
          share: fc.double({ min: 0, max: 1, noNaN: true }),
          hung: fc.boolean(),
        }),
      },
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.array(event, { maxLength: 60 }),
        fc.integer(),
        (places, events, seed) => {
          const schedule = new Schedule<Job>()
          const underway = new Underway(schedule)
          const room = { slots: places, window: 10_000 }
          const random = mulberry(seed)
          const checks: string[] = []
          let now = 6_000_000
          for (const each of events) {
            if (each.kind === 'wait') now += each.ms
            else if (each.kind === 'assign')
              for (let n = 0; n < each.count; n++) {
                const check = `c${checks.length}`
                checks.push(check)
                const { tenant } = each
                schedule.assign(
                  job(check, 1_000, Math.floor(random() * 1_000), null, { tenant, host: `h${each.host}` }),
                  now,
                )
              }
            else if (each.kind === 'withdraw') schedule.withdraw(`c${each.nth}`)
            else if (each.kind === 'ask')
              schedule.request({ check: `c${each.nth}`, afterMs: 0, reason: 'confirm' }, now)
            else underway.end(now, () => random() < each.share, each.hung)
            const before = underway.turns.size
            underway.take(now, room)
            expect(underway.turns.size).toBeLessThanOrEqual(places)
            const free = places - underway.turns.size
            if (underway.turns.size > before && tenants.length > 0)
              for (const tenant of tenants)
                expect(underway.of(tenant)).toBeLessThanOrEqual(Math.max(1, Math.ceil(places / 2)))
            // work-conserving: what is due and neither its tenant nor its host keeps back has begun
            const busy = new Set([...underway.turns].map(({ job }) => job.check))
            for (const check of schedule.waiting) {
              if (busy.has(check)) continue
              const { tenant, host } = schedule.job(check)!
              const left = free - underway.of(tenant)
              const atHost = [...underway.turns].filter(
                turn => turn.job.tenant === tenant && turn.job.host === host,
              ).length
              expect(left <= 0 || atHost >= Math.min(left, 50), `${check} waits`).toBe(true)
            }
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})

/** A small generator of numbers, so that a failure can be run again. */
function mulberry(seed: number) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
