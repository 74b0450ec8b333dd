import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readClickhouseMigrations } from '#analytics/migrate.ts'
import { readMigrations } from '#control-plane/db/migrate.ts'
import { rights } from '#control-plane/db/rights.ts'

const numbers = (migrations: { name: string }[]) => migrations.map(({ name }) => Number(/^(\d{4})[-_]/.exec(name)?.[1]))

test('migrations of both stores are numbered from 1 without a gap', async () => {
  for (const migrations of [readMigrations(), await readClickhouseMigrations()])
    expect(numbers(migrations)).toEqual(migrations.map((_, index) => index + 1))
})

test('the baseline reads every file of its folder', () => {
  const [baseline] = readMigrations()
  for (const kind of ['tables', 'functions'])
    for (const file of readdirSync(`control-plane/db/baseline/${kind}`))
      expect(baseline?.sql, file).toContain(readFileSync(`control-plane/db/baseline/${kind}/${file}`, 'utf8'))
})

test('every table of the baseline has its line of rights', () => {
  const tables = readMigrations().flatMap(({ sql }) =>
    [...sql.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, table]) => table),
  )
  expect(Object.keys(rights).sort()).toEqual(tables.sort())
})
