import type { Pool, PoolClient } from 'pg'
import { notFound } from '#control-plane/base/refusal.ts'
import { fromTenants, type TenantRow, tenantViewColumns } from './view.ts'

/** Any tenant that is not purged, deleted ones included. */
export async function loadTenant(db: Pool | PoolClient, id: string): Promise<TenantRow> {
  const { rows } = await db.query<TenantRow>(`select ${tenantViewColumns} from ${fromTenants} where t.id = $1`, [id])
  if (!rows[0]) throw notFound('Tenant')
  return rows[0]
}
