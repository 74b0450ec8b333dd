import type { Pool } from 'pg'
import { addressStateSql } from '#control-plane/access/members/contact-state.ts'

export const recipientStates = ['member', 'confirmed', 'pending', 'unsubscribed'] as const
export type RecipientState = (typeof recipientStates)[number]

/** SQL: the recipients of the e-mail channel `c`, each with its state; null for other types. */
export const selectRecipients = `case when c.type = 'email' then (
  select jsonb_agg(jsonb_build_object(
    'email', r.email, 'state', ${addressStateSql('c.tenant_id', 'r.email::citext')}) order by r.place)
  from jsonb_array_elements_text(c.config -> 'recipients') with ordinality as r(email, place)) end`

/** Those of these addresses, in lower case, that may be sent mail of the team. */
export async function reachableOf(
  platform: Pool,
  tenantId: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  const { rows } = await platform.query<{ email: string }>({
    name: 'recipients-reachable',
    text: `select lower(a.email) as email from unnest($2::text[]) a(email)
      where ${addressStateSql('$1::uuid', 'a.email::citext')} in ('member', 'confirmed')`,
    values: [tenantId, addresses],
  })
  return new Set(rows.map(({ email }) => email))
}

/** SQL: those of these addresses that are of no verified member of the team. */
export const strangersSql = `
  select r.email from (select ?::uuid as id) t, jsonb_array_elements_text(?::jsonb) as r(email)
  where ${addressStateSql('t.id', 'r.email::citext')} <> 'member'`
