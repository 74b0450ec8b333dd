import type { Pool } from 'pg'

export const recipientStates = ['member', 'confirmed', 'pending', 'unsubscribed'] as const
export type RecipientState = (typeof recipientStates)[number]

/** SQL: the state of an address in a team. The address of a member counts once it is verified. */
const stateOf = (tenant: string, email: string) => `case
  when exists (
    select 1 from memberships sm
    join users su on su.id = sm.user_id and not su.is_service and su.email_verified_at is not null
    where sm.tenant_id = ${tenant} and su.email = ${email}) then 'member'
  else coalesce((
    select case
      when q.unsubscribed_at is not null then 'unsubscribed' when q.confirmed_at is not null then 'confirmed' end
    from mail_recipients q where q.tenant_id = ${tenant} and q.email = ${email}), 'pending') end`

/** SQL: the recipients of the e-mail channel `c`, each with its state; null for other types. */
export const selectRecipients = `case when c.type = 'email' then (
  select jsonb_agg(
    jsonb_build_object('email', r.email, 'state', ${stateOf('c.tenant_id', 'r.email::citext')}) order by r.place)
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
      where ${stateOf('$1::uuid', 'a.email::citext')} in ('member', 'confirmed')`,
    values: [tenantId, addresses],
  })
  return new Set(rows.map(({ email }) => email))
}

/** SQL: those of these addresses that are of no verified member of the team. */
export const strangersSql = `
  select r.email from (select ?::uuid as id) t, jsonb_array_elements_text(?::jsonb) as r(email)
  where ${stateOf('t.id', 'r.email::citext')} <> 'member'`
