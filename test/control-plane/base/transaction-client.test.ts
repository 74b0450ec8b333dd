import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TransactionClient } from '#control-plane/base/transaction-client.ts'
import { app, given } from '#test/support/app.ts'

const owner = new pg.Pool({ connectionString: app.stores.ownerUrl, max: 1 })
const pool = new pg.Pool({ connectionString: app.stores.appUrl, max: 1, Client: TransactionClient })
let client: pg.PoolClient

beforeAll(async () => {
  client = await pool.connect()
})
afterAll(async () => {
  client.release()
  await Promise.all([pool.end(), owner.end()])
})

const isOpen = async () => (await client.query('select now() <> statement_timestamp() as open')).rows[0].open
const setting = async () =>
  (await client.query(`select current_setting('app.tenant_id', true) as id`)).rows[0].id || null
const pid = async () => (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
const stateOf = async (backend: number) =>
  (await owner.query('select state, query from pg_stat_activity where pid = $1', [backend])).rows[0]

describe('a transaction', () => {
  test('begins with its first statement, together with its session variables', async () => {
    const backend = await pid()
    await client.query('begin')
    await client.query(`select set_config('app.tenant_id', 'one', true)`)
    expect((await stateOf(backend)).state).toBe('idle')
    expect(await setting()).toBe('one')
    expect(await stateOf(backend)).toMatchObject({ state: 'idle in transaction' })
    expect(await isOpen()).toBe(true)
    await client.query('commit')
    expect(await isOpen()).toBe(false)
    expect(await setting()).toBe(null)
  })

  test('begins before a statement with values, too', async () => {
    await client.query('begin')
    expect((await client.query(`select set_config('app.tenant_id', $1, true)`, ['two'])).rowCount).toBe(1)
    expect(await setting()).toBe('two')
    await client.query('rollback')
    expect(await setting()).toBe(null)
  })

  test.each(['commit', 'rollback'])('without a statement is never sent: %s', async end => {
    const backend = await pid()
    await client.query('begin')
    await client.query(end)
    expect((await stateOf(backend)).query).toContain('pg_backend_pid')
    expect(await isOpen()).toBe(false)
  })

  test('is rolled back when its first statement fails, and the next one works', async () => {
    await client.query('begin')
    await expect(client.query('select no_such_column')).rejects.toMatchObject({ code: '42703' })
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' })
    await client.query('rollback')
    await client.query('begin')
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.query('commit')
  })

  test('reports why it could not begin, whatever its first statement', async () => {
    await client.query('begin')
    await client.query(`select set_config('no such name', '1', true)`)
    await expect(client.query('select 1')).rejects.toThrow(/no such name/)
    await client.query('rollback')
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('answers simultaneous statements in order, and none after a failed one', async () => {
    await client.query('begin')
    await client.query(`select set_config('app.tenant_id', 'four', true)`)
    const asked = [
      client.query('select $1::int as n', [1]),
      client.query('select 2 as n, pg_sleep(0.05)'),
      client.query('select 1 / $1::int', [0]),
      client.query({ name: 'three', text: 'select 3 as n' }),
    ]
    const settled = await Promise.allSettled(asked)
    expect(settled.map(one => (one.status === 'fulfilled' ? one.value.rows[0].n : one.reason.code))).toEqual([
      1,
      2,
      '22012',
      '25P02',
    ])
    await client.query('rollback')
    expect((await client.query({ name: 'three', text: 'select 3 as n' })).rows).toEqual([{ n: 3 }])
  })
})

describe('a read-only transaction', () => {
  test('can change nothing', async () => {
    const { tenantId } = await given.tenant()
    for (const end of ['commit', 'rollback']) {
      await client.query('start transaction read only')
      await client.query(`select set_config('app.tenant_id', '${tenantId}', true)`)
      expect((await client.query('select id from monitors')).rows).toEqual([])
      await expect(client.query('delete from monitors')).rejects.toMatchObject({ code: '25006' })
      await client.query(end)
    }
  })

  test('ends before the next statement, although no caller waits for its end', async () => {
    for (const end of ['commit', 'rollback']) {
      await client.query('start transaction read only')
      await client.query(`select set_config('app.tenant_id', 'three', true)`)
      const ended = client.query(end)
      expect(await setting()).toBe(null)
      await ended
      await client.query('begin')
      await client.query('create temporary table written (id int) on commit drop')
      await client.query(end)
    }
  })

  test('whose connection dies is reported by the next statement', async () => {
    const own = new pg.Pool({ connectionString: app.stores.appUrl, max: 1, Client: TransactionClient })
    own.on('error', () => undefined)
    const lost = await own.connect()
    await lost.query('start transaction read only')
    const [backend] = (await lost.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
    await owner.query('select pg_terminate_backend($1)', [backend?.pid])
    await lost.query('commit')
    await expect(lost.query('select 1')).rejects.toThrow()
    lost.release(true)
    expect((await own.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await own.end()
  })
})
