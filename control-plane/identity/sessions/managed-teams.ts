import type { Pool, PoolClient } from 'pg'
import { byName } from '#control-plane/db/by-name.ts'
import type { Row } from '#control-plane/db/queries.ts'

export type ManagedTeamLine = Row<'managed_teams', 'id' | 'tenant_id' | 'name' | 'slug' | 'label'>

/** The teams that a reseller's people may enter, sorted by name. */
export async function managedTeamsOf(platform: Pool | PoolClient, resellerId: string): Promise<ManagedTeamLine[]> {
  const { rows } = await platform.query<ManagedTeamLine>({
    name: 'managed-teams-of',
    text:
      'select id, tenant_id, name, slug, label from managed_teams where reseller_id = $1 and ' +
      `deleted_at is null order by ${byName('name')}, id`,
    values: [resellerId],
  })
  return rows
}
