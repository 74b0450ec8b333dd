import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { DatabaseClock } from '#control-plane/base/clock.ts'
import { Listener } from '#control-plane/base/listen.ts'
import { ProcessRegistry } from '#control-plane/base/process-registry.ts'
import { SharedRate } from '#control-plane/http/shared-rate.ts'
import { openDatabases } from '#test/support/databases.ts'

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)

/**
 * Several counters on one database, as several API processes have them; they count in windows of four seconds by
 * default.
 */
const { platformUrl } = await openDatabases('vedette_rates')
const windowMs = number('RATE_WINDOW_MS', 4_000)
const overloadSeconds = number('RATE_SECONDS', 16)
/** A grant lasts up to 0.6 s longer than needed: much of four seconds, but one hundredth of sixty. */
const served = number('RATE_SERVED', 0.75)
const log = pino({ level: 'silent' })

class Process {
  readonly pool = new pg.Pool({ connectionString: platformUrl, max: 3 })
  readonly listener = new Listener(platformUrl, log)
  readonly clock = new DatabaseClock(log)
  readonly rate = new SharedRate({
    platform: this.pool,
    processes: new ProcessRegistry(this.pool, this.listener),
    clock: this.clock,
    log,
    windowMs,
  })
  statements = 0

  async start(): Promise<this> {
    this.pool.on('error', () => undefined)
    const query = this.pool.query.bind(this.pool) as (...given: unknown[]) => unknown
    this.pool.query = ((...given: unknown[]) => {
      if ((given[0] as { name?: string }).name === 'take-grants') this.statements++
      return query(...given)
    }) as typeof this.pool.query
    await this.clock.start(this.pool)
    await this.listener.start()
    await this.rate.join()
    return this
  }

  count = (key: string, limit: number) => this.rate.count(key, limit, this.clock.nowMs())

  /** As after kill -9: nothing is said, the connections are gone. */
  async die(): Promise<void> {
    await this.clock.stop()
    await this.listener.stop()
    await this.rate.leave()
    await this.pool.end()
  }
}

let alive: Process[] = []
const processes = async (count: number): Promise<Process[]> => {
  const started: Process[] = []
  for (let n = 0; n < count; n++) started.push(await new Process().start())
  alive = started
  return started
}
afterEach(async () => {
  await Promise.all(alive.map(process => process.die().catch(() => undefined)))
  alive = []
})
afterAll(() => sleep(100))

let keys = 0
const aKey = () => `key-${process.pid}-${keys++}`
/** The most that were let through in any window, wherever it begins. */
function worst(times: number[]): number {
  times.sort((a, b) => a - b)
  let most = 0
  for (let from = 0, to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= windowMs) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}

describe('an API process that is alone', () => {
  test('counts in memory, without a statement', async () => {
    const [only] = (await processes(1)) as [Process]
    const key = aKey()
    for (let i = 0; i < 60; i++) expect(only.count(key, 60)).toMatchObject({ isRefused: false, remaining: 59 - i })
    expect(only.count(key, 60)).toMatchObject({ isRefused: true, retryAfterS: 4 })
    expect(only.statements).toBe(0)
  })

  test('publishes its grants when a second process starts', async () => {
    const [first] = (await processes(1)) as [Process]
    const [key, other] = [aKey(), aKey()]
    for (let i = 0; i < 40; i++) first.count(key, 60)
    for (let i = 0; i < 60; i++) first.count(other, 60)
    const second = await new Process().start()
    alive.push(second)
    expect([first.rate.isAlone, second.rate.isAlone]).toEqual([false, false])
    const counted = await Promise.all(Array.from({ length: 40 }, () => second.count(key, 60)))
    expect(counted.filter(({ isRefused }) => !isRefused)).toHaveLength(20)
    expect(await first.count(key, 60)).toMatchObject({ isRefused: true })
    expect(await second.count(other, 60)).toMatchObject({ isRefused: true })
  })

  test('counts in memory again once the others have ended and their grants have left the window', async () => {
    const [first, second] = (await processes(2)) as [Process, Process]
    const key = aKey()
    for (let i = 0; i < 5; i++) await first.count(key, 10)
    for (let i = 0; i < 5; i++) await second.count(key, 10)
    await second.die()
    expect(await first.count(key, 10)).toMatchObject({ isRefused: true })
    for (const until = Date.now() + 30_000; !first.rate.isAlone && Date.now() < until; ) await sleep(100)
    expect(first.rate.isAlone).toBe(true)
    expect(first.count(key, 10)).toMatchObject({ isRefused: false })
  })
})

test('one of two API processes grants the whole limit to callers side by side', async () => {
  const [one] = (await processes(2)) as [Process, Process]
  const key = aKey()
  let accepted = 0
  const caller = async () => {
    for (let n = 0; n < 40; n++) {
      // some requests arrive while the grants of others are on their way
      await sleep(Math.random() * 4)
      if (!(await one.count(key, 300)).isRefused) accepted++
    }
  }
  await Promise.all(Array.from({ length: 10 }, caller))
  expect(accepted).toBe(300)
})

describe('four API processes', () => {
  test('grant no more than the limit in any window at ten times the load, and nearly all of it', {
    timeout: 60_000 + overloadSeconds * 1_000,
  }, async () => {
    const four = await processes(4)
    const limits = [10, 60, 120, 300]
    const asked = limits.map(limit => ({ limit, key: aKey(), accepted: [] as number[] }))
    const until = performance.now() + overloadSeconds * 1_000
    let refusals = 0
    const callers = asked.flatMap(({ key, limit, accepted }) =>
      four.map(async process => {
        const pauseMs = (windowMs * four.length) / (limit * 10)
        while (performance.now() < until) {
          const { isRefused } = await process.count(key, limit)
          if (isRefused) refusals++
          else accepted.push(performance.now())
          await sleep(pauseMs * 2 * Math.random())
        }
      }),
    )
    await Promise.all(callers)
    for (const { limit, accepted } of asked) {
      expect(worst(accepted), `limit ${limit}`).toBeLessThanOrEqual(limit)
      expect(accepted.length, `limit ${limit}`).toBeGreaterThanOrEqual(
        Math.floor(limit * ((overloadSeconds * 1_000) / windowMs) * served),
      )
    }
    const statements = four.reduce((sum, process) => sum + process.statements, 0)
    const quotas = asked.map(
      ({ limit, accepted }) =>
        `${((accepted.length / limit / ((overloadSeconds * 1_000) / windowMs)) * 100).toFixed(1)} % of ${limit}`,
    )
    console.log(
      `rates: ${overloadSeconds} s at ten times the load, never over the limit; served ${quotas.join(', ')}; ${refusals} refused, ${statements} statements`,
    )
    expect(statements).toBeLessThan(refusals + asked.reduce((sum, { accepted }) => sum + accepted.length, 0))
  })

  test('accept every caller who waited as long as reported', { timeout: 60_000 + 3 * windowMs }, async () => {
    const four = await processes(4)
    const waited = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const key = aKey()
        await sleep(Math.random() * 3_000)
        for (let i = 0; i < 5; i++) await four[(n + i) % 4]!.count(key, 5)
        const refused = await four[n % 4]!.count(key, 5)
        expect(refused).toMatchObject({ isRefused: true, remaining: 0 })
        await sleep(refused.retryAfterS * 1_000)
        return (await four[(n + 1) % 4]!.count(key, 5)).isRefused
      }),
    )
    expect(waited.filter(isRefused => isRefused)).toEqual([])
  })

  test('grant a burst through one of them the whole limit, although others had grants in advance', async () => {
    const four = await processes(4)
    const key = aKey()
    for (let i = 0; i < 24; i++) {
      await four[i % 4]!.count(key, 300)
      await sleep(20)
    }
    await sleep(windowMs + 1_000)
    const counted = await Promise.all(Array.from({ length: 400 }, () => four[0]!.count(key, 300)))
    expect(counted.filter(({ isRefused }) => !isRefused).length).toBeGreaterThanOrEqual(285)
  })

  test('answer a count that follows another, however soon', async () => {
    const [one] = await processes(2)
    for (let hops = 0; hops < 16; hops++) {
      await one!.count(`first ${hops}`, 1_000)
      for (let hop = 0; hop < hops; hop++) await null
      const answered = await Promise.race([one!.count(`second ${hops}`, 1_000), sleep(3_000)])
      expect(answered, `after ${hops} microtasks`).toMatchObject({ isRefused: false })
    }
  })

  test('need one statement for many requests of a caller far below the limit', async () => {
    const four = await processes(4)
    const key = aKey()
    const before = four[0]!.statements
    let last = 300
    for (let i = 0; i < 60; i++) {
      const { isRefused, remaining } = await four[0]!.count(key, 600)
      expect(isRefused).toBe(false)
      last = remaining
      await sleep(10)
    }
    expect(four[0]!.statements - before).toBeLessThan(20)
    expect(last).toBeGreaterThan(480)
    expect(last).toBeLessThanOrEqual(540)
  })
})

test('while PostgreSQL is unavailable each process counts alone, and publishes its grants afterwards', async () => {
  const [first, second] = (await processes(2)) as [Process, Process]
  const key = aKey()
  await first.count(key, 20)
  const query = first.pool.query
  first.pool.query = (() => Promise.reject(new Error('connect ECONNREFUSED'))) as unknown as typeof first.pool.query
  const counted = await Promise.all(Array.from({ length: 30 }, () => first.count(key, 20)))
  expect(counted.filter(({ isRefused }) => !isRefused)).toHaveLength(19)
  first.pool.query = query
  await sleep(1_200)
  await first.count(aKey(), 20)
  expect(await second.count(key, 20)).toMatchObject({ isRefused: true })
})
