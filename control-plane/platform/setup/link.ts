import type { ClientBase, Pool } from 'pg'
import { hashSecret, mintLinkToken } from '#control-plane/base/token-secret.ts'

/** The operator that a start on one machine makes for programs; it is no person. */
export const localOperator = 'operator@vedette.local'

export const setupLinkMinutes = 30

/** SQL: whether this installation has no operator yet. Accounts of programs do not count. */
const isOpenSql = `not exists (
  select from users where is_super_admin and not is_service and email <> '${localOperator}')`

export async function isSetupOpen(db: Pool | ClientBase): Promise<boolean> {
  const { rows } = await db.query<{ is_open: boolean }>(`select ${isOpenSql} as is_open`)
  return rows[0]?.is_open === true
}

const insert = `
  insert into setup_links (token_hash, expires_at)
  select $1, clock_timestamp() + interval '${setupLinkMinutes} minutes' where ${isOpenSql}
  on conflict (is_only) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`

/**
 * A link that makes the operator and the first team, once; an earlier one ends. The token is behind the `#`, so that it
 * is in no log of a server. Null where there is an operator.
 */
export async function makeSetupLink(db: Pool | ClientBase, baseUrl: string): Promise<string | null> {
  const { plain, hash } = mintLinkToken()
  const { rowCount } = await db.query(insert, [hash])
  return rowCount === 1 ? `${baseUrl}/setup#t=${plain}` : null
}

/** Why a set-up with this token is refused, or null. One statement: beside another that succeeds it gives one reason. */
export async function whyRefused(
  db: Pool | ClientBase,
  token: string,
): Promise<'already_set_up' | 'link_not_open' | null> {
  const { rows } = await db.query<{ is_open: boolean; is_valid: boolean }>(
    `select ${isOpenSql} as is_open,
       exists (select from setup_links where token_hash = $1 and expires_at > clock_timestamp()) as is_valid`,
    [hashSecret(token)],
  )
  if (!rows[0]?.is_open) return 'already_set_up'
  return rows[0].is_valid ? null : 'link_not_open'
}
