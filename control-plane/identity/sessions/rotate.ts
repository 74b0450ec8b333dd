import type { Pool, PoolClient } from 'pg'
import type { Caller } from '#control-plane/base/caller.ts'
import { mintSecret, tailOf } from '#control-plane/base/token-secret.ts'
import type { Config } from '#control-plane/config.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'

/**
 * Gives the session of a browser another secret, whose cookie it returns: the former one is refused from now on. Null
 * for other tokens, which stay as they are, and for a session that has ended meanwhile. Its person has just proved to be
 * present: `reauthenticated_at` is now.
 */
export async function markFresh(
  db: Pool | PoolClient,
  config: Config,
  { tokenId, isByCookie }: Pick<Caller, 'tokenId' | 'isByCookie'>,
): Promise<string | null> {
  if (!isByCookie) return null
  const { plain, hash } = mintSecret('ss')
  const { rows } = await db.query<{ dies_at: Date }>(
    `update tokens set hash = $2, tail = $3, reauthenticated_at = clock_timestamp(), updated_at = clock_timestamp()
     where id = $1 and kind = 'ss' and is_browser returning dies_at`,
    [tokenId, hash, tailOf(plain)],
  )
  return rows[0] ? sessionCookie(config, plain, rows[0].dies_at) : null
}
