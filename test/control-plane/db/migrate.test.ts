import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Migration, migrate, readMigrations } from '#control-plane/db/migrate.ts'
import { openDatabases } from '#test/support/databases.ts'
import { store } from '#test/support/stores.ts'

let ownerUrl: string
let owner: pg.Client
beforeAll(async () => {
  ownerUrl = (await openDatabases('vedette_migrate')).ownerUrl
  owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
})
afterAll(() => owner?.end())

const run = async (migrations: Migration[] = readMigrations()) => {
  const { appPassword, platformPassword } = await store('postgres')
  return migrate({ ownerUrl, appPassword, platformPassword, migrations })
}
const added = { name: '0002-notes', sql: 'create table notes (id int primary key)' }

describe('migrations of PostgreSQL', () => {
  test('are applied once, in one transaction', async () => {
    expect(await run()).toEqual([])
    const broken = { name: '0003-broken', sql: 'create table notes (id int primary key)' }
    await expect(run([...readMigrations(), added, broken])).rejects.toThrow('already exists')
    expect((await owner.query(`select to_regclass('notes') as found`)).rows).toEqual([{ found: null }])
    expect(await run([...readMigrations(), added])).toEqual(['0002-notes'])
    expect(await run([...readMigrations(), added])).toEqual([])
  })

  test('one that was changed after it was applied is refused', async () => {
    await expect(run([...readMigrations(), { ...added, sql: `${added.sql} ` }])).rejects.toMatchObject({
      name: 'MigrationFault',
      message: 'the migration 0002-notes was changed after it was applied to PostgreSQL',
    })
  })

  test('a database that a newer version made is refused', async () => {
    await expect(run()).rejects.toMatchObject({
      message: 'PostgreSQL has the migration 0002-notes, which this version does not know',
    })
  })

  test('rights that were changed by hand stay until their line changes, and are then as the line says', async () => {
    const may = async (right: string) =>
      (await owner.query(`select has_table_privilege('vedette_app', 'votes', $1) as may`, [right])).rows[0].may
    await owner.query('grant delete on votes to vedette_app')
    await run([...readMigrations(), added])
    expect(await may('delete')).toBe(true)
    await owner.query(`update schema_migrations set checksum = 'of another line' where name = 'rights of votes'`)
    await run([...readMigrations(), added])
    expect(await may('delete')).toBe(false)
    expect(await may('select')).toBe(true)
  })

  test('a database from before the baseline is refused, with what to type', async () => {
    await owner.query(
      `alter table schema_migrations rename to kept; create table schema_migrations (id serial, name text, executed_at timestamptz)`,
    )
    await expect(run()).rejects.toMatchObject({
      message: 'this database was made by a version from before the first release',
      fixes: expect.arrayContaining([expect.stringContaining('mv .data .data.old')]),
    })
  })
})
