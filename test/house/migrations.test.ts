import { glob } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { migrations } from '#control-plane/migrate.ts'

test('every migration is listed once, in the order of its number', async () => {
  const files: string[] = []
  for await (const file of glob('control-plane/migrations/*.ts')) files.push(basename(file, '.ts'))
  expect(migrations.map(({ name }) => name)).toEqual(files.sort())
  expect(new Set(migrations.map(migration => migration.class)).size).toBe(migrations.length)
})
