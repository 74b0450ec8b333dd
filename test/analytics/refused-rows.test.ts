import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClickHouseClient } from '#analytics/client.ts'
import { Store } from '#analytics/ingest/store.ts'
import { makeCheck, openDatabase, openIngest, pack, resultOf, rows, sender } from './given.ts'

let clickhouse: ClickHouseClient
let close: () => Promise<void>
beforeAll(async () => {
  ;({ clickhouse, close } = await openDatabase())
  const columns = `id UUID, at DateTime64(3), word Enum8('yes' = 1, 'no' = 2), CONSTRAINT known CHECK at < '2090-01-01'`
  await clickhouse.command({ query: `CREATE TABLE refusing (${columns}) ENGINE = MergeTree ORDER BY id` })
})
afterAll(() => close())

const line = (row: unknown[]) => Buffer.from(`${JSON.stringify(row)}\n`)

test.each([
  ['an enumeration', ['word', 1_700_000_000_000, 'perhaps']],
  ['a moment', ['word', 'never', 'yes']],
  ['an id', ['no id', 1_700_000_000_000, 'yes']],
  ['text', ['word', 1_700_000_000_000, 'half \ud83d a pair']],
  ['a constraint', ['word', 4_000_000_000_000, 'yes']],
])('a row that ClickHouse refuses for %s is left out, and all other rows are stored', async (_, [id, at, word]) => {
  const refused: unknown[][] = []
  const store = new Store({
    clickhouse,
    table: 'refusing',
    columns: ['id', 'at', 'word'],
    onRefused: row => void refused.push(row),
  })
  const good = Array.from({ length: 41 }, () => randomUUID())
  const bad = [id === 'word' ? randomUUID() : id, at, word]
  const batch = [
    ...good.slice(0, 20).map(each => [each, 1_700_000_000_000, 'yes']),
    bad,
    ...good.slice(20, 40).map(each => [each, 1_700_000_000_000, 'no']),
  ]
  await Promise.all([
    store.insert(batch.map(line), batch.length),
    store.insert([line([good[40], 1_700_000_000_000, 'yes'])], 1),
  ])
  expect(refused).toHaveLength(1)
  expect(refused[0]?.[0]).toBe(bad[0])
  const stored = await rows<{ n: string }>(
    clickhouse,
    `SELECT count() AS n FROM refusing WHERE id IN ('${good.join("','")}')`,
  )
  expect(Number(stored[0]?.n)).toBe(41)
})

test('a batch is refused as a whole when ClickHouse refuses every insert', async () => {
  const refused: unknown[][] = []
  const store = new Store({
    clickhouse,
    table: 'no_such_table',
    columns: ['id', 'at', 'word'],
    onRefused: row => void refused.push(row),
  })
  await expect(store.insert([line([randomUUID(), 1_700_000_000_000, 'yes'])], 1)).rejects.toThrow()
  expect(refused).toEqual([])
})

test('a result that cannot be judged is refused alone, so that its batch is not sent again', async () => {
  const now = Date.now()
  const bad: string[] = []
  const [broken, fine] = [makeCheck('uptime'), makeCheck('uptime')]
  const intake = openIngest(clickhouse, () => now, { onLost: check => void bad.push(check) })
  for (const check of [broken, fine]) intake.checks.set(check.check, check)
  Object.defineProperty(broken, 'monitor', {
    get: () => {
      throw new TypeError('a check of another shape')
    },
  })
  const taken = await intake.take(pack([resultOf(broken, now - 1_000), resultOf(fine, now - 1_000)]), 'zstd', sender())
  expect(taken).toMatchObject({ status: 200, ack: { accepted: 1, refused: [{ reason: 'malformed' }] } })
  expect(bad).toEqual([broken.check])
})
