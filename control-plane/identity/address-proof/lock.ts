import type { PoolClient } from 'pg'
import { type Db, queries, rows } from '#control-plane/db/queries.ts'

/** Makes transactions that verify the same address run one after the other. */
export const lockAddress = (client: PoolClient, email: string) =>
  rows(client)`select pg_advisory_xact_lock(hashtextextended('address:' || lower(${email}), 0))`

/** An account with an address, proven or not, if there is one. */
export async function accountOf(db: Db, email: string): Promise<string | null> {
  const users = queries(db).selectFrom('users').where('email', '=', email).where('is_service', '=', false)
  return (await users.select('id').limit(1).executeTakeFirst())?.id ?? null
}

/** The account that has proven an address, if there is one. */
export async function verifiedAccountOf(db: Db, email: string): Promise<string | null> {
  const users = queries(db).selectFrom('users').where('email', '=', email).where('email_verified_at', 'is not', null)
  return (await users.select('id').executeTakeFirst())?.id ?? null
}
