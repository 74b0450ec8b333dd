import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { forbidden, suspended } from '#control-plane/base/refusal.ts'
import { hashSecret, kindOfSecret } from '#control-plane/base/token-secret.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
import { mayStillProvisionSql } from '#control-plane/identity/users/maker-role.ts'
import { type TenantRow, tenantColumns, tenantContext } from '#control-plane/tenancy/tenants/context.ts'

type DirectoryRow = TenantRow & { token_id: string; is_suspended: boolean; is_refused: boolean }

/** Use is stored at most once a minute. */
const statement = prepared(
  'recognise-directory',
  (bearerHash: Buffer) => sql<DirectoryRow>`
    with found as (
      select k.id as token_id, t.suspended_at is not null as is_suspended, ${tenantColumns('t')},
        not ${mayStillProvisionSql('k')} as is_refused
      from scim_tokens k join tenants t on t.id = k.tenant_id and t.deleted_at is null
      where k.hash = ${bearerHash}
    ), used as (
      update scim_tokens k set last_used_at = clock_timestamp() from found
      where k.id = found.token_id and (k.last_used_at is null
      or k.last_used_at < clock_timestamp() - interval '1 minute')
    )
    select * from found`,
)

/**
 * The team whose directory has a token. It is read from the database each time, so a deleted token ends at once. A
 * suspended team is a 403, and so is a token whose maker could not make it any more: what it adds and changes counts as
 * the maker's.
 */
export async function recogniseDirectory(
  platform: Pool,
  bearer: string,
): Promise<{ tokenId: string; tenant: TenantContext } | null> {
  if (kindOfSecret(bearer) !== 'sc') return null
  const [row] = await rows(platform, statement(hashSecret(bearer)))
  if (row?.is_suspended) throw suspended()
  if (row?.is_refused)
    throw forbidden(
      'The person who created this token does not administer the team any more: an administrator must create another.',
      'role_too_high',
    )
  return row ? { tokenId: row.token_id, tenant: tenantContext(row) } : null
}
