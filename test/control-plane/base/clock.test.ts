import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { DatabaseClock } from '#control-plane/base/clock.ts'
import { app } from '#test/support/app.ts'

const { platform } = app.services
const log = pino({ level: 'silent' })

/** The database, behind a connection whose answers come late, and with a clock that is ahead. */
class Slow {
  lateMs = 0
  aheadMs = 0
  reads = 0
  readonly pool: Pick<Pool, 'query'>

  constructor() {
    const query = async (text: string) => {
      this.reads++
      const { rows } = await platform.query<{ ms: string }>(text)
      await sleep(this.lateMs)
      return { rows: rows.map(({ ms }) => ({ ms: String(Number(ms) + this.aheadMs) })) }
    }
    this.pool = { query: query as unknown as Pool['query'] }
  }
}

/** How far a clock is ahead of the database's, which is asked at this moment. */
async function errorOf(clock: DatabaseClock): Promise<number> {
  const before = clock.nowMs()
  const { rows } = await platform.query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
  return (before + clock.nowMs()) / 2 - Number(rows[0]?.ms)
}

let clock: DatabaseClock
afterEach(() => clock.stop())

test('a first read that took long is followed by others, until one was quick', async () => {
  clock = new DatabaseClock(log)
  const slow = new Slow()
  slow.lateMs = 900
  void sleep(1_200).then(() => {
    slow.lateMs = 0
  })
  await clock.start(slow.pool)
  expect(slow.reads).toBeGreaterThanOrEqual(2)
  expect(Math.abs(await errorOf(clock))).toBeLessThan(200)
})

test('where every read takes long the clock starts after five', async () => {
  clock = new DatabaseClock(log)
  const slow = new Slow()
  slow.lateMs = 120
  await clock.start(slow.pool)
  expect(slow.reads).toBe(5)
  expect(Math.abs(await errorOf(clock))).toBeLessThan(200)
})

test('a later read that takes long does not move the clock, and one that contradicts it does', async () => {
  clock = new DatabaseClock(log)
  const slow = new Slow()
  await clock.start(slow.pool, { everyMs: 20 })
  slow.lateMs = 1_000
  const begun = slow.reads
  await expect.poll(() => slow.reads, { timeout: 10_000 }).toBeGreaterThan(begun + 2)
  expect(Math.abs(await errorOf(clock))).toBeLessThan(200)

  slow.aheadMs = 60_000
  await expect.poll(() => errorOf(clock), { timeout: 10_000 }).toBeGreaterThan(58_000)
}, 30_000)
