import { type Db, queries } from '#control-plane/db/queries.ts'
import type { TeamMoments } from './state.ts'

/** The moments of a tenant that its state follows from; a tenant that is gone counts as in the trash. */
export async function readMoments(db: Db, tenantId: string): Promise<TeamMoments> {
  const row = await queries(db)
    .selectFrom('tenants')
    .where('id', '=', tenantId)
    .select(['deleted_at', 'suspended_at', 'paused_at'])
    .executeTakeFirst()
  return row ?? { deleted_at: true, suspended_at: null, paused_at: null }
}
