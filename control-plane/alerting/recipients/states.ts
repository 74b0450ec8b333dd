import { sql } from 'kysely'
import type { Pool } from 'pg'
import { addressStateSql, consentSql, isRefusedSql } from '#control-plane/access/members/contact-state.ts'
import { type Db, prepared, type Row, rows } from '#control-plane/db/queries.ts'

export const recipientStates = ['member', 'confirmed', 'pending', 'unsubscribed', 'refused'] as const
export type RecipientState = (typeof recipientStates)[number]

/** The recipients of the e-mail channel `c`, each with its state; null for other types. */
export const selectRecipients = sql<{ email: string; state: RecipientState }[] | null>`case when c.type = 'email' then (
  select coalesce(jsonb_agg(jsonb_build_object(
    'email', r.email, 'state', ${addressStateSql('c.tenant_id', sql`r.email::citext`)}) order by r.place), '[]')
  from jsonb_array_elements_text(c.config -> 'recipients') with ordinality as r(email, place)) end`

const reachable = prepared(
  'recipients-reachable',
  (tenantId: string, addresses: readonly string[]) => sql<Row<'mail_recipients', 'email'> & { is_refused: boolean }>`
    select lower(a.email) as email, ${isRefusedSql('t.id', sql`a.email::citext`)} as is_refused
    from (select ${tenantId}::uuid as id) t, unnest(${addresses}::text[]) a(email)
    where ${consentSql('t.id', sql`a.email::citext`)} in ('member', 'confirmed')`,
)

/**
 * Those of these addresses, in lower case, that may be sent mail of the team. `isRefused`: the mail server said last
 * that there is no such mailbox; they are tried all the same, as it may have one by now.
 */
export async function reachableOf(
  platform: Pool,
  tenantId: string,
  addresses: readonly string[],
): Promise<Map<string, { isRefused: boolean }>> {
  const found = await rows(platform, reachable(tenantId, addresses))
  return new Map(found.map(({ email, is_refused: isRefused }) => [email, { isRefused }]))
}

/** Those of these addresses that are of no verified member of the team. */
export const strangersAmong = (db: Db, tenant: { id: string }, addresses: readonly string[]) =>
  rows(db)<Row<'mail_recipients', 'email'>>`
    select r.email from (select ${tenant.id}::uuid as id) t, unnest(${[...addresses]}::text[]) as r(email)
    where ${consentSql('t.id', sql`r.email::citext`)} <> 'member'`
