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
    const { rows } = await client.query(numbered(sql, values.length), values)
    return rows
  }

/** Text, names, comments: a question mark in them stands for itself. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g

/**
 * The statement as the driver takes it. One whose question marks are not as many as its values, an operator `?` among
 * them, is refused.
 */
export function numbered(sql: string, values: number): string {
  let places = 0
  const text = sql.replace(quoted, part => (part === '?' ? `$${++places}` : part))
  if (places !== values)
    throw new Error(`A statement has ${places} question marks for ${values} values: write its operators as functions.`)
  return text
}
