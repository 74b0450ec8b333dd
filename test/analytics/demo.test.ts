import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClickHouseClient } from '#analytics/client.ts'
import { type DemoCheck, makeDemoResults } from '#analytics/demo.ts'
import { Rollups } from '#analytics/rollup.ts'
import { openDatabase, rows } from './given.ts'

let clickhouse: ClickHouseClient
let close: () => Promise<void>
beforeAll(async () => {
  ;({ clickhouse, close } = await openDatabase())
})
afterAll(() => close())

const hour = 3_600_000

test('demo results contain the given outages, and their roll-ups equal a recount', async () => {
  const now = new Date()
  const started = new Date(now.getTime() - 50 * hour)
  const checks: DemoCheck[] = Array.from({ length: 4 }, (_, index) => ({
    tenant: crypto.randomUUID(),
    monitor: crypto.randomUUID(),
    check: crypto.randomUUID(),
    kind: 'uptime',
    regions: ['eu-west', 'us-east', 'ap-south'],
    intervalS: 300,
    typicalMs: 100 + 50 * index,
    outages:
      index === 0
        ? [
            {
              from: started,
              to: new Date(started.getTime() + hour),
              outcome: 'down',
              code: 'wrong_status',
              reason: 'Status 500.',
              httpStatus: 500,
            },
          ]
        : [],
  }))
  await makeDemoResults(clickhouse, { checks, now })
  expect(await new Rollups({ clickhouse, now: () => now.getTime() }).reconcile()).toBe(0)

  const down = await rows(
    clickhouse,
    `SELECT check_id, count() AS results, min(http_status) AS status FROM check_results FINAL WHERE outcome = 'down' GROUP BY check_id`,
  )
  expect(down).toEqual([{ check_id: checks[0]?.check, results: 36, status: 500 }])
  const [days] = await rows<{ days: number; total: number }>(
    clickhouse,
    'SELECT uniqExact(day) AS days, sum(total) AS total FROM results_by_day FINAL',
  )
  expect(days).toEqual({ days: 90, total: 90 * 288 * 12 })
  expect(await rows(clickhouse, 'SELECT count() AS results FROM latest_results FINAL')).toEqual([{ results: 12 }])
})
