import type { EntityManager } from '@mikro-orm/postgresql'
import type { TokenKind } from '#control-plane/base/caller.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'

/** Whose tokens: of one kind, of a tenant, and for personal ones of one person in it. */
export interface Holder {
  kind: TokenKind
  tenantId: string
  userId?: string
}

export interface TokenRow {
  id: string
  user_id: string | null
  kind: TokenKind
  name: string
  tail: string
  scopes: string[]
  allowed_ips: string[] | null
  is_active: boolean
  last_used_at: string | null
  last_used_ip: string | null
  expires_at: string | null
  rotated_at: string | null
  rotated_from: string | null
  created_by: string | null
  created_at: string
  updated_at: string
}

const stamped = ['last_used_at', 'expires_at', 'rotated_at', 'created_at', 'updated_at']
  .map(name => `${stampSql(name)} as ${name}`)
  .join(', ')
const columns = `id, user_id, kind, name, tail, scopes, allowed_ips, is_active, host(last_used_ip) as last_used_ip, rotated_from, created_by, ${stamped}`

const held = ({ kind, tenantId, userId }: Holder) =>
  userId === undefined
    ? { where: 'kind = ? and tenant_id = ?', values: [kind, tenantId] }
    : { where: 'kind = ? and tenant_id = ? and user_id = ?', values: [kind, tenantId, userId] }

/** The one way to reach a token by id: it exists, and it is this holder's. Locked, it stays as it is until the transaction ends. */
export async function findToken(
  em: EntityManager,
  holder: Holder,
  id: string,
  lock: '' | 'for update' = '',
): Promise<TokenRow> {
  const { where, values } = held(holder)
  const [row] = await em.execute<TokenRow[]>(`select ${columns} from tokens where ${where} and id = ? ${lock}`, [
    ...values,
    id,
  ])
  if (!row) throw notFound('Token')
  return row
}

/** A page of a holder's tokens, newest first, and how many there are. */
export async function listTokens(
  em: EntityManager,
  holder: Holder,
  query: { page: number; per_page: number },
): Promise<{ rows: TokenRow[]; total: number }> {
  const { where, values } = held(holder)
  const rows = await em.execute<TokenRow[]>(
    `select ${columns} from tokens where ${where} order by tokens.created_at desc, id desc limit ? offset ?`,
    [...values, query.per_page, (query.page - 1) * query.per_page],
  )
  const [count] = await em.execute<{ total: number }[]>(
    `select count(*)::int as total from tokens where ${where}`,
    values,
  )
  return { rows, total: count?.total ?? 0 }
}

export async function deleteToken(em: EntityManager, holder: Holder, id: string): Promise<void> {
  const { where, values } = held(holder)
  await em.execute(`delete from tokens where ${where} and id = ?`, [...values, id])
}

/** Switches a token or names it anew; what is undefined stays. */
export async function changeToken(
  em: EntityManager,
  holder: Holder,
  id: string,
  change: { name?: string; is_active?: boolean },
  now: Date,
): Promise<void> {
  const { where, values } = held(holder)
  await em.execute(
    `update tokens set name = coalesce(?, name), is_active = coalesce(?::boolean, is_active), updated_at = ? where ${where} and id = ?`,
    [change.name ?? null, change.is_active ?? null, now, ...values, id],
  )
}
