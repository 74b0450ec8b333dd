import pg from 'pg'
import { expect, test } from 'vitest'
import { TimeoutClient } from '#control-plane/base/db-timeouts.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { app } from '#test/support/app.ts'

test('a connection that dies in a transaction is replaced in the pool', async () => {
  const poolSize = 2
  const orm = await openOrm({ databaseUrl: app.stores.appUrl, poolSize })
  const owner = new pg.Client({ connectionString: app.stores.ownerUrl })
  await owner.connect()
  try {
    for (let death = 0; death < poolSize * 2; death++) {
      const work = orm.em.fork().transactional(async em => {
        const [{ pid }] = await em.execute<[{ pid: number }]>('select pg_backend_pid() as pid')
        await owner.query('select pg_terminate_backend($1)', [pid])
        await em.execute('select pg_sleep(1)')
      })
      await expect(work).rejects.toThrow()
    }
    await expect(orm.em.fork().execute('select 1 as one')).resolves.toEqual([{ one: 1 }])
  } finally {
    await owner.end()
    await orm.close()
  }
}, 60_000)

test('a query beyond its timeout fails, however it was sent, and its connection closes', async () => {
  const slow = { text: 'select pg_sleep(30), $1::int as one', values: [1] }
  const ways: ((pool: pg.Pool) => Promise<unknown>)[] = [
    pool => pool.query(slow),
    pool => pool.query(Object.assign({}, slow, { query_timeout: 100 })),
    async pool => {
      const client = await pool.connect()
      return client.query(slow.text, slow.values).finally(() => client.release(true))
    },
    pool =>
      new Promise((settle, fail) =>
        pool.query(slow.text, slow.values, (error, result) => (error ? fail(error) : settle(result))),
      ),
  ]
  for (const [index, ask] of ways.entries()) {
    const pool = new pg.Pool({
      connectionString: app.stores.platformUrl,
      max: 1,
      Client: TimeoutClient,
      query_timeout: index === 1 ? 20_000 : 200,
    })
    pool.on('error', () => undefined)
    const quick = { text: 'select $1::int as one', values: [1] }
    await expect(pool.query(quick)).resolves.toMatchObject({ rows: [{ one: 1 }] })
    await expect(ask(pool)).rejects.toThrow('Query read timeout')
    await expect(pool.query(quick)).resolves.toMatchObject({ rows: [{ one: 1 }] })
    await pool.end()
  }
}, 30_000)
