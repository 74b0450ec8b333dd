import type { Pool } from 'pg'

export interface ManagedTeamLine {
  id: string
  tenant_id: string
  name: string
  slug: string
  label: string | null
}

/** The teams a reseller's people may enter, by name. */
export async function managedTeamsOf(platform: Pool, resellerId: string): Promise<ManagedTeamLine[]> {
  const { rows } = await platform.query<ManagedTeamLine>(
    `select m.id, m.tenant_id, t.name, t.slug, m.label
     from managed_teams m join tenants t on t.id = m.tenant_id
     where m.reseller_id = $1 and m.deleted_at is null and t.deleted_at is null
     order by t.name, m.id`,
    [resellerId],
  )
  return rows
}
