import type { PoolClient } from 'pg'

/** Each was begun by somebody who could act for the account before, and would work afterwards. */
const pending = [
  'delete from email_changes where user_id = $1',
  'delete from password_resets where user_id = $1',
  'delete from second_factors where user_id = $1 and confirmed_at is null',
]

/** Ends what was begun for an account and is not finished: call it whenever its credentials change hands. */
export async function endPending(client: PoolClient, userId: string): Promise<void> {
  for (const statement of pending) await client.query(statement, [userId])
}
