import { describe, expect, test } from 'vitest'
import { migrateClickhouse, readClickhouseMigrations } from '#analytics/migrate.ts'
import { openDatabase } from './given.ts'

describe('migrations of ClickHouse', () => {
  test('are applied once; one that was changed, an unknown one and an older database are refused', async () => {
    const { clickhouse, url: clickhouseUrl, close } = await openDatabase()
    const known = await readClickhouseMigrations()
    const added = {
      name: '0099_notes',
      sql: 'CREATE TABLE IF NOT EXISTS notes (id UInt8) ENGINE = MergeTree ORDER BY id',
      checksum: 'a',
    }
    expect(await migrateClickhouse(clickhouseUrl)).toEqual([])
    expect(await migrateClickhouse(clickhouseUrl, { migrations: [...known, added] })).toEqual(['0099_notes'])
    await expect(
      migrateClickhouse(clickhouseUrl, { migrations: [...known, { ...added, checksum: 'b' }] }),
    ).rejects.toThrow('the migration 0099_notes was changed after it was applied to ClickHouse')
    await expect(migrateClickhouse(clickhouseUrl)).rejects.toThrow('ClickHouse has the migration 0099_notes')

    await clickhouse.command({ query: 'DROP TABLE schema_migrations' })
    await clickhouse.command({
      query:
        'CREATE TABLE schema_migrations (version UInt32, checksum String) ENGINE = ReplacingMergeTree ORDER BY version',
    })
    await expect(migrateClickhouse(clickhouseUrl)).rejects.toMatchObject({
      message: 'this ClickHouse database was made by a version from before the first release',
    })
    await close()
  })
})
