import type { EntityManager } from '@mikro-orm/postgresql'
import { invalid } from '#control-plane/base/refusal.ts'
import { among, queries } from '#control-plane/db/queries.ts'

/**
 * Refuses people who are no members of the team, by the fields that name them. Their memberships are locked, so that
 * none of them ends before this transaction has.
 */
export async function validateMembers(
  em: EntityManager,
  tenant: { id: string },
  named: readonly { field: string; id: string }[],
): Promise<void> {
  if (named.length === 0) return
  const rows = await queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenant.id)
    .where('m.user_id', '=', among(named.map(({ id }) => id)))
    .where('u.is_service', '=', false)
    .select('m.user_id')
    .orderBy('m.user_id')
    .forKeyShare('m')
    .execute()
  const known = new Set(rows.map(row => row.user_id))
  const unknown = named.filter(({ id }) => !known.has(id.toLowerCase()))
  if (unknown.length > 0)
    throw invalid(Object.fromEntries(unknown.map(({ field }) => [field, ['There is no such member of the team.']])))
}
