import { sql } from 'kysely'
import { type Db, queries } from '#control-plane/db/queries.ts'

export const memberStatuses = ['active', 'disabled'] as const
export type MemberStatus = (typeof memberStatuses)[number]

/**
 * Enables or disables a person in one team. Disabling ends the person's sessions there at once; personal keys, and keys
 * of the team that the person created, are refused until the person is enabled again. Call it under `lockMembers`.
 */
export async function setMemberStatus(
  db: Db,
  { tenantId, userId, status }: { tenantId: string; userId: string; status: MemberStatus },
): Promise<void> {
  const now = sql<string>`clock_timestamp()`
  await queries(db)
    .updateTable('memberships')
    .set({ disabled_at: status === 'disabled' ? now : null, updated_at: now })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
  if (status !== 'disabled') return
  const tokens = queries(db).deleteFrom('tokens').where('tenant_id', '=', tenantId).where('user_id', '=', userId)
  await tokens.where('kind', '=', 'ss').execute()
}
