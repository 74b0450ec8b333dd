import type { Pool } from 'pg'

export const recipientStates = ['member', 'confirmed', 'pending', 'unsubscribed'] as const
export type RecipientState = (typeof recipientStates)[number]

/** What an address is to a team, as SQL. A member's address counts once it is proven. */
const stateOf = (tenant: string, email: string) => `case
  when exists (select 1 from memberships sm join users su on su.id = sm.user_id and not su.is_service and su.email_verified_at is not null
               where sm.tenant_id = ${tenant} and su.email = ${email}) then 'member'
  else coalesce((select case when q.unsubscribed_at is not null then 'unsubscribed' when q.confirmed_at is not null then 'confirmed' end
                 from mail_recipients q where q.tenant_id = ${tenant} and q.email = ${email}), 'pending') end`

/** The recipients of a channel known as `c`, each with its state; null for channels of other types. */
export const selectRecipients = `case when c.type = 'email' then (
  select jsonb_agg(jsonb_build_object('email', r.email, 'state', ${stateOf('c.tenant_id', 'r.email::citext')}) order by r.place)
  from jsonb_array_elements_text(c.config -> 'recipients') with ordinality as r(email, place)) end`

/** Of these addresses, in small letters, those that may be sent the team's mail. */
export async function reachableOf(
  platform: Pool,
  tenantId: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  const { rows } = await platform.query<{ email: string }>({
    name: 'recipients-reachable',
    text: `select lower(a.email) as email from unnest($2::text[]) a(email)
      where ${stateOf('$1::uuid', 'a.email::citext')} in ('member', 'confirmed')`,
    values: [tenantId, addresses],
  })
  return new Set(rows.map(({ email }) => email))
}

/** Of these addresses those that are no proven members of the team. Within a request's transaction. */
export const strangersSql = `select r.email from (select ?::uuid as id) t, jsonb_array_elements_text(?::jsonb) as r(email)
  where ${stateOf('t.id', 'r.email::citext')} <> 'member'`
