import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { AuditEntity } from '#control-plane/base/audit-entities.ts'

export interface AuditEntry {
  /** The tenant whose audit trail gets the entry. */
  tenantId: string
  action: string
  type: AuditEntity
  id: string | null
  changes?: Record<string, unknown>
}

/** The origin of a request, as audit entries keep it. */
export interface Traces {
  ip: string
  requestId: string
}

/** The user and request behind an entry; both are missing where a command acted. */
export interface AuditActor {
  userId?: string | null
  tokenId?: string | null
  ip?: string | null
  requestId?: string
}

/** Writes audit entries in a transaction of the platform: for several tenants, or without a request. */
export async function addAudit(
  db: Pool | PoolClient,
  entries: readonly AuditEntry[],
  actor: AuditActor = {},
): Promise<void> {
  const rows = entries.map(({ tenantId, action, type, id, changes }) => ({
    id: randomUUID(),
    tenant_id: tenantId,
    action,
    entity_type: type,
    entity_id: id,
    changes: changes ?? null,
  }))
  // the commit locks trails in this order: one order for all transactions prevents deadlocks
  rows.sort((a, b) => (a.tenant_id < b.tenant_id ? -1 : a.tenant_id > b.tenant_id ? 1 : 0))
  await db.query(
    `insert into audit_entries (id, tenant_id, user_id, token_id, action, entity_type, entity_id, changes, ip, request_id, created_at)
     select r.id, r.tenant_id, $2, $3, r.action, r.entity_type, r.entity_id, r.changes, $4, $5, clock_timestamp()
     from jsonb_to_recordset($1::jsonb) as r(id uuid, tenant_id uuid, action text, entity_type text, entity_id uuid, changes jsonb)`,
    [JSON.stringify(rows), actor.userId ?? null, actor.tokenId || null, actor.ip || null, actor.requestId ?? null],
  )
}
