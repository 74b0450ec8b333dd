import type { EntityManager } from '@mikro-orm/postgresql'

/** Takes a reseller's reference until the transaction ends, and answers which team has it, deleted ones included. */
export async function lockReference(
  em: EntityManager,
  reseller: { id: string },
  externalRef: string | null,
): Promise<{ id: string; isDeleted: boolean } | undefined> {
  if (externalRef === null) return undefined
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 51))', [`${reseller.id} ${externalRef}`])
  const [found] = await em.execute<{ id: string; is_deleted: boolean }[]>(
    'select id, deleted_at is not null as is_deleted from managed_teams where reseller_id = ? and external_ref = ?',
    [reseller.id, externalRef],
  )
  return found && { id: found.id, isDeleted: found.is_deleted }
}
