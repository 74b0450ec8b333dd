import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { queries, type Row, rows } from '#control-plane/db/queries.ts'
import { endPending } from '#control-plane/identity/users/end-pending.ts'
import type { Traces } from '#control-plane/outbox/audit.ts'
import { mergeAccounts } from './merge-accounts.ts'

interface Proven {
  email: string
  /** Null: the account has no password. */
  passwordHash: string | null
  /** Left out, the name stays. */
  name?: string
  traces: Traces
}

/** Accounts of owners come first: a team created for this address becomes the person's home team. */
const find = (email: string) => sql<Row<'users', 'id'>>`
  select u.id from users u where u.email = ${email} and u.email_verified_at is null and not u.is_service
  order by exists (select 1 from memberships m where m.user_id = u.id and m.role = 'owner') desc,
    u.created_at, u.id
  for update`

const credentials = (userId: string) => [
  sql`delete from tokens where user_id = ${userId} or (kind = 'svc' and created_by = ${userId})`,
  sql`delete from second_factors where user_id = ${userId}`,
  sql`delete from known_devices where user_id = ${userId}`,
  sql`delete from known_networks where user_id = ${userId}`,
  sql`delete from email_verifications where user_id = ${userId}`,
]

/**
 * Merges all unverified accounts of an address, just proven, into one verified account with the given password. Former
 * credentials stop working; the teams stay. Null when there is none. Call it under `lockAddress`.
 */
export async function replaceUnverified(
  client: PoolClient,
  { email, passwordHash, name, traces }: Proven,
): Promise<string | null> {
  const found = await rows(client, find(email))
  const [survivor, ...others] = found.map(({ id }) => id)
  if (survivor === undefined) return null
  await endPending(client, survivor)
  for (const statement of credentials(survivor)) await rows(client, statement)
  await mergeAccounts(client, survivor, others, traces)
  await rows(client)`update users set password_hash = ${passwordHash}, name = coalesce(${name ?? null}, name),
    email_verified_at = clock_timestamp(),
    password_changed_at = clock_timestamp(), updated_at = clock_timestamp() where id = ${survivor}`
  return survivor
}

/** Deletes the other unverified accounts of an address in one team: the account that proved it replaces them. */
export async function replaceInTeam(
  client: PoolClient,
  { userId, email, tenantId }: Joining,
  traces: Traces,
): Promise<void> {
  const others = await queries(client)
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.user_id', 'u.id')
    .where('m.tenant_id', '=', tenantId)
    .where('u.email', '=', email)
    .where('u.id', '<>', userId)
    .where('u.email_verified_at', 'is', null)
    .where('u.is_service', '=', false)
    .select('u.id')
    .forUpdate('u')
    .execute()
  await mergeAccounts(
    client,
    userId,
    others.map(({ id }) => id),
    traces,
  )
}

interface Joining {
  userId: string
  email: string
  tenantId: string
}
