import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect } from 'vitest'
import type { Assignment } from '#contract/agent.ts'
import { type FrameHandler, WorkStream } from '#probe-agent/assignments.ts'
import { ServerClock } from '#probe-agent/clock.ts'
import { killPoints } from '#probe-agent/config.ts'
import { Identity } from '#probe-agent/identity.ts'
import { Link } from '#probe-agent/link.ts'
import type { RunningAgent } from '#probe-agent/main.ts'
import { latestDue } from '#probe-agent/schedule.ts'
import { Spool } from '#probe-agent/spool.ts'
import { assignmentOf } from './fake-control-plane.ts'
import { type Rig, test, until } from './rig.ts'

const missedBy = (agent: RunningAgent) => Object.values(agent.figures().missed).reduce((sum, count) => sum + count, 0)

/** Kills at each of the named points; `npm run faults` asks for more. */
const kills = Number(process.env.KILLS_PER_PART ?? 3)
/** Results that wait for an agent that was cut off: six hours of a thousand checks a minute are 360,000. */
const backlog = Number(process.env.BACKLOG ?? 30_000)
/** How often a wall clock jumps by up to a day either way. */
const clockSteps = Number(process.env.CLOCK_STEPS ?? 20)

function assignMany(rig: Rig, count: number, changes: Partial<Assignment> = {}) {
  const checks = Array.from({ length: count }, (_, n) => assignmentOf(rig.target.url(`c${n}`), changes))
  rig.plane.assign(...checks)
  return checks
}

/** A run that ended so long before a kill was on disk, if the disk takes no time. */
const surelyDurableMs = 1_500

/** How long the disk of a busy machine takes to keep a few bytes: measured beside the agents, which wait as long. */
class SlowestSync {
  #ms = 0
  #isOver = false
  readonly #running: Promise<void>

  constructor(dir: string) {
    this.#running = this.#run(join(dir, 'sync'))
  }

  async #run(path: string) {
    while (!this.#isOver) {
      const from = performance.now()
      await writeFile(path, 'a result', { flush: true })
      this.#ms = Math.max(this.#ms, performance.now() - from)
      await sleep(100)
    }
  }

  /** The longest in milliseconds. */
  async end(): Promise<number> {
    this.#isOver = true
    await this.#running
    return this.#ms
  }
}

/** An agent that has just begun knows the time no better than its first answers were quick. */
const clockErrorMs = 500

/**
 * Compares stored results with the requests of the target: lost, unexpected (a run without a request) and gaps (a due
 * time without a run). There are no doubles: `stored` has one row a key, and a repeated run shows as two requests.
 */
function account(rig: Rig, checks: Assignment[], killedAt: number[] = [], durableMs = surelyDurableMs) {
  const sums = { asked: 0, stored: 0, gaps: 0, lost: 0, unexpected: 0 }
  for (const [n, { check, interval_ms, offset_ms }] of checks.entries()) {
    const dues = rig.plane
      .of(check)
      .filter(({ attempt }) => attempt === 0)
      .map(({ due }) => due)
    const asked = rig.target.asked(`c${n}`)
    sums.asked += asked.length
    sums.stored += dues.length
    for (const [index, due] of dues.entries()) {
      if (index > 0) sums.gaps += (due - dues[index - 1]!) / interval_ms - 1
      if (!asked.some(({ at }) => at >= due - clockErrorMs)) sums.unexpected++
    }
    for (const { at } of asked) {
      if (killedAt.some(kill => kill >= at && kill - at < durableMs)) continue
      if (
        ![at - clockErrorMs, at, at + clockErrorMs].some(moment =>
          dues.includes(latestDue(moment, interval_ms, offset_ms)),
        )
      )
        sums.lost++
    }
  }
  return sums
}

describe.concurrent('the connection to the control plane', () => {
  test('recovers a lost response by sending again, without duplicates', async ({ rig }) => {
    const checks = assignMany(rig, 10)
    rig.plane.losesAnswers = 4
    const agent = await rig.agent()
    await until(() => rig.plane.losesAnswers === 0 && agent.figures().accepted >= 30, 20_000)
    await rig.stop(agent)
    const { stored, gaps } = account(rig, checks)
    expect(stored).toBe(agent.figures().runs)
    expect(gaps).toBeLessThanOrEqual(missedBy(agent))
    expect(rig.plane.deliveries).toBeGreaterThan(stored)
    expect(agent.figures()).toMatchObject({ spooled: 0, dropped: 0 })
  })

  test('delivers all results of an outage afterwards', async ({ rig }) => {
    const checks = assignMany(rig, 40)
    const agent = await rig.agent()
    await until(() => rig.plane.results.length >= 80)
    for (let round = 0; round < 2; round++) {
      await rig.plane.cut()
      await sleep(3_000)
      await rig.plane.heal()
      await until(() => agent.figures().isConnected, 20_000)
    }
    await until(() => agent.figures().spooled < 40, 20_000)
    await rig.stop(agent)
    const { stored, gaps, unexpected } = account(rig, checks)
    expect({ stored, unexpected }).toEqual({ stored: agent.figures().runs, unexpected: 0 })
    expect(agent.figures()).toMatchObject({ spooled: 0, dropped: 0, corrupt: 0 })
    // runs that a busy machine missed are reported, and nothing else is missing
    expect(gaps).toBeLessThanOrEqual(missedBy(agent))
  })

  test('loses nothing during 503 and 429 responses, and retries rarely', async ({ rig }) => {
    const checks = assignMany(rig, 10)
    const agent = await rig.agent()
    await until(() => rig.plane.results.length >= 10)
    const before = rig.plane.answers.length
    rig.plane.uploadStatus = 503
    await sleep(2_500)
    rig.plane.uploadStatus = 429
    await sleep(1_500)
    expect(rig.plane.answers.length - before).toBeLessThanOrEqual(12)
    rig.plane.uploadStatus = undefined
    await until(() => agent.figures().spooled <= 10, 15_000)
    await rig.stop(agent)
    const { stored, gaps } = account(rig, checks)
    expect(stored).toBe(agent.figures().runs)
    expect(gaps).toBeLessThanOrEqual(missedBy(agent))
  })

  test('counts refused results and does not send them again', async ({ rig }) => {
    const [first, second] = assignMany(rig, 2)
    rig.plane.refuses = ({ check }) => (check === first!.check ? 'not_assigned' : undefined)
    const agent = await rig.agent()
    await until(() => rig.plane.of(second!.check).length >= 3)
    await rig.stop(agent)
    expect(rig.plane.of(first!.check)).toEqual([])
    expect(agent.figures().refused.not_assigned).toBe(rig.plane.refused.length)
    expect(new Set(rig.plane.refused.map(({ result }) => (result as { seq: number }).seq)).size).toBe(
      rig.plane.refused.length,
    )
    expect(agent.figures().spooled).toBe(0)
  })

  test('delivers other results despite one unacceptable result', async ({ rig }) => {
    const checks = assignMany(rig, 8)
    rig.plane.poisons = ({ check }) => check === checks[3]!.check
    const agent = await rig.agent()
    await until(() => checks.every(({ check }, n) => n === 3 || rig.plane.of(check).length >= 2))
    await rig.stop(agent)
    expect(rig.plane.of(checks[3]!.check)).toEqual([])
    expect(agent.figures().refused.unacceptable).toBeGreaterThan(0)
    expect(agent.figures().spooled).toBe(0)
  })

  test('reopens a silent work stream', async ({ rig }) => {
    const clock = new ServerClock()
    const log = pino({ level: 'silent' })
    const identity = await Identity.open(join(rig.dir, 'alone'), 'eu-west')
    const link = new Link({ url: rig.plane.url, identity, clock, log })
    const over = new AbortController()
    await link.enrol('eu-west', 'alone', rig.plane.enrolmentToken, over.signal)
    const generations: number[] = []
    const handler: FrameHandler = {
      hello: given => generations.push(given),
      assign() {},
      withdraw() {},
      synced() {},
      run() {},
      crawl() {},
      standBy() {},
      disconnected() {},
    }
    const running = new WorkStream({ link, clock, handler, log, silenceMs: 1_500 }).run(over.signal)
    await sleep(3_000)
    expect(generations).toEqual([1])
    rig.plane.isMute = true
    await until(() => generations.length > 1)
    over.abort()
    await running
    await link.close()
  })

  test(
    'delivers fresh results while hours of backlog are sent',
    async ({ rig }) => {
      const live = assignMany(rig, 30)
      const first = await rig.agent()
      await until(() => rig.plane.results.length >= 60)
      await rig.stop(first)
      const identity = await Identity.open(join(rig.dir, 'agent'), 'eu-west')
      const old = await Spool.open({
        dir: join(rig.dir, 'agent', 'spool'),
        boot: crypto.randomUUID(),
        secret: identity.secret,
        maxBytes: 500_000_000,
        freshBytes: 0,
      })
      const model = rig.plane.results[0]!
      for (let n = 0; n < backlog; n++) {
        const seq = old.nextSeq()
        old.append(
          seq,
          JSON.stringify({
            ...model,
            seq,
            check: crypto.randomUUID(),
            due: model.due - 60_000 * (n % 360),
            attempt: 1,
          }),
          false,
        )
        if (n % 1_000 === 0) await sleep(2)
      }
      await old.close()
      expect(old.spooled).toBe(backlog)

      const started = performance.now()
      const agent = await rig.agent()
      expect(agent.figures().spooled).toBe(backlog)
      await until(() => agent.figures().spooled < 100, 60_000 + backlog)
      const tookMs = performance.now() - started
      const latenessOf = (of: RunningAgent) => {
        const sorted = [...rig.plane.stored.values()]
          .filter(({ boot }) => boot === of.boot)
          .map(({ result, receivedAt }) => receivedAt - result.at)
          .sort((a, b) => a - b)
        return sorted[Math.floor(sorted.length * 0.99)] ?? 0
      }
      const lateMs = latenessOf(agent)
      console.log(
        `backlog of ${backlog.toLocaleString('en')} results: in after ${(tookMs / 1_000).toFixed(1)} s; p99 of those of the moment ${Math.round(lateMs)} ms, before it ${Math.round(latenessOf(first))} ms`,
      )
      // each of the moment overtakes the heap, however slow the machine: behind it, the last would wait for nearly all of it
      expect(lateMs).toBeLessThan(Math.max(3_500, tookMs / 2))
      expect(rig.plane.stored.size).toBeGreaterThanOrEqual(backlog)
      expect(agent.figures()).toMatchObject({ dropped: 0, corrupt: 0 })
      await rig.stop(agent)
      expect(account(rig, live).gaps).toBeLessThanOrEqual(live.length * 30)
    },
    120_000 + backlog,
  )
})

describe.concurrent('kill -9', () => {
  for (const point of killPoints)
    test(`after ${point}: nothing that was on disk is lost, nothing is stored twice, nothing is left out`, async ({
      rig,
    }) => {
      // One due each, and the next one far away: whatever happens, exactly these must be there in the end.
      const interval_ms = 1_200_000
      const next = rig.plane.now() + interval_ms / 2
      const checks = Array.from({ length: 200 }, (_, n) =>
        assignmentOf(rig.target.url(`c${n}`), { interval_ms, offset_ms: Math.floor(next + n) % interval_ms }),
      )
      rig.plane.assign(...checks)
      for (let round = 0; round < kills; round++) {
        const missing = checks.length - rig.plane.results.length
        const times = 1 + Math.floor(Math.random() * (point === 'measure' ? Math.min(30, missing / 2) : 2))
        const child = rig.process({ KILL_AT: `${point}:${times}` })
        await until(
          () => child.signalCode === 'SIGKILL' || rig.plane.results.length === checks.length,
          40_000,
          `the kill after ${point}`,
        )
        await rig.end(child, 'SIGKILL')
      }
      const last = rig.process()
      await until(() => rig.plane.results.length === checks.length, 30_000, 'every check to be run')
      await rig.end(last)
      const { stored, asked, unexpected } = account(rig, checks)
      expect({ stored, unexpected }).toEqual({ stored: checks.length, unexpected: 0 })
      // What was measured and died before it was on disk is no loss: it is run again.
      expect(asked - stored).toBeGreaterThanOrEqual(0)
    }, 300_000)

  test('loses and duplicates no result at any kill point', async ({ rig }) => {
    const checks = assignMany(rig, 200, { interval_ms: 10_000 })
    const killedAt: number[] = []
    const disk = new SlowestSync(rig.dir)
    for (let round = 0; round < kills; round++) {
      const before = rig.target.log.length
      const child = rig.process()
      await until(() => rig.target.log.length > before, 30_000, 'the first run')
      await sleep(Math.random() * 4_000)
      await rig.end(child, 'SIGKILL')
      killedAt.push(rig.plane.now())
    }
    const last = rig.process()
    const count = rig.plane.results.length
    await until(() => rig.plane.results.length > count + 100, 30_000)
    await rig.end(last)
    // a run waits for the write before its own, then for its own
    const durableMs = surelyDurableMs + 2 * (await disk.end())
    expect(account(rig, checks, killedAt, durableMs)).toMatchObject({ lost: 0, unexpected: 0 })
  }, 300_000)
})

describe.concurrent('two agents of one region', () => {
  test('leave the second on standby, which takes over when the first sleeps; the first is refused when it wakes', async ({
    rig,
  }) => {
    rig.plane.leaseMs = 3_000
    const checks = assignMany(rig, 5)
    const first = rig.process({ DATA_DIR: join(rig.dir, 'first') })
    await until(() => rig.plane.results.length >= 10)
    const firstId = rig.plane.holder
    const second = rig.process({ DATA_DIR: join(rig.dir, 'second') })
    await until(() => rig.plane.enrolled.size === 2)
    await sleep(1_000)
    expect(rig.plane.holder).toBe(firstId)

    first.kill('SIGSTOP')
    await until(() => rig.plane.holder !== firstId, 20_000, 'the second to take over')
    const before = [...rig.plane.stored.values()].filter(({ agent }) => agent === firstId).length
    await sleep(2_500)
    first.kill('SIGCONT')
    await sleep(3_000)
    expect([...rig.plane.stored.values()].filter(({ agent }) => agent === firstId).length).toBe(before)
    const count = rig.plane.results.length
    await until(() => rig.plane.results.length > count)
    expect(rig.plane.holder).not.toBe(firstId)
    await rig.end(second)
    await rig.end(first)
    expect(account(rig, checks).unexpected).toBe(0)
  }, 60_000)

  test('leave the replaced one without runs and uploads', async ({ rig }) => {
    const checks = assignMany(rig, 3)
    rig.plane.leaseMs = 60_000
    const agent = await rig.agent()
    await until(() => rig.plane.results.length >= 6)
    rig.plane.fence()
    await until(() => !agent.figures().isActive)
    const stored = rig.plane.results.length
    await sleep(300)
    const asked = rig.target.log.length
    await sleep(2_000)
    expect(rig.target.log.length).toBe(asked)
    expect(rig.plane.results.length).toBe(stored)
    expect(agent.figures().checks).toBe(0)
    expect(checks.length).toBe(3)
  })
})

describe.concurrent('an agent that fails its self-check delivers unreliable results', () => {
  test('when it was suspended during a run', async ({ rig }) => {
    const checks = assignMany(rig, 4, { interval_ms: 1_000, timeout_ms: 1_000 })
    rig.target.answer = response => void setTimeout(() => response.end('ok'), 300)
    const child = rig.process({ LAG_LIMIT_MS: '1000' })
    await until(() => rig.plane.results.length >= 8, 20_000)
    for (let round = 0; round < 3; round++) {
      child.kill('SIGSTOP')
      await sleep(3_000)
      child.kill('SIGCONT')
      await sleep(1_500)
    }
    await rig.end(child)
    const faults = rig.plane.results.filter(({ fault }) => fault)
    for (const { fault, is_unreliable } of faults) expect([fault?.code, is_unreliable]).toEqual(['overloaded', true])
    expect(rig.plane.results.some(({ is_unreliable }) => is_unreliable)).toBe(true)
    expect(Math.max(...rig.plane.healths.map(({ lag_ms }) => lag_ms))).toBeGreaterThan(2_000)
    expect(account(rig, checks).unexpected).toBe(0)
  }, 60_000)

  test('when it cannot reach its anchors', async ({ rig }) => {
    const [check] = assignMany(rig, 1)
    rig.plane.assign({ ...check!, url: 'http://127.0.0.1:1/' })
    await rig.agent({ ANCHORS: 'tcp://127.0.0.1:1' })
    await until(() => rig.plane.of(check!.check).length >= 1)
    for (const { is_unreliable, fault } of rig.plane.of(check!.check))
      expect([fault?.code, is_unreliable]).toEqual(['refused', true])
    expect(rig.plane.healths.at(-1)?.anchors).toBe('failed')
  })

  test('but not when it reaches its anchors', async ({ rig }) => {
    const [check] = assignMany(rig, 1)
    rig.plane.assign({ ...check!, url: 'http://127.0.0.1:1/' })
    await rig.agent({
      ANCHORS: `tcp://127.0.0.1:1, http://127.0.0.1:${rig.target.port}`,
      RESOLVER_CONTROL_NAME: 'localhost',
    })
    await until(() => rig.plane.of(check!.check).length >= 1)
    for (const { is_unreliable, fault } of rig.plane.of(check!.check))
      expect([fault?.code, is_unreliable]).toEqual(['refused', undefined])
    expect(rig.plane.healths.at(-1)).toMatchObject({ anchors: 'ok', resolver: 'ok' })
  })

  test('when its resolver fails, and reports no missing name', async ({ rig }) => {
    const [check] = assignMany(rig, 1)
    rig.plane.assign({ ...check!, url: 'http://no-such-name.invalid/' })
    await rig.agent({ RESOLVER_CONTROL_NAME: 'no-such-control.invalid' })
    await until(() => rig.plane.of(check!.check).length >= 1, 20_000)
    expect(rig.plane.of(check!.check)[0]?.fault?.code).toBe('resolver_unavailable')
  }, 30_000)
})

const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

describe.skipIf(!existsSync(faketime))('a wrong wall clock that jumps', { concurrent: true }, () => {
  test(
    'changes no due time and no duration, and is reported',
    async ({ rig }) => {
      const checks = assignMany(rig, 5)
      const file = join(rig.dir, 'faketime')
      const jump = async (offset: string) => {
        await writeFile(`${file}.next`, `${offset}\n`)
        await rename(`${file}.next`, file)
      }
      await jump('-300s')
      const child = rig.process({
        LD_PRELOAD: faketime,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      })
      await until(() => rig.plane.results.length >= 15, 60_000, 'the first runs')
      for (const step of ['-86400s', '+86400s', '+31d', '-420s', '+0s']) {
        await jump(step)
        await sleep(1_200)
      }
      for (let n = 0; n < clockSteps; n++) {
        await jump(`${n % 2 ? '+' : '-'}${Math.round(Math.random() * 86_400)}s`)
        await sleep(60)
      }
      await rig.end(child)
      const { asked, stored, gaps, unexpected } = account(rig, checks)
      console.log(
        `clock: ${clockSteps + 5} steps of the wall clock, ${stored} results: ${unexpected} at a wrong time, ${gaps} left out, ${asked - stored} lost`,
      )
      for (const { result, receivedAt } of rig.plane.stored.values()) {
        expect(receivedAt - result.at).toBeGreaterThan(-100)
        expect(receivedAt - result.at).toBeLessThan(3_000)
        expect(result.took).toBeLessThan(2_000)
      }
      expect({ stored, gaps, unexpected }).toEqual({ stored: asked, gaps: 0, unexpected: 0 })
      const skews = rig.plane.healths.map(({ clock_skew_ms }) => clock_skew_ms)
      for (const expected of [-300_000, 86_400_000])
        expect(Math.min(...skews.map(skew => Math.abs(skew - expected)))).toBeLessThan(200)
    },
    60_000 + clockSteps * 200,
  )
})

describe.skipIf(process.getuid?.() !== 0)('a full disk', { concurrent: true }, () => {
  test('leaves the agent running with the newest results, exact counts of dropped ones, and recovery', async ({
    rig,
  }) => {
    await rig.limitDisk('1m')
    const excerpt = 'x'.repeat(400)
    rig.target.answer = response => response.writeHead(500, { 'content-type': 'text/plain' }).end(excerpt)
    const checks = assignMany(rig, 400, { interval_ms: 1_000 })
    const agent = await rig.agent()
    await until(() => rig.plane.results.length >= 400, 60_000)
    await rig.plane.cut()
    // memory is full first
    await until(() => agent.figures().dropped > 300, 300_000, 'something to be dropped')
    expect(agent.figures().diskBytes).toBeLessThanOrEqual(1_048_576)
    const runsBefore = agent.figures().runs
    await sleep(1_000)
    expect(agent.figures().runs).toBeGreaterThan(runsBefore)
    await rig.plane.heal()
    await until(() => agent.figures().spooled < 500, 90_000)
    await rig.stop(agent)
    const { runs, dropped, spooled, corrupt, isSpoolDegraded } = agent.figures()
    expect(corrupt).toBe(0)
    expect(isSpoolDegraded).toBe(false)
    // what an overloaded machine could not deliver before the end waits on the disk
    expect(rig.plane.results.length).toBe(runs - dropped - spooled)
    expect(account(rig, checks).unexpected).toBe(0)
  }, 500_000)
})
