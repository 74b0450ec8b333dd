import pg from 'pg'
import { expect, test } from 'vitest'
import { openOrm } from '#control-plane/orm.ts'
import { app } from '#test/support/app.ts'

test('a connection that dies in the middle of a transaction is no connection less for the next', async () => {
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
