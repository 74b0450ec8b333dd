import type { PoolClient } from 'pg'

/** Whoever makes an address the proven one of an account does so one after the other. */
export const lockAddress = (client: PoolClient, email: string) =>
  client.query(`select pg_advisory_xact_lock(hashtextextended('address:' || lower($1), 0))`, [email])

/** The account that has proven an address, if there is one. */
export async function verifiedAccountOf(client: Pick<PoolClient, 'query'>, email: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    'select id from users where email = $1 and email_verified_at is not null',
    [email],
  )
  return rows[0]?.id ?? null
}
