import type { EntityManager } from '@mikro-orm/postgresql'
import { advisoryLock, queries } from '#control-plane/db/queries.ts'

/** Locks a reseller's reference until the transaction ends, and returns its team, deleted ones included. */
export async function lockReference(
  em: EntityManager,
  reseller: { id: string },
  externalRef: string | null,
): Promise<{ id: string; isDeleted: boolean } | undefined> {
  if (externalRef === null) return undefined
  await advisoryLock(em, `${reseller.id} ${externalRef}`, 51)
  const teams = queries(em)
    .selectFrom('managed_teams')
    .where('reseller_id', '=', reseller.id)
    .where('external_ref', '=', externalRef)
  const found = await teams.select(['id', 'deleted_at']).executeTakeFirst()
  return found && { id: found.id, isDeleted: found.deleted_at !== null }
}
