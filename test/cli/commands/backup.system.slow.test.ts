import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClickhouse } from '#analytics/client.ts'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { databaseCalendar } from '#control-plane/base/calendar.ts'
import { lastBackup } from '#control-plane/platform/backups.ts'
import { eraseResults, purgeTeam } from '#control-plane/reselling/managed-teams/purge.ts'
import { decryptPassword, encryptPassword } from '#control-plane/tenancy/smtp/password.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts'
import { type Databases, openDatabases, serviceUrls } from '#test/support/databases.ts'
import { program } from '#test/support/program.ts'
import { store } from '#test/support/stores.ts'
import { at } from '#test/support/template.ts'

const secretKey = 'the key of the installation that is backed up'
const hidden = 'a passphrase that only the owner of this row knows'
const mark = randomUUID().slice(0, 8)
let folder = ''
let clickhouse: ClickhouseServer
let source: Databases
let target: Databases
let superuser: pg.Client
let tenant = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-backup-'))
  writeFileSync(join(folder, 'key'), 'a key of a backup that is long enough\n')
  writeFileSync(join(folder, 'other-key'), 'another key of a backup, long enough too\n')
  clickhouse = await startClickhouse()
  superuser = new pg.Client({ connectionString: (await store('postgres')).ownerUrl })
  await superuser.connect()
  source = { ...(await openDatabases('backup')), clickhouseUrl: clickhouse.url('backup') }
  target = await emptyStores('target')
  await migrateClickhouse(source.clickhouseUrl)
  await fill()
}, 120_000)
afterAll(async () => {
  await superuser?.end()
  await clickhouse?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A database without tables, and a ClickHouse database that does not exist. */
async function emptyStores(name: string): Promise<Databases> {
  const postgres = await store('postgres')
  const database = `restored_${name}_${mark}`
  await superuser.query(`create database ${database}`)
  const ownerUrl = at(postgres.ownerUrl, database)
  return { ownerUrl, ...serviceUrls(ownerUrl, postgres), clickhouseUrl: clickhouse.url(database) }
}

/** Rows with every kind of value that a text could spoil, in tables with keys, chains and sequences. */
async function fill() {
  const pool = new pg.Pool({ connectionString: source.platformUrl, max: 1 })
  tenant = await createTenant(pool, {
    name: 'Line\u2028separator, "quotes", \\backslash\\, tab\t and émoji 🎈',
    slug: `b-${randomUUID()}`,
    plan: 'pro',
    featureOverrides: {},
    isReseller: false,
  })
  await pool.query(
    `insert into smtp_configs (tenant_id, host, port, encryption, username, password)
     values ($1, 'mail.example', 587, 'tls', 'u', $2)`,
    [tenant, encryptPassword({ secretKey }, tenant, hidden)],
  )
  for (let n = 0; n < 1_200; n++)
    await pool.query(
      `insert into audit_entries (id, tenant_id, action, entity_type, changes)
       values (gen_random_uuid(), $1, $2, 'monitor', $3)`,
      [tenant, `test.${n}`, n % 2 === 0 ? null : JSON.stringify({ n, text: 'a\nb\\n' })],
    )
  for (let n = 0; n < 7; n++)
    await pool.query(
      `insert into outbox (tenant_id, kind, name, payload, done_at) values ($1, 'event', 'x', 'null', now())`,
      [tenant],
    )
  await pool.query('delete from outbox where id > 5')
  await pool.end()
  const results = createClient({ url: source.clickhouseUrl })
  await results.command({
    query: `INSERT INTO check_results (tenant_id, monitor_id, check_id, region, kind, due, attempt, at, received_at, run_reason,
        outcome, code, reason, seen, fault_phase, excerpt, address, is_unreliable, agent_id)
      SELECT '${tenant}', toUUID('00000000-0000-4000-8000-00000000000' || toString(number % 10)), toUUID('00000000-0000-4000-9000-00000000000' || toString(number % 10)), 'eu', 'uptime', now64(3) - number, 0,
        now64(3), now64(3), 'due', 'up', '', '', '', '', '', '', false, 'a' FROM numbers(20000)`,
  })
  await results.close()
}

/** Stores results of a team. */
async function addResults(count: number, of = tenant): Promise<void> {
  const results = createClient({ url: source.clickhouseUrl })
  await results.command({
    query: `INSERT INTO check_results (tenant_id, monitor_id, check_id, region, kind, due, attempt, at, received_at, run_reason,
        outcome, code, reason, seen, fault_phase, excerpt, address, is_unreliable, agent_id)
      SELECT '${of}', generateUUIDv4(), generateUUIDv4(), 'eu', 'uptime', now64(3) - number, 0,
        now64(3), now64(3), 'due', 'up', '', '', '', '', '', '', false, 'a' FROM numbers(${count})`,
  })
  await results.close()
}

async function resultsIn({ clickhouseUrl }: Databases, of?: string): Promise<number> {
  const results = createClient({ url: clickhouseUrl })
  const counted = await results.query({
    query: `SELECT toUInt32(count()) AS n FROM check_results FINAL ${of ? `WHERE tenant_id = '${of}'` : ''}`,
    format: 'JSONEachRow',
  })
  const [row] = await counted.json<{ n: number }>()
  await results.close()
  return row!.n
}

interface Ended {
  code: number
  out: string
  err: string
}

const vedette = (args: string[], stores: Databases, env: Record<string, string> = {}): Promise<Ended> =>
  new Promise(resolve => {
    execFile(
      process.execPath,
      program(...args),
      {
        env: {
          ...process.env,
          DATABASE_URL: stores.appUrl,
          DATABASE_PLATFORM_URL: stores.platformUrl,
          DATABASE_OWNER_URL: stores.ownerUrl,
          CLICKHOUSE_URL: stores.clickhouseUrl,
          CLICKHOUSE_BACKUP_FOLDER: join(clickhouse.folder, 'backups'),
          SECRET_KEY: secretKey,
          ...env,
        },
      },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })

/** A digest of every row of every table, but for the list of backups: each is noted once it is whole. */
async function digests(ownerUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('schema_migrations', 'identity_changes', 'stream_events', 'backups') order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of rows) {
    const { rows: digest } = await client.query<{ d: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as d from "${name}" t`,
    )
    found[name] = digest[0]!.d
  }
  await client.end()
  return found
}

const schemaOf = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ line: string }>(
    `select c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as line from pg_constraint k
       join pg_class c on c.oid = k.conrelid where c.relnamespace = 'public'::regnamespace
     union all
     select relname || ' ' || relrowsecurity || ' ' || relforcerowsecurity from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r'
     union all
     select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger
       where not tgisinternal order by 1`,
  )
  await client.end()
  return rows.map(({ line }) => line)
}

describe('vedette backup and restore', { timeout: 180_000 }, () => {
  test('give every row back into stores of their own, encrypted and without the key of the installation', async () => {
    const key = { BACKUP_KEY_FILE: join(folder, 'key') }
    const made = await vedette(['backup', join(folder, 'one')], source, key)
    expect(made, made.err).toMatchObject({ code: 0, out: expect.stringContaining('encrypted') })
    expect(made.err).toContain('SECRET_KEY is not inside')

    const restored = await vedette(['restore', join(folder, 'one')], target, key)
    expect(restored, restored.err).toMatchObject({ code: 0, out: expect.stringContaining('all as written') })
    expect(await digests(target.ownerUrl)).toEqual(await digests(source.ownerUrl))
    expect(await schemaOf(target.ownerUrl)).toEqual(await schemaOf(source.ownerUrl))

    const platform = new pg.Pool({ connectionString: target.platformUrl, max: 1 })
    const { rows } = await platform.query<{ password: string }>('select password from smtp_configs')
    expect(decryptPassword({ secretKey }, tenant, rows[0]!.password)).toBe(hidden)
    // the next value of a sequence is beyond those that were given out
    const { rows: entry } = await platform.query<{ id: string }>(
      `insert into outbox (tenant_id, kind, name, payload, done_at) values ($1, 'event', 'x', '{}', now()) returning id`,
      [tenant],
    )
    expect(Number(entry[0]!.id)).toBe(8)
    await platform.end()
    const results = createClient({ url: target.clickhouseUrl })
    const counted = await results.query({
      query:
        'SELECT (SELECT count() FROM check_results FINAL) AS results, (SELECT count() FROM restore_marks) AS marks',
      format: 'JSONEachRow',
    })
    expect(await counted.json()).toEqual([{ results: 20_000, marks: 1 }])
    await results.close()
    expect((await vedette(['audit', 'verify'], target)).code).toBe(0)
    expect(readdirSync(join(clickhouse.folder, 'backups'))).toEqual([])
  })

  test('leave nothing readable without the key, and refuse a wrong one and a changed file', async () => {
    const files = readdirSync(join(folder, 'one'), { recursive: true, withFileTypes: true }).filter(it => it.isFile())
    expect(files.length).toBeGreaterThan(50)
    for (const file of files) {
      const bytes = readFileSync(join(file.parentPath, file.name))
      for (const word of [tenant, 'check_results', 'mail.example', secretKey, hidden])
        expect(bytes.includes(word), `${file.name} shows ${word}`).toBe(false)
    }
    const without = await vedette(['restore', join(folder, 'one')], target)
    expect(without).toMatchObject({ code: 2, err: expect.stringContaining('is encrypted') })
    const wrong = await vedette(['restore', join(folder, 'one')], target, {
      BACKUP_KEY_FILE: join(folder, 'other-key'),
    })
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('not opened by this key') })

    cpSync(join(folder, 'one'), join(folder, 'changed'), { recursive: true })
    const path = join(folder, 'changed', 'postgres', 'tenants.jsonl.gz.encrypted')
    const bytes = readFileSync(path)
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(path, bytes)
    const changed = await vedette(['restore', join(folder, 'changed')], target, {
      BACKUP_KEY_FILE: join(folder, 'key'),
    })
    expect(changed).toMatchObject({ code: 1, err: expect.stringContaining('not as it was written') })
  })

  test('refuse filled stores, a folder in use, another SECRET_KEY, and keys in a readable backup', async () => {
    const key = { BACKUP_KEY_FILE: join(folder, 'key') }
    const filled = await vedette(['restore', join(folder, 'one')], target, key)
    expect(filled).toMatchObject({ code: 2, err: expect.stringContaining('is not empty') })
    const again = await vedette(['backup', join(folder, 'one')], source, key)
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('is not empty') })
    const other = await vedette(['restore', join(folder, 'one')], target, { ...key, SECRET_KEY: 'x'.repeat(40) })
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('not the SECRET_KEY of the backup') })
    const keys = await vedette(['backup', join(folder, 'keys'), '--with-keys'], source)
    expect(keys).toMatchObject({ code: 2, err: expect.stringContaining('encrypted backups only') })
    const short = await vedette(['backup', join(folder, 'keys')], source, { BACKUP_KEY: 'short' })
    expect(short).toMatchObject({ code: 2, err: expect.stringContaining('20 characters') })
  })

  test('refuse a backup of a newer version, in its schema and in its form', async () => {
    const made = await vedette(['backup', join(folder, 'newer')], source)
    expect(made, made.err).toMatchObject({ code: 0, out: expect.stringContaining('not encrypted') })
    const manifestFile = join(folder, 'newer', 'manifest.json')
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
    manifest.postgres.migrations.push('9999-of-the-future')
    writeFileSync(manifestFile, JSON.stringify(manifest))
    const newer = await vedette(['restore', join(folder, 'newer')], target)
    expect(newer).toMatchObject({ code: 4, err: expect.stringContaining('9999-of-the-future') })

    const headerFile = join(folder, 'newer', 'backup.json')
    writeFileSync(headerFile, JSON.stringify({ ...JSON.parse(readFileSync(headerFile, 'utf8')), format: 3 }))
    const form = await vedette(['restore', join(folder, 'newer')], target)
    expect(form).toMatchObject({ code: 2, err: expect.stringContaining('reads up to 2') })
  })

  test('note when they were made, those by other means too', async () => {
    const pool = new pg.Pool({ connectionString: source.platformUrl, max: 1 })
    const before = new Date()
    expect((await vedette(['backup', join(folder, 'noted')], source)).code).toBe(0)
    const own = await lastBackup(pool)
    expect(own!.getTime()).toBeGreaterThanOrEqual(before.getTime())
    const noted = await vedette(['backup', '--note'], source, { CLICKHOUSE_CLUSTER: 'vedette' })
    expect(noted, noted.err).toMatchObject({ code: 0, out: expect.stringContaining('noted') })
    expect((await lastBackup(pool))!.getTime()).toBeGreaterThan(own!.getTime())
    await pool.end()
  })

  test('write what is new since a whole one, and are restored with it', async () => {
    const key = { BACKUP_KEY_FILE: join(folder, 'key') }
    const into = join(folder, 'series')
    const results = openClickhouse(source.clickhouseUrl)
    await addResults(5_000)
    // a part that a merge wrote is new, and a difference would have it again
    await results.command({ query: 'SYSTEM STOP MERGES' })
    expect((await vedette(['backup', '--into', into], source, key)).code).toBe(0)
    const [whole = ''] = readdirSync(into).filter(name => name.startsWith('vedette-'))
    await addResults(100)
    const second = await vedette(['backup', '--into', into], source, key)
    expect(second, second.err).toMatchObject({ code: 0, out: expect.stringContaining(`the difference to ${whole}`) })
    const difference = readdirSync(into).find(name => name.startsWith('vedette-') && name !== whole) ?? ''
    const bytes = (name: string) => statSync(join(into, name, 'clickhouse.tar.encrypted')).size
    expect(bytes(difference)).toBeLessThan(bytes(whole) / 2)
    await results.command({ query: 'SYSTEM START MERGES' })
    await results.close()
    const onIt = await vedette(['backup', join(into, 'third'), '--base', join(into, difference)], source, key)
    expect(onIt).toMatchObject({ code: 2, err: expect.stringContaining('is a difference itself') })

    const apart = await emptyStores('apart')
    cpSync(join(into, difference), join(folder, 'apart', difference), { recursive: true })
    const alone = await vedette(['restore', join(folder, 'apart', difference)], apart, key)
    expect(alone).toMatchObject({ code: 2, err: expect.stringContaining(`${whole} is no backup`) })

    const stores = await emptyStores('difference')
    const restored = await vedette(['restore', join(into, difference)], stores, key)
    expect(restored, restored.err).toMatchObject({ code: 0 })
    expect(await resultsIn(stores)).toBe(await resultsIn(source))
    expect(readdirSync(join(clickhouse.folder, 'backups'))).toEqual([])
  })

  test('from before a purge do not bring the team back', async () => {
    const pool = new pg.Pool({ connectionString: source.platformUrl, max: 1 })
    const results = openClickhouse(source.clickhouseUrl)
    const make = (isReseller: boolean) =>
      createTenant(pool, { name: 'Team', slug: `p-${randomUUID()}`, plan: 'pro', featureOverrides: {}, isReseller })
    const [reseller, gone, kept] = [await make(true), await make(false), await make(false)]
    for (const team of [gone, kept]) {
      await pool.query('insert into managed_teams (id, reseller_id, tenant_id) values ($1, $2, $3)', [
        ...[randomUUID(), reseller, team],
      ])
      await addResults(10, team)
    }
    const beside = join(folder, 'before-the-purge')
    expect((await vedette(['backup', join(beside, 'old')], source)).code).toBe(0)
    expect((await vedette(['backup', join(beside, 'older')], source)).code).toBe(0)
    rmSync(join(beside, 'purged-teams.jsonl'))

    const deletedAt = new Date(Date.now() - 31 * 86_400_000)
    await pool.query('update managed_teams set deleted_at = $2 where tenant_id = $1', [gone, deletedAt])
    const { rows } = await pool.query('select id from managed_teams where tenant_id = $1', [gone])
    expect(await purgeTeam(pool, rows[0].id, deletedAt, databaseCalendar)).toBe('purged')
    expect(await eraseResults(pool, results, gone)).toBe('erased')

    const forgetful = await emptyStores('forgetful')
    const without = await vedette(['restore', join(beside, 'old')], forgetful)
    expect(without).toMatchObject({ code: 0, err: expect.stringContaining('There is no purged-teams.jsonl') })

    expect((await vedette(['backup', join(beside, 'newest')], source)).code).toBe(0)
    const ofTheWorker = join(folder, 'of-the-worker.jsonl')
    for (const [name, words] of [
      ['older', []],
      ['old', ['--purged', ofTheWorker]],
    ] as const) {
      if (words.length > 0) renameSync(join(beside, 'purged-teams.jsonl'), ofTheWorker)
      const stores = await emptyStores(`purged_${name}`)
      const restored = await vedette(['restore', join(beside, name), ...words], stores)
      expect(restored, restored.err).toMatchObject({ code: 0, out: expect.stringContaining('1 purged teams were') })
      const platform = new pg.Pool({ connectionString: stores.platformUrl, max: 1 })
      const { rows: left } = await platform.query('select id from tenants where id = any($1::uuid[])', [[gone, kept]])
      expect(left).toEqual([{ id: kept }])
      await platform.end()
      expect(await resultsIn(stores, gone)).toBe(0)
      expect(await resultsIn(stores, kept)).toBe(10)
    }
    await results.close()
    await pool.end()
  })
})
