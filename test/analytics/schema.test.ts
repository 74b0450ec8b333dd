import { expect, test } from 'vitest'
import { dumpClickhouseSchema } from '#analytics/dump.ts'
import { openDatabase } from './given.ts'

test('analytics/schema.sql is the schema of a new ClickHouse database (npm run schema writes it)', async () => {
  const { clickhouse, close } = await openDatabase()
  try {
    await expect(await dumpClickhouseSchema(clickhouse)).toMatchFileSnapshot(`${process.cwd()}/analytics/schema.sql`)
  } finally {
    await close()
  }
})
