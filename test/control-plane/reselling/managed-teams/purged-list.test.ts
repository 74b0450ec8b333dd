import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { extendPurgedList, keepPurgedList, readPurgedList } from '#control-plane/reselling/managed-teams/purged-list.ts'
import { app } from '#test/support/app.ts'

const { platform } = app.services
const folder = mkdtempSync(join(tmpdir(), 'vedette-purged-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const team = (day: number) => ({ tenant_id: crypto.randomUUID(), purged_at: `2026-03-0${day}T10:00:00.000Z` })

test('a list of purged teams gains what it lacks, and is there without a purged team too', async () => {
  const path = join(folder, 'deep', 'list.jsonl')
  expect(await readPurgedList(path)).toBeNull()
  await extendPurgedList(path, [])
  expect(await readPurgedList(path)).toEqual([])
  const [first, second, third] = [team(1), team(2), team(3)]
  await extendPurgedList(path, [third, first])
  await extendPurgedList(path, [second, { ...first, purged_at: '2026-05-01T00:00:00.000Z' }])
  expect(await readPurgedList(path)).toEqual([first, second, third])
  expect(readdirSync(join(folder, 'deep'))).toEqual(['list.jsonl'])
})

test('a damaged list of purged teams is an error, not a shorter list', async () => {
  const path = join(folder, 'damaged.jsonl')
  writeFileSync(path, `${JSON.stringify(team(1))}\n{"tenant_id":"not an id"}\n`)
  await expect(readPurgedList(path)).rejects.toThrow()
  await expect(extendPurgedList(path, [team(2)])).rejects.toThrow()
})

test('a worker lists a team when it is purged', async () => {
  const path = join(folder, 'of-the-worker.jsonl')
  const keeping = keepPurgedList(app.services, path)
  await expect.poll(() => readPurgedList(path)).not.toBeNull()
  const id = crypto.randomUUID()
  await platform.query(
    `insert into purged_tenants (tenant_id, managed_team_id, reseller_id, deleted_at)
     values ($1, gen_random_uuid(), gen_random_uuid(), now())`,
    [id],
  )
  await expect.poll(async () => (await readPurgedList(path))?.map(({ tenant_id }) => tenant_id)).toContain(id)
  await keeping.stop()
})
