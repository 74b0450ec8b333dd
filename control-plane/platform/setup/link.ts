import { sql } from 'kysely'
import { hashSecret, mintLinkToken } from '#control-plane/base/token-secret.ts'
import { affected, type Db, rows } from '#control-plane/db/queries.ts'

/** The operator that a start on one machine makes for programs; it is no person. */
export const localOperator = 'operator@vedette.local'

export const setupLinkMinutes = 30

/** Whether this installation has no operator yet. Accounts of programs do not count. */
const isOpen = sql<boolean>`not exists (
  select from users where is_super_admin and not is_service and email <> ${sql.lit(localOperator)})`

export async function isSetupOpen(db: Db): Promise<boolean> {
  const [row] = await rows(db)<{ is_open: boolean }>`select ${isOpen} as is_open`
  return row?.is_open === true
}

/**
 * A link that makes the operator and the first team, once; an earlier one ends. The token is behind the `#`, so that it
 * is in no log of a server. Null where there is an operator.
 */
export async function makeSetupLink(db: Db, baseUrl: string): Promise<string | null> {
  const { plain, hash } = mintLinkToken()
  const rowCount = await affected(db)`
    insert into setup_links (token_hash, expires_at)
    select ${hash}, clock_timestamp() + interval '${sql.lit(setupLinkMinutes)} minutes' where ${isOpen}
    on conflict (is_only) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`
  return rowCount === 1 ? `${baseUrl}/setup#t=${plain}` : null
}

/** Why a set-up with this token is refused, or null. One statement: beside another that succeeds it gives one reason. */
export async function whyRefused(db: Db, token: string): Promise<'already_set_up' | 'link_not_open' | null> {
  const [row] = await rows(db)<{ is_open: boolean; is_valid: boolean }>`
    select ${isOpen} as is_open,
     exists (select from setup_links where token_hash = ${hashSecret(token)}
      and expires_at > clock_timestamp()) as is_valid`
  if (!row?.is_open) return 'already_set_up'
  return row.is_valid ? null : 'link_not_open'
}
