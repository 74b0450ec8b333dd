import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { noticeSetback } from '#control-plane/platform/restored/notice.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { eventually } from '#test/control-plane/serving.ts'
import { configOn } from '#test/support/config.ts'
import { OwnPostgres } from '#test/support/own-postgres.ts'
import { store } from '#test/support/stores.ts'
import { at } from '#test/support/template.ts'

const folder = mkdtempSync(join(tmpdir(), 'vedette-fail-over-'))
chmodSync(folder, 0o755)
const archive = join(folder, 'archive')
let postgres: OwnPostgres

beforeAll(async () => {
  mkdirSync(archive)
  chmodSync(archive, 0o777)
  postgres = await OwnPostgres.open(join(folder, 'first'), {
    wal_level: 'replica',
    max_wal_senders: '8',
    archive_mode: 'on',
    archive_command: `cp %p ${archive}/%f`,
  })
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function asOwner<Row extends pg.QueryResultRow>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

test('a base backup and the archived WAL bring back the moment before a mistake', async () => {
  const { ownerUrl, platformUrl } = postgres.stores
  const platform = new pg.Pool({ connectionString: platformUrl, max: 1 })
  const aTeam = (slug: string) => createTenant(platform, { name: 'Team', slug, plan: 'pro' })
  await aTeam('before-the-backup')
  const restored = await postgres.copy(join(folder, 'restored'), {
    overrides: { archive_mode: 'off', archive_command: '', restore_command: `cp ${archive}/%f %p` },
  })
  await aTeam('after-the-backup')
  const [{ moment, wal } = { moment: '', wal: '' }] = await asOwner<{ moment: string; wal: string }>(
    ownerUrl,
    'select clock_timestamp()::text as moment, pg_walfile_name(pg_current_wal_lsn()) as wal',
  )
  await asOwner(ownerUrl, 'truncate tenants cascade', 'select pg_switch_wal()')
  await platform.end()
  await eventually(() => (readdirSync(archive).some(name => name >= wal && name.length === 24) ? true : undefined))

  const signal = join(restored.dataDir, 'recovery.signal')
  const settings = `recovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\n`
  writeFileSync(join(restored.dataDir, 'postgresql.auto.conf'), settings)
  writeFileSync(signal, '')
  const { uid, gid } = statSync(postgres.dataDir)
  chownSync(signal, uid, gid)
  await restored.start()
  onTestFinished(() => restored.stop())
  const ended = async () => {
    const [row] = await asOwner<{ over: boolean }>(restored.stores.ownerUrl, 'select not pg_is_in_recovery() as over')
    return row?.over || undefined
  }
  await eventually(ended)
  const found = await asOwner<{ slug: string }>(restored.stores.ownerUrl, 'select slug from tenants order by slug')
  expect(found.map(({ slug }) => slug)).toEqual(['after-the-backup', 'before-the-backup'])
}, 180_000)

test('a replica that follows synchronously takes over: nothing acknowledged is lost, and work goes on', async () => {
  const replica = await postgres.copy(join(folder, 'second'), {
    words: ['-R'],
    overrides: { archive_mode: 'off', archive_command: '' },
  })
  await replica.start()
  onTestFinished(() => replica.stop())
  const { ownerUrl } = postgres.stores
  await asOwner(ownerUrl, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()')
  const synchronous = async () => {
    const [row] = await asOwner<{ state: string }>(ownerUrl, 'select sync_state as state from pg_stat_replication')
    return row?.state === 'sync' ? true : undefined
  }
  await eventually(synchronous)

  const address = await Address.open(Number(new URL(ownerUrl).port))
  onTestFinished(() => address.close())
  const clickhouse = (await store('clickhouse')).url
  const clickhouseUrl = at(clickhouse, 'fail_over')
  await createDatabase(clickhouse, 'fail_over')
  await migrateClickhouse(clickhouseUrl)
  const config = configOn({
    appUrl: address.before(postgres.stores.appUrl),
    platformUrl: address.before(postgres.stores.platformUrl),
    clickhouseUrl,
  })
  const plane: ControlPlane = await startControlPlane(config, ['api', 'ingest'])
  onTestFinished(() => plane.close())
  const tenantId = await createTenant(plane.services.platform, { name: 'Team', slug: 'fail-over', plan: 'pro' })
  const asked = {
    kind: 'svc',
    tenantId,
    userId: null,
    name: 'test',
    scopes: ['monitors:manage'],
    expiresAt: null,
  } as const
  const { plain } = await createToken(plane.services.platform, { ...asked, scopes: [...asked.scopes] })

  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  let isOver = false
  let n = 0
  const write = async () => {
    while (!isOver) {
      const name = `Monitor ${++n}`
      const response = await fetch(`${plane.baseUrl}/api/v1/monitors`, {
        method: 'POST',
        headers: { authorization: `Bearer ${plain}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, url: 'https://example.com/' }),
      })
      await response.text()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      if (response.status === 201) acknowledged.push(name)
      else await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  const writers = Array.from({ length: 2 }, write)
  await eventually(() => (acknowledged.length > 20 ? true : undefined))

  // in the middle of the writing
  await postgres.kill()
  const killedAt = performance.now()
  await asOwner(replica.stores.ownerUrl, 'select pg_promote()')
  const before = acknowledged.length
  address.moveTo(Number(new URL(replica.stores.ownerUrl).port))
  await eventually(() => (acknowledged.length > before + 10 ? true : undefined))
  const awayMs = performance.now() - killedAt
  isOver = true
  await Promise.all(writers)
  console.log(`fail-over: ${acknowledged.length} acknowledged, writes again within ${Math.round(awayMs)} ms`)

  const rows = await asOwner<{ name: string }>(replica.stores.ownerUrl, 'select name from monitors')
  const kept = new Set(rows.map(({ name }) => name))
  expect(acknowledged.filter(name => !kept.has(name))).toEqual([])
  // 503 alone, or an answer that came: nothing is answered as a fault of ours
  expect([...statuses.keys()].filter(status => status !== 201 && status !== 503)).toEqual([])
  expect(awayMs).toBeLessThan(60_000)
  // the lock of the leading process is taken again
  const ready = async () => {
    const { status } = await fetch(`${plane.metricsUrl}/readyz`)
    return status === 200 ? true : undefined
  }
  await eventually(ready)
}, 180_000)

test('after a standby took over that lacks seconds people stay signed in; one that lacks minutes counts as a backup', async () => {
  const primary = await OwnPostgres.open(join(folder, 'third'), {
    ...{ wal_level: 'replica', max_wal_senders: '8', wal_keep_size: '256MB' },
  })
  const standbys = await Promise.all(
    ['fourth', 'fifth'].map(name => primary.copy(join(folder, name), { words: ['-R'] })),
  )
  const results = await openMarks('lost_tail')
  const later = await openMarks('lost_minutes')
  const pools = new Map<OwnPostgres, pg.Pool>()
  const poolOf = (server: OwnPostgres) => {
    const known = pools.get(server)
    if (known) return known
    const pool = new pg.Pool({ connectionString: server.stores.platformUrl, max: 2 })
    pool.on('error', () => {})
    pools.set(server, pool)
    return pool
  }
  onTestFinished(async () => {
    for (const pool of pools.values()) await pool.end()
    for (const standby of standbys) await standby.stop()
  })
  const sessions = async (server: OwnPostgres) =>
    (await poolOf(server).query(`select name from tokens where kind = 'ss' order by name`)).rows.map(({ name }) => name)
  const signIn = async (server: OwnPostgres, name: string) => {
    const slug = `lost-tail-${name}`
    const tenantId = await createTenant(poolOf(server), { name: 'Team', slug, plan: 'pro' })
    const userId = randomUUID()
    await poolOf(server).query(`insert into users (id, name, email) values ($1, $2, $3)`, [
      ...[userId, name, `${name}@people.test`],
    ])
    const asked = { kind: 'ss', tenantId, userId, name, scopes: [], expiresAt: null } as const
    await createToken(poolOf(server), { ...asked, scopes: [] })
  }
  const hasAll = async (server: OwnPostgres) => {
    const [first] = await asOwner<{ lsn: string }>(primary.stores.ownerUrl, 'select pg_current_wal_lsn()::text as lsn')
    const behind = `select pg_last_wal_replay_lsn() >= '${first?.lsn}' as has`
    await eventually(async () => {
      const [row] = await asOwner<{ has: boolean }>(server.stores.ownerUrl, behind)
      return row?.has || undefined
    })
  }
  const cutOff = (server: OwnPostgres) =>
    asOwner(server.stores.ownerUrl, `alter system set primary_conninfo = ''`, 'select pg_reload_conf()')
  const promote = (server: OwnPostgres) => asOwner(server.stores.ownerUrl, 'select pg_promote()')
  for (const standby of standbys) await standby.start()
  const [next, last] = standbys as [OwnPostgres, OwnPostgres]

  await signIn(primary, 'ada')
  expect(await noticeSetback(poolOf(primary), results)).toBeNull()
  await hasAll(next)
  await cutOff(next)
  await signIn(primary, 'bob')
  expect(await noticeSetback(poolOf(primary), results)).toBeNull()

  // the marks that the other standby knows are ten minutes old
  await poolOf(primary).query('delete from restore_marks')
  await poolOf(primary).query(
    `insert into restore_marks (id, made_at) values (gen_random_uuid(), clock_timestamp() - interval '10 minutes')`,
  )
  await hasAll(last)
  await cutOff(last)
  const copied = await primary.copy(join(folder, 'sixth'), {})
  expect(await noticeSetback(poolOf(primary), later)).toBeNull()
  await primary.kill()

  await promote(next)
  expect(await noticeSetback(poolOf(next), results)).toMatchObject({ as: 'failed_over' })
  expect(await sessions(next)).toEqual(['ada'])
  expect(await noticeSetback(poolOf(next), results)).toBeNull()

  await promote(last)
  expect(await noticeSetback(poolOf(last), later)).toEqual({ as: 'restored' })
  expect(await sessions(last)).toEqual([])

  // files of the primary itself: no standby took over
  await copied.start()
  standbys.push(copied)
  expect(await noticeSetback(poolOf(copied), results)).toEqual({ as: 'restored' })
  expect(await sessions(copied)).toEqual([])
}, 180_000)

/** A ClickHouse database for marks. */
async function openMarks(name: string): Promise<ClickHouseClient> {
  const { url } = await store('clickhouse')
  await createDatabase(url, name)
  await migrateClickhouse(at(url, name))
  const clickhouse = openClickhouse(at(url, name))
  onTestFinished(() => clickhouse.close())
  return clickhouse
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = createClient({ url })
  await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${name}` })
  await client.close()
}

/** The same address for the server that leads, as a virtual address or a proxy is. */
class Address {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #target: number

  private constructor(target: number) {
    this.#target = target
    this.#server = createServer(socket => this.#pass(socket))
  }

  static async open(target: number): Promise<Address> {
    const address = new Address(target)
    await new Promise<void>(resolve => address.#server.listen(0, '127.0.0.1', resolve))
    return address
  }

  before(text: string): string {
    const url = new URL(text)
    const own = this.#server.address()
    url.port = String(typeof own === 'object' ? own?.port : '')
    return url.toString()
  }

  moveTo(target: number): void {
    this.#target = target
  }

  #pass(socket: Socket): void {
    const onwards = connect(this.#target, '127.0.0.1')
    for (const [each, other] of [
      [socket, onwards],
      [onwards, socket],
    ] as const) {
      this.#sockets.add(each)
      each.on('error', () => other.destroy())
      each.on('close', () => {
        other.destroy()
        this.#sockets.delete(each)
      })
      each.pipe(other)
    }
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
