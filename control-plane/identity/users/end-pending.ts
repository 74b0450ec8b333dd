import { sql } from 'kysely'
import { type Db, rows } from '#control-plane/db/queries.ts'

/** Pending changes that a former holder of the credentials may have begun and could still complete. */
const pending = (userId: string) => [
  sql`delete from email_changes where user_id = ${userId}`,
  sql`delete from password_resets where user_id = ${userId}`,
  sql`delete from login_links where user_id = ${userId}`,
  sql`delete from second_factors where user_id = ${userId} and confirmed_at is null`,
  // the link shown to the inviter; the mailed link stays
  sql`update invitations i set token_hash = null, updated_at = clock_timestamp() where invited_by = ${userId}
   and status = 'pending'
     and exists (select 1 from memberships m where m.user_id = ${userId} and m.tenant_id = i.tenant_id)`,
]

/** Cancels the pending changes of an account: call it whenever its credentials are replaced. */
export async function endPending(db: Db, userId: string): Promise<void> {
  for (const statement of pending(userId)) await rows(db, statement)
}
