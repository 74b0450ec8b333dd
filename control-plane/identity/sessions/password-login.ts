import type { Pool, PoolClient } from 'pg'
import { invalid } from '#control-plane/base/refusal.ts'
import { mustUseProvider } from '#control-plane/identity/sso/enforce.ts'

/** Whether a team has another way in for the person, in place of the password. */
export const isPasswordHidden = (db: Pool | PoolClient, tenantId: string, userId: string): Promise<boolean> =>
  mustUseProvider(db, tenantId, userId)

/**
 * Refuses to open a session in a team by a password where the team has another way in for the person. Call it only
 * after a right password, so that it does not reveal who has an account.
 */
export async function refusePasswordLogin(db: Pool | PoolClient, tenantId: string, userId: string): Promise<void> {
  if (await isPasswordHidden(db, tenantId, userId))
    throw invalid(
      { email: ['This team is not entered with a password: use its own sign-in.'] },
      'password_login_hidden',
    )
}
