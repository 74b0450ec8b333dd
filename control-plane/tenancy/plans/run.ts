import type { EntityManager } from '@mikro-orm/postgresql'
import type { Pool, PoolClient } from 'pg'

/** Runs one statement in a transaction that is open, with `?` for each value in turn, and answers its rows. */
export type Run = <Row>(sql: string, values: unknown[]) => Promise<Row[]>

/** In the transaction of a request. */
export const runIn =
  (em: EntityManager): Run =>
  <Row>(sql: string, values: unknown[]) =>
    em.execute<Row[]>(sql, values)

/** In a transaction that a durable process or a program opened on its own connection. */
export const runOn =
  (client: PoolClient | Pool): Run =>
  async (sql, values) => {
    let nth = 0
    const { rows } = await client.query(
      sql.replace(/\?/g, () => `$${++nth}`),
      values,
    )
    return rows
  }
