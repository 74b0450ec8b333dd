import type { z } from 'zod'
import { notFound } from '#control-plane/base/refusal.ts'
import type { Db } from '#control-plane/db/queries.ts'
import { selectTenants, type TenantView } from './view.ts'

/** Any tenant that is not purged, deleted ones included. */
export async function loadTenant(db: Db, id: string): Promise<z.input<typeof TenantView>> {
  const row = await selectTenants(db).where('t.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Tenant')
  return row
}
