import type { PoolClient } from 'pg'

/** Pending changes that a former holder of the credentials may have begun and could still complete. */
const pending = [
  'delete from email_changes where user_id = $1',
  'delete from password_resets where user_id = $1',
  'delete from login_links where user_id = $1',
  'delete from second_factors where user_id = $1 and confirmed_at is null',
  // the link shown to the inviter; the mailed link stays
  `update invitations i set token_hash = null, updated_at = clock_timestamp() where invited_by = $1
   and status = 'pending'
     and exists (select 1 from memberships m where m.user_id = $1 and m.tenant_id = i.tenant_id)`,
]

/** Cancels the pending changes of an account: call it whenever its credentials are replaced. */
export async function endPending(client: PoolClient, userId: string): Promise<void> {
  for (const statement of pending) await client.query(statement, [userId])
}
