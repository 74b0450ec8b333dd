import type { PoolClient } from 'pg'
import { advisoryLock, rows } from '#control-plane/db/queries.ts'
import { type Tie, tiesOf } from '#control-plane/identity/users/ties.ts'

/** Locks a person and the members and roles of all their teams until the transaction ends. */
export async function lockPerson(client: PoolClient, userId: string): Promise<{ isSuperAdmin: boolean; teams: Tie[] }> {
  const { teams } = await tiesOf(client, userId)
  // in the same order as every transaction that locks several teams
  for (const tenantId of teams.map(team => team.tenantId).sort()) await advisoryLock(client, `team_members:${tenantId}`)
  await rows(client)`select 1 from users where id = ${userId} for update`
  return tiesOf(client, userId)
}

/** Whether the team would be left without an owner or without an administrator. */
export const isLastToLead = ({ role, otherOwners, otherAdministrators }: Tie) =>
  (role === 'owner' && otherOwners === 0) || ((role === 'owner' || role === 'admin') && otherAdministrators === 0)
