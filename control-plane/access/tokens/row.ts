import type { EntityManager } from '@mikro-orm/postgresql'
import type { ExpressionBuilder, InferResult } from 'kysely'
import type { TokenKind } from '#control-plane/base/caller.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { type Database, queries, stamp, total } from '#control-plane/db/queries.ts'

/** The holder of tokens of one kind: a tenant, or for personal tokens one person in it. */
export interface Holder {
  kind: TokenKind
  tenantId: string
  userId?: string
}

export type TokenRow = InferResult<ReturnType<typeof selectTokens>>[number]

/** The tokens of a holder, for a statement on `tokens`. */
const isOf =
  ({ kind, tenantId, userId }: Holder) =>
  ({ eb, and }: ExpressionBuilder<Database, 'tokens'>) =>
    and([
      eb('tokens.kind', '=', kind),
      eb('tokens.tenant_id', '=', tenantId),
      ...(userId === undefined ? [] : [eb('tokens.user_id', '=', userId)]),
    ])

const selectTokens = (em: EntityManager, holder: Holder) =>
  queries(em)
    .selectFrom('tokens')
    .where(isOf(holder))
    .select(['id', 'user_id', 'name', 'tail', 'scopes', 'allowed_ips', 'is_active', 'rotated_from', 'created_by'])
    .select(({ ref, fn }) => [
      ref('kind').$castTo<TokenKind>().as('kind'),
      fn<string | null>('host', ['last_used_ip']).as('last_used_ip'),
      stamp(ref('tokens.last_used_at')).as('last_used_at'),
      stamp(ref('tokens.expires_at')).as('expires_at'),
      stamp(ref('tokens.rotated_at')).as('rotated_at'),
      stamp(ref('tokens.created_at')).as('created_at'),
      stamp(ref('tokens.updated_at')).as('updated_at'),
    ])

/** A token of this holder by id, or a 404; with `for update`, locked until the transaction ends. */
export async function findToken(
  em: EntityManager,
  holder: Holder,
  id: string,
  lock: '' | 'for update' = '',
): Promise<TokenRow> {
  const found = selectTokens(em, holder).where('tokens.id', '=', id)
  const row = await (lock === 'for update' ? found.forUpdate() : found).executeTakeFirst()
  if (!row) throw notFound('Token')
  return row
}

/** A page of a holder's tokens, newest first, and their number. */
export async function listTokens(
  em: EntityManager,
  holder: Holder,
  query: { page: number; per_page: number },
): Promise<{ rows: TokenRow[]; total: number }> {
  const rows = await selectTokens(em, holder)
    .orderBy('tokens.created_at', 'desc')
    .orderBy('tokens.id', 'desc')
    .limit(query.per_page)
    .offset((query.page - 1) * query.per_page)
    .execute()
  const all = queries(em).selectFrom('tokens').where(isOf(holder))
  return { rows, total: (await all.select(total).executeTakeFirstOrThrow()).total }
}

export async function deleteToken(em: EntityManager, holder: Holder, id: string): Promise<void> {
  await queries(em).deleteFrom('tokens').where(isOf(holder)).where('tokens.id', '=', id).execute()
}

/** Enables, disables or renames a token; a field that is undefined is not changed. */
export async function changeToken(
  em: EntityManager,
  holder: Holder,
  id: string,
  change: { name?: string; is_active?: boolean },
  now: Date,
): Promise<void> {
  await queries(em)
    .updateTable('tokens')
    .set({ name: change.name, is_active: change.is_active, updated_at: now.toISOString() })
    .where(isOf(holder))
    .where('tokens.id', '=', id)
    .execute()
}
