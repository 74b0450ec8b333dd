import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClickHouseClient } from '#analytics/client.ts'
import { closedBefore, Rollups } from '#analytics/rollup.ts'
import { agentId, makeCheck, openDatabase, openIngest, resultOf, rows, seenStatus, timedOut } from './given.ts'

const hour = 3_600_000
const minute = 60_000
/** Yesterday's: results older than a month would be dropped as they are stored. */
const midnight = Math.floor(Date.now() / (24 * hour) - 1) * 24 * hour

let clickhouse: ClickHouseClient
let close: () => Promise<void>
beforeAll(async () => {
  ;({ clickhouse, close } = await openDatabase())
})
afterAll(() => close())

const clockAt = (time: number) => {
  const clock = { time, now: () => clock.time }
  return clock
}

interface Cell {
  hour: string
  region: string
  total: number
  good: number
  warning: number
  failed: number
  unknown: number
  response_count: number
  response_us_sum: number
}

const cellsOf = (monitor: string) =>
  rows<Cell>(
    clickhouse,
    `SELECT * FROM results_by_hour FINAL WHERE monitor_id = '${monitor}' AND total > 0 ORDER BY hour, region`,
  )

describe('roll-ups', () => {
  test('close an hour a minute after its end, once, and count its results', async () => {
    const clock = clockAt(midnight + hour)
    const intake = openIngest(clickhouse, clock.now)
    const keeper = new Rollups({ clickhouse, now: clock.now })
    await keeper.reconcile()
    const check = makeCheck()
    intake.checks.set(check.check, check)

    const start = midnight + hour
    clock.time = start + 30 * minute
    await intake.send([
      resultOf(check, start),
      resultOf(check, start + minute, seenStatus(500)),
      resultOf(check, start + 2 * minute, timedOut),
      resultOf(check, start + 3 * minute, seenStatus(429)),
      resultOf(check, start + 4 * minute, { fault: { code: 'overloaded', phase: 'connect', message: 'Too busy.' } }),
      resultOf(check, start + 5 * minute, { is_unreliable: true }),
    ])
    clock.time = start + hour + 59_000
    await keeper.tick()
    expect(await cellsOf(check.monitor)).toEqual([])
    clock.time = start + hour + 61_000
    await keeper.tick()
    expect(await cellsOf(check.monitor)).toMatchObject([
      {
        region: 'eu-west',
        total: 6,
        good: 2,
        warning: 1,
        failed: 2,
        unknown: 1,
        response_count: 2,
        response_us_sum: 200_250,
      },
    ])
    expect(await keeper.reconcile()).toBe(0)
  })

  test('include late results in their hour and day after the next tick', async () => {
    const clock = clockAt(midnight + 27 * hour + 2 * minute)
    const keeper = new Rollups({ clickhouse, now: clock.now })
    await keeper.reconcile()
    const intake = openIngest(clickhouse, clock.now, { onTouched: hours => keeper.touched(hours) })
    const check = makeCheck('uptime', {}, agentId)
    intake.checks.set(check.check, check)
    const late = Array.from({ length: 60 }, (_, index) => resultOf(check, midnight + 20 * hour + index * minute))
    await intake.send(late.slice(0, 30))
    await keeper.tick()
    await intake.send(late.slice(20))
    await intake.send(late, 'us-east')
    await keeper.tick()
    expect(await cellsOf(check.monitor)).toMatchObject([
      { region: 'eu-west', total: 60, good: 60 },
      { region: 'us-east', total: 60, good: 60 },
    ])
    expect(
      await rows(
        clickhouse,
        `SELECT day, region, total FROM results_by_day FINAL WHERE monitor_id = '${check.monitor}' ORDER BY region`,
      ),
    ).toEqual([
      { day: new Date(midnight).toISOString().slice(0, 10), region: 'eu-west', total: 60 },
      { day: new Date(midnight).toISOString().slice(0, 10), region: 'us-east', total: 60 },
    ])
    expect(await keeper.reconcile()).toBe(0)
  })

  test('detect and repair hours that were left open or changed while the process was stopped', async () => {
    const clock = clockAt(midnight + 27 * hour + 2 * minute)
    const intake = openIngest(clickhouse, clock.now)
    const check = makeCheck()
    const gone = makeCheck()
    intake.checks.set(check.check, check).set(gone.check, gone)
    const results = Array.from({ length: 3 * 60 }, (_, index) => resultOf(check, midnight + 10 * hour + index * minute))
    await intake.send([...results.slice(0, 100), resultOf(gone, midnight + 10 * hour)])
    const before = new Rollups({ clickhouse, now: clock.now })
    expect(await before.reconcile()).toBe(3)
    await intake.send(results) // without an acknowledgement
    await clickhouse.command({
      query: `ALTER TABLE check_results DELETE WHERE monitor_id = '${gone.monitor}' SETTINGS mutations_sync = 1`,
    })

    clock.time += minute // what is computed later prevails
    const after = new Rollups({ clickhouse, now: clock.now })
    expect(await after.reconcile()).toBeGreaterThanOrEqual(3)
    expect((await cellsOf(check.monitor)).map(({ total }) => total)).toEqual([60, 60, 60])
    expect(await cellsOf(gone.monitor)).toEqual([])
    expect(await after.reconcile()).toBe(0)
  })

  test('are read only for hours that were closed long ago', () => {
    expect(closedBefore(new Date('2026-05-20T10:59:59Z')).toISOString()).toBe('2026-05-20T09:00:00.000Z')
    expect(closedBefore(new Date('2026-05-20T11:00:00Z')).toISOString()).toBe('2026-05-20T10:00:00.000Z')
  })
})
