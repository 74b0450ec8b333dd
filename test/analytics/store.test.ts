import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClickHouseClient } from '#analytics/client.ts'
import { Store } from '#analytics/ingest/store.ts'
import { openDatabase, rows } from './given.ts'

let clickhouse: ClickHouseClient
let close: () => Promise<void>
beforeAll(async () => {
  ;({ clickhouse, close } = await openDatabase())
})
afterAll(() => close())

test('a large insert does not wait, and does not delay the small one after it', async () => {
  await clickhouse.command({ query: 'CREATE TABLE paced (n UInt32) ENGINE = MergeTree ORDER BY n' })
  const store = new Store({ clickhouse, table: 'paced', columns: ['n'] })
  const began = performance.now()
  const large = 20
  for (let n = 0; n < large; n++) await store.insert([Buffer.from(`[${n}]\n`)], 10_000)
  expect(performance.now() - began).toBeLessThan((large * 500) / 2)
  const then = performance.now()
  await store.insert([Buffer.from(`[${large}]\n`)], 1)
  expect(performance.now() - then).toBeLessThan(3_000)
  expect(await rows(clickhouse, 'SELECT n FROM paced ORDER BY n')).toHaveLength(large + 1)
})

test('batches that may wait are stored in one insert, and at once with one that may not', async () => {
  await clickhouse.command({ query: 'CREATE TABLE gathered (n UInt32) ENGINE = MergeTree ORDER BY n' })
  await clickhouse.command({ query: 'SYSTEM STOP MERGES gathered' })
  const store = new Store({ clickhouse, table: 'gathered', columns: ['n'] })
  const insert = (n: number, gatherMs: number) => store.insert([Buffer.from(`[${n}]\n`)], 1, gatherMs)
  await Promise.all([insert(1, 200), insert(2, 200), insert(3, 200)])
  const began = performance.now()
  await Promise.all([insert(4, 60_000), insert(5, 0)])
  expect(performance.now() - began).toBeLessThan(30_000)
  expect(await rows(clickhouse, 'SELECT groupArray(n) AS of FROM gathered GROUP BY _part ORDER BY of')).toEqual([
    { of: [1, 2, 3] },
    { of: [4, 5] },
  ])
})
