import type { Pool, PoolClient } from 'pg'
import { traced } from './tracing.ts'

/**
 * Runs work on one connection of the pool, in a transaction that commits as a whole or not at all. A connection that
 * cannot roll back is not given back to the pool. Requests have `unitOfWork` instead, which also sets what row security
 * reads.
 */
export const inTransaction = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  traced('transaction', { 'db.system.name': 'postgresql' }, () => transact(pool, work))

async function transact<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => {
      broken = lost
    })
    throw error
  } finally {
    client.release(broken)
  }
}
