import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Result } from '#contract/agent.ts'
import { noPhases, RunFailure } from '#contract/check.ts'
import { Guard } from '#egress/guard.ts'
import { ServerClock } from '#probe-agent/clock.ts'
import { SelfTest } from '#probe-agent/health.ts'
import type { CheckJob, RunProbe } from '#probe-agent/job.ts'
import { Runner } from '#probe-agent/run.ts'
import { Schedule } from '#probe-agent/schedule.ts'
import { Spool } from '#probe-agent/spool.ts'
import { until } from './rig.ts'

let dir: string
let spool: Spool
let selfTest: SelfTest
let runner: Runner | undefined
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vedette-run-'))
  spool = await Spool.open({
    dir,
    boot: crypto.randomUUID(),
    secret: Buffer.alloc(32),
    maxBytes: 10_000_000,
    freshBytes: 50_000_000,
    memoryBytes: 50_000_000,
  })
  selfTest = new SelfTest({ guard: new Guard(), anchors: [], resolverControlName: undefined })
  selfTest.start()
})
afterEach(async () => {
  await runner?.stop(100)
  selfTest.stop()
  await spool.close()
  await rm(dir, { recursive: true, force: true })
})

const good = { seen: {}, phases: noPhases }
const job = (check: string, runProbe: RunProbe, changes: Partial<CheckJob> = {}): CheckJob => ({
  check,
  tenant: 'one',
  shard: 0,
  host: 'x:80',
  kind: 'uptime',
  target: { url: 'http://x/' },
  settings: {},
  timeoutMs: 2_000,
  intervalMs: 1_000,
  offsetMs: 0,
  lastDue: null,
  runProbe,
  isHeavy: false,
  isBad: () => false,
  wasBad: undefined,
  hasFailed: false,
  streak: 0,
  ...changes,
})

function run(jobs: CheckJob[], { slots = 1_000, lagLimitMs = 20_000 } = {}) {
  const clock = new ServerClock()
  clock.sync(1_700_000_000_000, performance.now(), performance.now())
  const schedule = new Schedule<CheckJob>()
  for (const each of jobs) schedule.assign(each, clock.now())
  runner = new Runner({
    schedule,
    clock,
    guard: new Guard(),
    selfTest,
    spool,
    log: pino({ level: 'silent' }),
    slots,
    lagLimitMs,
    graceMs: 200,
  })
  runner.start()
  return { schedule, runner }
}

const results = async (): Promise<Result[]> => {
  await spool.flush()
  return (spool.takeFresh(1e6, 1e9)?.lines ?? []).map(line => JSON.parse(line) as Result)
}

describe('a run', () => {
  test('ends with a fault when its probe throws anything, synchronously or later', async () => {
    const throws: RunProbe[] = [
      async () => {
        throw new RunFailure('refused', 'connect', 'no')
      },
      async () => {
        throw new TypeError('a bug')
      },
      () => {
        throw new Error('before the promise')
      },
      async () => {
        await sleep(5)
        throw null
      },
    ]
    const { runner } = run(throws.map((probe, n) => job(`c${n}`, probe)))
    await sleep(1_800)
    expect(runner.inFlight).toBe(0)
    const seen = await results()
    const codes = throws.map((_, n) => seen.find(({ check }) => check === `c${n}`)?.fault?.code)
    expect(codes).toEqual(['refused', 'unexpected', 'unexpected', 'unexpected'])
    expect(Object.keys(runner.unexpected.counts).toSorted()).toEqual(['Error', 'TypeError', 'object'])
  })

  test('ends with a fault when its findings can be neither read nor judged', async () => {
    const { runner } = run([
      job('odd', async () => good, {
        intervalMs: 60_000,
        isBad() {
          z.object({ a: z.string() }).parse({})
          return false
        },
      }),
    ])
    await until(() => runner.runs === 1)
    const [result] = await results()
    expect(result).toMatchObject({ check: 'odd', fault: { code: 'unexpected' } })
    expect(result?.seen).toBeUndefined()
    expect(runner.unexpected.counts).toEqual({ ZodError: 1 })
  })

  test('ends at its deadline when the probe ignores it', async () => {
    run([job('deaf', () => new Promise(() => {}), { timeoutMs: 300, intervalMs: 60_000 })])
    await sleep(1_500)
    const [result] = await results()
    expect(result?.fault?.code).toBe('timeout')
    expect(result?.took).toBeGreaterThan(450)
    expect(result?.took).toBeLessThan(1_400)
  })

  test('aborts its probe by a signal and reports the findings so far', async () => {
    const probe: RunProbe = (_target, _settings, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () =>
          reject(new RunFailure('timeout', 'tls', 'too late', { phases: { ...noPhases, connect: 12 } })),
        )
      })
    run([job('slow', probe, { timeoutMs: 200, intervalMs: 60_000 })])
    await sleep(1_000)
    const [result] = await results()
    expect(result).toMatchObject({ fault: { code: 'timeout', phase: 'tls' }, phases: { connect: 12 } })
  })

  test('yields no result when the agent stops during it', async () => {
    const { runner } = run([job('hangs', () => new Promise(() => {}), { intervalMs: 60_000 })])
    await sleep(100)
    expect(runner.inFlight).toBe(1)
    await runner.stop(50)
    expect(runner.inFlight).toBe(0)
    expect(await results()).toEqual([])
  })
})

describe('concurrent runs', () => {
  test('never exceed the slots', async () => {
    let now = 0
    let most = 0
    const probe: RunProbe = async () => {
      most = Math.max(most, ++now)
      await sleep(20)
      now--
      return good
    }
    run(
      Array.from({ length: 100 }, (_, n) => job(`c${n}`, probe, { tenant: `t${n % 20}` })),
      { slots: 7 },
    )
    await sleep(1_500)
    expect(most).toBe(7)
  })

  test('of heavy checks execute one by one, and their wait does not count towards their timeout', async () => {
    const order: string[] = []
    let now = 0
    const heavy =
      (name: string): RunProbe =>
      async () => {
        order.push(`${name} ${++now}`)
        await sleep(150)
        now--
        return good
      }
    const light = async () => {
      order.push('light')
      return good
    }
    const slow = { isHeavy: true, timeoutMs: 400, intervalMs: 3_600_000 }
    const { runner } = run(
      [
        ...['a', 'b', 'c', 'd', 'e'].map(name => job(name, heavy(name), slow)),
        job('light', light, { intervalMs: 100 }),
      ],
      {
        slots: 2,
      },
    )
    await expect.poll(() => order.filter(entry => entry.endsWith(' 1')).length, { timeout: 5_000 }).toBe(5)
    await expect.poll(() => runner.inFlight, { timeout: 5_000 }).toBe(0)
    expect(order.filter(entry => entry.endsWith(' 2'))).toEqual([])
    expect(order.indexOf('light')).toBeLessThan(order.findLastIndex(entry => entry.endsWith(' 1')))
    const faults = (await results()).filter(({ check }) => check.length === 1).map(({ fault }) => fault)
    expect(faults).toEqual([undefined, undefined, undefined, undefined, undefined])
  })

  test('of heavy checks that wait are cancelled when the check is withdrawn or the agent stops', async () => {
    const made: string[] = []
    const heavy =
      (name: string): RunProbe =>
      async () => {
        made.push(name)
        await sleep(200)
        return good
      }
    const slow = { isHeavy: true, intervalMs: 3_600_000 }
    const { runner, schedule } = run(['a', 'b', 'c'].map(name => job(name, heavy(name), slow)))
    await expect.poll(() => made.length).toBe(1)
    const [gone] = ['a', 'b', 'c'].filter(name => !made.includes(name))
    schedule.withdraw(gone ?? '')
    await expect.poll(() => made.length).toBe(2)
    await runner.stop(1_000)
    expect(made).not.toContain(gone)
  })

  test("beyond the CPU's capacity are late and still succeed", async () => {
    const burn = (ms: number) => {
      for (const end = performance.now() + ms; performance.now() < end; );
    }
    const probe: RunProbe = async () => {
      for (let step = 0; step < 3; step++) {
        await new Promise(resolve => setImmediate(resolve))
        burn(1)
      }
      return good
    }
    const { runner } = run(
      Array.from({ length: 1_500 }, (_, n) => job(`c${n}`, probe, { timeoutMs: 2_500, offsetMs: n % 1_000 })),
      { lagLimitMs: 2_500 },
    )
    await sleep(6_000)
    await runner.stop(2_000)
    const seen = await results()
    const good_ = seen.filter(({ fault, is_unreliable }) => !fault && !is_unreliable)
    expect(seen.length).toBeGreaterThan(200)
    expect(good_.length / seen.length).toBeGreaterThan(0.9)
  }, 20_000)

  test('of hanging targets do not delay the others', async () => {
    const hang: RunProbe = (_target, _settings, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    let answered = 0
    const answer: RunProbe = async () => {
      answered++
      return good
    }
    run([
      ...Array.from({ length: 600 }, (_, n) =>
        job(`h${n}`, hang, { host: 'hangs:80', timeoutMs: 20_000, intervalMs: 5_000, offsetMs: n }),
      ),
      ...Array.from({ length: 50 }, (_, n) => job(`c${n}`, answer, { offsetMs: n * 10 })),
    ])
    await sleep(8_000)
    const before = answered
    await sleep(3_000)
    expect(answered - before).toBeGreaterThan(100)
  }, 20_000)
})
