import { sql } from 'kysely'
import type { Pool } from 'pg'
import { addressStateSql, consentSql, isRefusedSql } from '#control-plane/access/members/contact-state.ts'
import { type Db, rows } from '#control-plane/db/queries.ts'

export const recipientStates = ['member', 'confirmed', 'pending', 'unsubscribed', 'refused'] as const
export type RecipientState = (typeof recipientStates)[number]

/** SQL: the recipients of the e-mail channel `c`, each with its state; null for other types. */
export const selectRecipients = `case when c.type = 'email' then (
  select coalesce(jsonb_agg(jsonb_build_object(
    'email', r.email, 'state', ${addressStateSql('c.tenant_id', 'r.email::citext')}) order by r.place), '[]')
  from jsonb_array_elements_text(c.config -> 'recipients') with ordinality as r(email, place)) end`

/**
 * Those of these addresses, in lower case, that may be sent mail of the team. `isRefused`: the mail server said last
 * that there is no such mailbox; they are tried all the same, as it may have one by now.
 */
export async function reachableOf(
  platform: Pool,
  tenantId: string,
  addresses: readonly string[],
): Promise<Map<string, { isRefused: boolean }>> {
  const { rows } = await platform.query<{ email: string; is_refused: boolean }>({
    name: 'recipients-reachable',
    text: `select lower(a.email) as email, ${isRefusedSql('$1::uuid', 'a.email::citext')} as is_refused
      from unnest($2::text[]) a(email)
      where ${consentSql('$1::uuid', 'a.email::citext')} in ('member', 'confirmed')`,
    values: [tenantId, addresses],
  })
  return new Map(rows.map(({ email, is_refused: isRefused }) => [email, { isRefused }]))
}

/** SQL: those of these addresses that are of no verified member of the team. */
export const strangersAmong = (db: Db, tenant: { id: string }, addresses: readonly string[]) =>
  rows<{ email: string }>(
    db,
    sql`select r.email from (select ${tenant.id}::uuid as id) t, unnest(${[...addresses]}::text[]) as r(email)
      where ${sql.raw(consentSql('t.id', 'r.email::citext'))} <> 'member'`,
  )
