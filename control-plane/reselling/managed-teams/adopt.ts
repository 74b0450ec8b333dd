import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'

/** Puts a tenant under a reseller's care and answers the id of the managed team. */
export async function adoptTenant(
  db: Pool | PoolClient,
  resellerId: string,
  tenantId: string,
  label: string | null,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into managed_teams (id, reseller_id, tenant_id, label) values ($1, $2, $3, $4)
     on conflict (tenant_id) do update set label = excluded.label returning id`,
    [randomUUID(), resellerId, tenantId, label],
  )
  return rows[0]!.id
}
