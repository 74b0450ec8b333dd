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
