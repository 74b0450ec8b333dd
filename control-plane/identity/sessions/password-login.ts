import type { Pool, PoolClient } from 'pg'
import { invalid } from '#control-plane/base/refusal.ts'

/** SQL conditions on a team `$1` and a person `$2`: where one is true, the person enters the team without a password. */
const hiding: readonly string[] = []

/**
 * Refuses to open a session in a team by a password where the team has another way in for the person. Call it only
 * after a right password, so that it does not reveal who has an account.
 */
export async function refusePasswordLogin(db: Pool | PoolClient, tenantId: string, userId: string): Promise<void> {
  if (hiding.length === 0) return
  const { rows } = await db.query<{ is_hidden: boolean }>(`select ${hiding.join(' or ')} as is_hidden`, [
    tenantId,
    userId,
  ])
  if (rows[0]?.is_hidden)
    throw invalid(
      { email: ['This team is not entered with a password: use its own sign-in.'] },
      'password_login_hidden',
    )
}
