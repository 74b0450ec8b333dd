import { randomUUID } from 'node:crypto'
import { type Expression, sql } from 'kysely'
import type { AuditEntity } from '#control-plane/base/audit-entities.ts'
import { columnOf, type Db, type Part, rows } from '#control-plane/db/queries.ts'

/*
 * The only writer of audit entries. Its three forms:
 *
 * - A request: the handler calls `audit` of its `RequestContext`. The unit of work writes the entries with `addAudit`
 *   at the end of the transaction.
 * - A job, a command, or a request in a transaction of the platform: `addAudit(db, entries, actor)`.
 * - A statement whose rows decide what is entered: `insertAuditSql` returns an insert for its `with`.
 */

export interface AuditEntry {
  /** The tenant whose audit trail gets the entry. */
  tenantId: string
  action: string
  type: AuditEntity
  id: string | null
  changes?: Record<string, unknown> | undefined
  /** By default the actor of all entries that are added together. */
  actor?: AuditActor
  /** By default the moment in which it is written. */
  at?: Date
}

/** The origin of a request, as audit entries keep it. */
export interface Traces {
  ip: string
  requestId: string
}

/** The user and request behind an entry; both are missing where a command acted. */
export interface AuditActor {
  userId?: string | null
  impersonatorId?: string | null
  tokenId?: string | null
  ip?: string | null
  requestId?: string | null
}

function rowsOf(entries: readonly AuditEntry[], actorOfAll: AuditActor): string {
  const rows = entries.map(({ tenantId, action, type, id, changes, actor = actorOfAll, at }) => ({
    id: randomUUID(),
    tenant_id: tenantId,
    user_id: actor.userId ?? null,
    impersonator_id: actor.impersonatorId ?? null,
    token_id: actor.tokenId || null,
    action,
    entity_type: type,
    entity_id: id,
    changes: changes ?? null,
    ip: actor.ip || null,
    request_id: actor.requestId ?? null,
    at: at ?? null,
  }))
  // the commit locks trails in this order: one order for all transactions prevents deadlocks
  rows.sort((a, b) => (a.tenant_id < b.tenant_id ? -1 : a.tenant_id > b.tenant_id ? 1 : 0))
  return JSON.stringify(rows)
}

/** Inserts audit entries in the transaction of their cause, for one tenant or several. */
export async function addAudit(db: Db, entries: readonly AuditEntry[], actor: AuditActor = {}): Promise<void> {
  if (entries.length === 0) return
  await rows(db)`
    insert into audit_entries (id, tenant_id, user_id, impersonator_id, token_id, action, entity_type, entity_id,
      changes, ip, request_id, created_at)
    select r.id, r.tenant_id, r.user_id, r.impersonator_id, r.token_id, r.action, r.entity_type, r.entity_id,
      r.changes, r.ip, r.request_id, coalesce(r.at, clock_timestamp())
    from jsonb_to_recordset(${rowsOf(entries, actor)}::jsonb) as r(
      id uuid, tenant_id uuid, user_id uuid, impersonator_id uuid, token_id uuid, action text, entity_type text,
      entity_id uuid, changes jsonb, ip inet, request_id text, at timestamptz)`
}

/** Entries that a statement writes. */
interface EntriesSql {
  tenant: Part
  action: string
  type: AuditEntity
  entity: Part
  changes?: Part
  user?: Part
  token?: Part
  ip?: Part
  request?: Part
  /** By default the moment in which it is written. */
  at?: Part
  /** The rest of the statement: `from`, joins, `where`, `order by`. */
  from: Expression<unknown>
}

/** Inserts one audit entry for each row of `from`. */
export function insertAuditSql({
  action,
  type,
  tenant,
  entity,
  at,
  from,
  changes,
  user,
  token,
  ip,
  request,
}: EntriesSql) {
  const parts: Record<string, Part | undefined> = {
    id: sql`gen_random_uuid()`,
    tenant_id: tenant,
    action: sql.lit(action),
    entity_type: sql.lit(type),
    entity_id: entity,
    created_at: at ?? sql`clock_timestamp()`,
    changes,
    user_id: user,
    token_id: token,
    ip,
    request_id: request,
  }
  const given = Object.entries(parts).flatMap(([column, part]) =>
    part ? [[sql.ref(column), columnOf(part)] as const] : [],
  )
  return sql`
    insert into audit_entries (${sql.join(given.map(([column]) => column))})
    select ${sql.join(given.map(([, part]) => part))}
    ${from}`
}
