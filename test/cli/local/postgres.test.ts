import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureDatabase, ownerUrl, type PostgresOptions, postgresPart } from '#cli/local/embedded/postgres.ts'
import { findPort } from '#cli/local/loopback.ts'
import { showFor } from '#cli/local/show.ts'
import { Supervisor } from '#cli/local/supervise.ts'

let folder = ''
let options: PostgresOptions
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-postgres-')) // entered by its owner alone, as a checkout below /root is
  options = { dataDir: join(folder, 'in', 'postgres'), port: await findPort(0), ownerPassword: 'it’s "secret"' }
  mkdirSync(join(folder, 'in'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function withPostgres<T>(work: (supervisor: Supervisor) => Promise<T>): Promise<T> {
  const supervisor = new Supervisor({ dataDir: folder, show: showFor({ isJson: false, isTty: false }) })
  try {
    await supervisor.start(await postgresPart(options))
    return await work(supervisor)
  } finally {
    await supervisor.stop()
  }
}

async function ask(sql: string) {
  const client = new pg.Client({ connectionString: ownerUrl(options) })
  await client.connect()
  try {
    return (await client.query(sql)).rows[0]
  } finally {
    await client.end()
  }
}

test('makes its cluster in a folder no other user may enter, and keeps what is stored', async () => {
  await withPostgres(async () => {
    await ensureDatabase(options)
    await ensureDatabase(options)
    await ask('create table kept as select 42 as answer')
    expect(
      await ask(`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`),
    ).toEqual({ fsync: 'on', commit: 'on' })
  })
  expect(await withPostgres(() => ask('select answer from kept'))).toEqual({ answer: 42 })
})

test('starts although the lock file of a killed start names a process that lives, but is another', async () => {
  const lock = join(options.dataDir, 'postmaster.pid')
  await withPostgres(async supervisor => {
    const text = readFileSync(lock, 'utf8')
    process.kill(supervisor.pidOf('postgres') ?? Number.NaN, 'SIGKILL')
    await supervisor.stopPart('postgres')
    writeFileSync(lock, [String(process.pid), ...text.split('\n').slice(1)].join('\n'))
  })
  expect(await withPostgres(() => ask('select answer from kept'))).toEqual({ answer: 42 })
})

test('creates the cluster again after an interrupted first start', async () => {
  rmSync(join(options.dataDir, 'vedette-complete'))
  await withPostgres(async () => {
    await ensureDatabase(options)
    expect(await ask(`select to_regclass('kept') as kept`)).toEqual({ kept: null })
  })
})
