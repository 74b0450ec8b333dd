import type { PoolClient } from 'pg'

/** Each was begun by somebody who could act for the account before, and would work afterwards. */
const pending = [
  'delete from email_changes where user_id = $1',
  'delete from password_resets where user_id = $1',
  'delete from second_factors where user_id = $1 and confirmed_at is null',
  // the link that the inviter was shown; the one in the mail stays
  `update invitations i set token_hash = null, updated_at = clock_timestamp() where invited_by = $1 and status = 'pending'
     and exists (select 1 from memberships m where m.user_id = $1 and m.tenant_id = i.tenant_id)`,
]

/** Ends what was begun for an account and is not finished: call it whenever its credentials change hands. */
export async function endPending(client: PoolClient, userId: string): Promise<void> {
  for (const statement of pending) await client.query(statement, [userId])
}
