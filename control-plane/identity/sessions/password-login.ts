import { invalid } from '#control-plane/base/refusal.ts'
import { affected, type Db } from '#control-plane/db/queries.ts'
import { mustUseProvider } from '#control-plane/identity/sso/enforce.ts'

/** Whether a team has another way in for the person, in place of the password. */
export const isPasswordHidden = async (db: Db, tenantId: string, userId: string): Promise<boolean> =>
  (await hidesPassword(db, tenantId)) || (await mustUseProvider(db, tenantId, userId))

/**
 * Refuses to open a session by a password in a team that is entered by its reseller's links. Call it only after a right
 * password, so that it does not reveal who has an account. What an own provider demands is checked for every session.
 */
export async function refusePasswordLogin(db: Db, tenantId: string): Promise<void> {
  if (await hidesPassword(db, tenantId))
    throw invalid(
      { email: ['This team is not entered with a password: use its own sign-in.'] },
      'password_login_hidden',
    )
}

async function hidesPassword(db: Db, tenantId: string): Promise<boolean> {
  const rowCount = await affected(db)`
    select 1 from partner_sso where tenant_id = ${tenantId} and hide_password_login`
  return rowCount === 1
}
