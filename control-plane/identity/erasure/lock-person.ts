import type { PoolClient } from 'pg'
import { type Tie, tiesOf } from '#control-plane/identity/users/ties.ts'

/** A person with all they belong to, held still: until the transaction ends nobody comes, goes or changes roles in these teams. */
export async function lockPerson(client: PoolClient, userId: string): Promise<{ isSuperAdmin: boolean; teams: Tie[] }> {
  const { teams } = await tiesOf(client, userId)
  // in one order, as others who lock several do
  for (const tenantId of teams.map(team => team.tenantId).sort())
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`team_members:${tenantId}`])
  await client.query('select 1 from users where id = $1 for update', [userId])
  return tiesOf(client, userId)
}

/** Whether a team would be without an owner, or without anybody who administers it. */
export const isLastToLead = ({ role, otherOwners, otherAdministrators }: Tie) =>
  (role === 'owner' && otherOwners === 0) || ((role === 'owner' || role === 'admin') && otherAdministrators === 0)
