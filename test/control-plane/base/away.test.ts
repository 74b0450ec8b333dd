import { createServer } from 'node:net'
import { DriverException } from '@mikro-orm/core'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { markAway } from '#analytics/away.ts'
import { openClickhouse } from '#analytics/client.ts'
import { isStoreBusy, isStoreUnavailable, isTransient } from '#control-plane/base/away.ts'
import { requestTimeouts, TimeoutClient } from '#control-plane/base/db-timeouts.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { refusalOf } from '#control-plane/http/refuse.ts'
import { app } from '#test/support/app.ts'
import { configOn } from '#test/support/config.ts'

const nowhere = 'postgres://stranger:nothing@127.0.0.1:1/none'
const thrown = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}
const coded = (code: string) => Object.assign(new Error('of PostgreSQL'), { code })

describe('an unavailable store', () => {
  test('a PostgreSQL that refuses the connection is unavailable by a pool, a client and the ORM', async () => {
    const pool = new pg.Pool({ connectionString: nowhere, Client: TimeoutClient, ...requestTimeouts })
    expect(isStoreUnavailable(await thrown(() => pool.query('select 1')))).toBe(true)
    expect(isStoreUnavailable(await thrown(() => new TimeoutClient({ connectionString: nowhere }).connect()))).toBe(
      true,
    )
    const orm = await openOrm(configOn({ appUrl: nowhere, platformUrl: nowhere, clickhouseUrl: '' }))
    expect(isStoreUnavailable(await thrown(() => orm.em.fork().execute('select 1')))).toBe(true)
    await orm.close()
    await pool.end()
  })

  test('a PostgreSQL whose socket breaks during a statement is unavailable by the ORM', () => {
    for (const code of ['EPIPE', 'ECONNRESET', 'ETIMEDOUT']) {
      const broken = markAway(Object.assign(new Error(`write ${code}`), { code }))
      for (const error of [broken, new DriverException(broken)])
        expect([isStoreUnavailable(error), refusalOf(error).status], code).toEqual([true, 503])
    }
    expect(isStoreUnavailable(new DriverException(coded('42703')))).toBe(false)
  })

  test('a ClickHouse that refuses the connection is unavailable', async () => {
    const clickhouse = openClickhouse('http://default:@127.0.0.1:1/none')
    const error = await thrown(() => clickhouse.query({ query: 'select 1' }))
    expect(isStoreUnavailable(error)).toBe(true)
    expect(refusalOf(error)).toMatchObject({ status: 503, code: 'unavailable' })
    await clickhouse.close()
  })

  test('another host that refuses the connection is no unavailable store', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    await new Promise(resolve => server.close(resolve))
    const error = await thrown(() => fetch(`http://127.0.0.1:${port}/`))
    expect((error as { cause: { code: string } }).cause.code).toBe('ECONNREFUSED')
    expect([isStoreUnavailable(error), isTransient(error)]).toEqual([false, false])
    expect(refusalOf(error).status).toBe(500)
  })

  test('a statement that takes too long and a deadlock are not reported as an unreachable store', async () => {
    const error = await thrown(() => app.services.platform.query(`set statement_timeout = 20; select pg_sleep(1)`))
    expect(isStoreUnavailable(error)).toBe(false)
    expect(refusalOf(error)).toMatchObject({
      status: 503,
      code: 'overloaded',
      message: expect.not.stringContaining('reachable'),
    })
    for (const code of ['40P01', '40001']) {
      expect(refusalOf(coded(code))).toMatchObject({ status: 503, code: 'overloaded' })
      expect([isStoreUnavailable(coded(code)), isStoreBusy(coded(code)), isTransient(coded(code))]).toEqual([
        false,
        true,
        true,
      ])
    }
  })

  test('a refused statement is not transient', () => {
    for (const code of ['22003', '23514', '42703', '54000', 'P0001', '42501', '57014'])
      expect(isTransient(coded(code)), code).toBe(false)
    for (const code of ['08006', '57P01', '53300', '53200', '40P01']) expect(isTransient(coded(code)), code).toBe(true)
  })
})
