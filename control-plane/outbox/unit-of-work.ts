import type { EntityManager } from '@mikro-orm/postgresql'
import { Refusal } from '#control-plane/base/refusal.ts'
import { type Context, type MailRecipient, SideEffects, type Whose } from '#control-plane/base/side-effects.ts'
import { traced } from '#control-plane/base/tracing.ts'
import { rows } from '#control-plane/db/queries.ts'
import { addAudit } from './audit.ts'
import { writeOutbox } from './emit.ts'

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
  const readOnly = context.isReading ?? false
  const attributes = { 'db.system.name': 'postgresql', 'vedette.transaction.read_only': readOnly } as const
  const result = await traced('transaction', attributes, () =>
    fork.transactional(
      async em => {
        const answer = await work(em, sideEffects)
        await em.flush()
        await writeSideEffects(em, context, sideEffects)
        return answer
      },
      { readOnly },
    ),
  )
  for (const task of sideEffects.tasks) await task()
  return result
}

/** Switches the rest of the transaction to another tenant: one that the reseller has just created, or manages. */
export const actIn = (em: EntityManager, tenantId: string): Promise<unknown> =>
  rows(em)`select set_config('app.tenant_id', ${tenantId}, true)`

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

async function writeSideEffects(em: EntityManager, context: Context, { audits, outbox }: SideEffects): Promise<void> {
  const { caller, ip, requestId, now } = context
  const entries = audits.flatMap(({ whose, ...entry }) =>
    idsOf(context, whose).map(tenantId => ({ tenantId, at: now, ...entry })),
  )
  await addAudit(em, entries, {
    userId: caller.user?.id ?? null,
    impersonatorId: caller.impersonator?.userId ?? null,
    tokenId: caller.tokenId,
    ip,
    requestId,
  })
  const rows = outbox.flatMap(({ whose, ...row }) => idsOf(context, whose).map(tenantId => ({ tenantId, ...row })))
  await writeOutbox(em, rows)
}
