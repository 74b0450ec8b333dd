import type { Pool, PoolClient } from 'pg'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { mustUseProvider } from '#control-plane/identity/sso/enforce.ts'

/**
 * Refuses to open a session in a team by a password where the team has another way in for the person. Call it only
 * after a right password, so that it does not reveal who has an account.
 */
export async function refusePasswordLogin(db: Pool | PoolClient, tenantId: string, userId: string): Promise<void> {
  if ((await isHidden(db, tenantId)) || (await mustUseProvider(db, tenantId, userId)))
    throw invalid(
      { email: ['This team is not entered with a password: use its own sign-in.'] },
      'password_login_hidden',
    )
}

/** Whether the reseller of a team lets people in by its links alone. */
async function isHidden(db: Pool | PoolClient, tenantId: string): Promise<boolean> {
  const settings = queries(db).selectFrom('partner_sso').where('tenant_id', '=', tenantId)
  return (await settings.select('hide_password_login').executeTakeFirst())?.hide_password_login ?? false
}
