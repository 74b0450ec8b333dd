import type { AuthMethod, Caller } from '#control-plane/base/caller.ts'
import { mintSecret, tailOf } from '#control-plane/base/token-secret.ts'
import type { Config } from '#control-plane/config.ts'
import { type Db, type Row, rows } from '#control-plane/db/queries.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'

/**
 * Gives the session of a browser another secret, whose cookie it returns: the former one is refused from now on. Null
 * for other tokens, which stay as they are, and for a session that has ended meanwhile. Its person has just proved to
 * be present: `reauthenticated_at` is now, and `method`, where given, is from now on what proved the person.
 */
export async function markFresh(
  db: Db,
  config: Config,
  { tokenId, isByCookie }: Pick<Caller, 'tokenId' | 'isByCookie'>,
  method: AuthMethod | null = null,
): Promise<string | null> {
  if (!isByCookie) return null
  const { plain, hash } = mintSecret('ss')
  const [row] = await rows(db)<Row<'tokens', 'dies_at'>>`
    update tokens set hash = ${hash}, tail = ${tailOf(plain)}, reauthenticated_at = clock_timestamp(), updated_at =
     clock_timestamp(), auth_method = coalesce(${method}, auth_method)
    where id = ${tokenId} and kind = 'ss' and is_browser returning dies_at`
  return row ? sessionCookie(config, plain, new Date(row.dies_at!)) : null
}
