import { sql } from 'kysely'
import { namesOf } from '#control-plane/db/by-name.ts'
import { type Db, prepared, type Row, rows } from '#control-plane/db/queries.ts'

export type ManagedTeamLine = Row<'managed_teams', 'id' | 'tenant_id' | 'name' | 'slug' | 'label'>

const ofReseller = prepared(
  'managed-teams-of',
  (resellerId: string) => sql<ManagedTeamLine>`
    select id, tenant_id, name, slug, label from managed_teams
    where reseller_id = ${resellerId} and deleted_at is null order by ${namesOf('name')}, id`,
)

/** The teams that a reseller's people may enter, sorted by name. */
export const managedTeamsOf = (db: Db, resellerId: string): Promise<ManagedTeamLine[]> =>
  rows(db, ofReseller(resellerId))
