import { type RawBuilder, sql } from 'kysely'
import { columnOf, type Part } from '#control-plane/db/queries.ts'

/**
 * Whether an address in a team agreed to get its mail. The address of a member counts once it is verified. An
 * address without a mailbox has agreed all the same.
 */
export const consentSql = (tenant: Part, email: Part): RawBuilder<string> => sql`case
  when exists (
    select 1 from memberships sm
    join users su on su.id = sm.user_id and not su.is_service and su.email_verified_at is not null
    where sm.tenant_id = ${columnOf(tenant)} and su.email = ${columnOf(email)}) then 'member'
  else coalesce((
    select case
      when q.unsubscribed_at is not null then 'unsubscribed' when q.confirmed_at is not null then 'confirmed' end
    from mail_recipients q where q.tenant_id = ${columnOf(tenant)} and q.email = ${columnOf(email)}), 'pending') end`

/** Whether the mail server said last that an address of a team has no mailbox. */
export const isRefusedSql = (tenant: Part, email: Part): RawBuilder<boolean> => sql`exists (
  select 1 from mail_recipients rq
  where rq.tenant_id = ${columnOf(tenant)} and rq.email = ${columnOf(email)} and rq.refused_at is not null)`

/** The state of an address in a team: `refused` where mail would be sent to it and it has no mailbox. */
export const addressStateSql = (tenant: Part, email: Part): RawBuilder<string> => sql`case
  when ${isRefusedSql(tenant, email)} and ${consentSql(tenant, email)} <> 'unsubscribed' then 'refused'
  else ${consentSql(tenant, email)} end`

/**
 * Whether the contact method `c` is known to work: its address is confirmed and has a mailbox, or a test of it
 * succeeded since its configuration changed last.
 */
export const isVerifiedSql: RawBuilder<boolean> = sql`case when c.type = 'email'
  then ${addressStateSql('c.tenant_id', sql`(c.config -> 'recipients' ->> 0)::citext`)} in ('member', 'confirmed')
  else c.verified_at is not null end`
