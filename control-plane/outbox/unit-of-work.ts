import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { Refusal } from '#control-plane/base/refusal.ts'
import { type Context, type MailRecipient, SideEffects, type Whose } from '#control-plane/base/side-effects.ts'

/**
 * One transaction a request, bound to its tenant by row security: its rows, audit entries and outbox rows commit
 * together or not at all. Rows that a refusal leaves behind get a transaction of their own.
 */
export async function unitOfWork<T>(
  root: EntityManager,
  context: Context,
  work: (em: EntityManager, sideEffects: SideEffects) => Promise<T>,
): Promise<T> {
  try {
    return await transact(root, context, work)
  } catch (error) {
    const leaves = error instanceof Refusal ? error.leaves : undefined
    if (leaves)
      await transact(root, { ...context, isReading: false }, (em, sideEffects) => leaves(em, sideEffects, context))
    throw error
  }
}

async function transact<T>(
  root: EntityManager,
  context: Context,
  work: (em: EntityManager, sideEffects: SideEffects) => Promise<T>,
): Promise<T> {
  const sideEffects = new SideEffects()
  const fork = root.fork({
    session: {
      variables: {
        'app.tenant_id': context.tenantId ?? '',
        'app.reseller_id': context.resellerId ?? '',
        'app.user_id': context.caller.user?.id ?? '',
      },
    },
  })
  const result = await fork.transactional(
    async em => {
      const answer = await work(em, sideEffects)
      await em.flush()
      await writeSideEffects(em, context, sideEffects)
      return answer
    },
    { readOnly: context.isReading ?? false },
  )
  for (const task of sideEffects.tasks) await task()
  return result
}

/** Switches the rest of the transaction to another tenant: one that the reseller has just created, or manages. */
export const actIn = (em: EntityManager, tenantId: string): Promise<unknown> =>
  em.execute(`select set_config('app.tenant_id', ?, true)`, [tenantId])

/** The payload of a mail in the outbox. */
export const mailPayload = ({ userId, email, name, language }: MailRecipient, data: Record<string, unknown>) => ({
  recipient: { user_id: userId, email, name, language },
  data,
})

/** The tenant ids behind a `Whose`; without a reseller's id where no reseller acts. */
function idsOf({ tenantId, resellerId }: Context, whose: Whose): string[] {
  if (typeof whose === 'object') return [whose.tenantId]
  const ids = whose === 'both' ? [tenantId, resellerId] : [whose === 'reseller' ? resellerId : tenantId]
  return [...new Set(ids)].filter(id => id !== null)
}

async function writeSideEffects(em: EntityManager, context: Context, sideEffects: SideEffects): Promise<void> {
  const { caller } = context
  if (sideEffects.audits.length > 0) {
    const rows = sideEffects.audits.flatMap(line =>
      idsOf(context, line.whose).map(tenantId => ({
        id: randomUUID(),
        tenant_id: tenantId,
        action: line.action,
        entity_type: line.type,
        entity_id: line.id,
        changes: line.changes ?? null,
      })),
    )
    // the commit locks trails in this order: one order for all transactions prevents deadlocks
    rows.sort((a, b) => (a.tenant_id < b.tenant_id ? -1 : a.tenant_id > b.tenant_id ? 1 : 0))
    await em.execute(
      `insert into audit_entries (id, tenant_id, user_id, impersonator_id, token_id, action, entity_type, entity_id, changes, ip, request_id, created_at)
       select r.id, r.tenant_id, ?::uuid, ?::uuid, ?::uuid, r.action, r.entity_type, r.entity_id, r.changes, ?::inet, ?, ?::timestamptz
       from jsonb_to_recordset(?::jsonb) as r(id uuid, tenant_id uuid, action text, entity_type text, entity_id uuid, changes jsonb)`,
      [
        caller.user?.id ?? null,
        caller.impersonator?.userId ?? null,
        caller.tokenId || null,
        context.ip || null,
        context.requestId,
        context.now.toISOString(),
        JSON.stringify(rows),
      ],
    )
  }
  if (sideEffects.outbox.length > 0) {
    const rows = sideEffects.outbox.flatMap(({ whose, ...row }) =>
      idsOf(context, whose).map(tenantId => ({ tenant_id: tenantId, ...row })),
    )
    await em.execute(
      `with added as (
         insert into outbox (tenant_id, kind, name, payload, is_personal)
         select r.tenant_id, r.kind, r.name, r.payload, r.kind = 'mail' from jsonb_to_recordset(?::jsonb) as r(tenant_id uuid, kind text, name text, payload jsonb)
       )
       select pg_notify('outbox', '')`,
      [JSON.stringify(rows)],
    )
  }
}
