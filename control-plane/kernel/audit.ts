import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'

/** Where a request came from, as audit entries keep it. */
export interface Traces {
  ip: string
  requestId: string
}

export interface NewAuditEntry extends Traces {
  tenantId: string
  /** Who acted; null for nobody who is known. */
  userId: string | null
  tokenId?: string | null
  action: string
  entity: { type: string; id: string | null }
  changes?: Record<string, unknown>
}

const insert = `
  insert into audit_entries (id, tenant_id, user_id, token_id, action, entity_type, entity_id, changes, ip, request_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

/** Writes one audit entry in a transaction of the platform's own, where no handler's `audit` is at hand. */
export async function addAudit(db: Pool | PoolClient, entry: NewAuditEntry): Promise<void> {
  const { tenantId, userId, tokenId = null, action, entity, changes, ip, requestId } = entry
  const written = changes === undefined ? null : JSON.stringify(changes)
  await db.query(insert, [randomUUID(), tenantId, userId, tokenId, action, entity.type, entity.id, written, ip || null, requestId])
}
