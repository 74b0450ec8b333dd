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
  test('begins with the first thing that is asked, as what sets its variables does, whose answer nobody reads', async () => {
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

  test('begins before a question with values, too', async () => {
    await client.query('begin')
    expect((await client.query(`select set_config('app.tenant_id', $1, true)`, ['two'])).rowCount).toBe(1)
    expect(await setting()).toBe('two')
    await client.query('rollback')
    expect(await setting()).toBe(null)
  })

  test.each(['commit', 'rollback'])('in which nothing was asked never was: %s', async end => {
    const backend = await pid()
    await client.query('begin')
    await client.query(end)
    expect((await stateOf(backend)).query).toContain('pg_backend_pid')
    expect(await isOpen()).toBe(false)
  })

  test('that fails with its first question is rolled back, and the next one works', async () => {
    await client.query('begin')
    await expect(client.query('select no_such_column')).rejects.toMatchObject({ code: '42703' })
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' })
    await client.query('rollback')
    await client.query('begin')
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.query('commit')
  })

  test('that could not begin says why, whatever was asked first', async () => {
    await client.query('begin')
    await client.query(`select set_config('no such name', '1', true)`)
    await expect(client.query('select 1')).rejects.toThrow(/no such name/)
    await client.query('rollback')
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('answers what is asked at once in the order asked, each with its own, and none after one that failed', async () => {
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

describe('a transaction that reads only', () => {
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

  test('is over before whoever comes next is heard, though nobody waits for its end', async () => {
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

  test('whose connection dies with it leaves it to whoever comes next to say so', async () => {
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
