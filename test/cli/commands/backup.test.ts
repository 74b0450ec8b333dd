import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { openPassword, sealPassword } from '#control-plane/tenancy/smtp/password.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts'
import { type Databases, openDatabases, serviceUrls } from '#test/support/databases.ts'
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
    [tenant, sealPassword({ secretKey }, tenant, hidden)],
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

interface Ended {
  code: number
  out: string
  err: string
}

const vedette = (args: string[], stores: Databases, env: Record<string, string> = {}): Promise<Ended> =>
  new Promise(resolve => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'cli/main.ts', ...args],
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

/** A digest of every row of every table. */
async function digests(ownerUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('schema_migrations', 'identity_changes', 'stream_events') order by 1`,
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
    expect(openPassword({ secretKey }, tenant, rows[0]!.password)).toBe(hidden)
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
    writeFileSync(headerFile, JSON.stringify({ ...JSON.parse(readFileSync(headerFile, 'utf8')), format: 2 }))
    const form = await vedette(['restore', join(folder, 'newer')], target)
    expect(form).toMatchObject({ code: 2, err: expect.stringContaining('reads up to 1') })
  })
})
