import { sql } from 'kysely'
import type { Pool } from 'pg'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { mailAdministrators } from '#control-plane/tenancy/tenants/mail-administrators.ts'

const today = sql`(clock_timestamp() at time zone 'utc')::date`

// the row is locked while it is written, so `was_taken` is of this statement
const take = (tenantId: string, mails: number, limit: number) => sql<Row<'mail_budgets', 'was_taken'>>`
  insert into mail_budgets as b (tenant_id, day, sent, kept_back, was_taken)
  values (${tenantId}, ${today}, case when ${mails}::int <= ${limit}::int then ${mails}::int else 0 end,
    case when ${mails}::int <= ${limit}::int then 0 else ${mails}::int end, ${mails}::int <= ${limit}::int)
  on conflict (tenant_id, day) do update set
    sent = b.sent + case when b.sent + ${mails}::int <= ${limit}::int then ${mails}::int else 0 end,
    kept_back = b.kept_back + case when b.sent + ${mails}::int <= ${limit}::int then 0 else ${mails}::int end,
    was_taken = b.sent + ${mails}::int <= ${limit}::int
  returning was_taken`

/**
 * Takes mails from the team's budget of the day, all or none. Mails beyond it are counted, and the team is notified
 * once a day.
 */
export async function takeBudget(
  platform: Pool,
  tenantId: string,
  limit: number | null,
  mails: number,
): Promise<boolean> {
  const [row] = await rows(platform, take(tenantId, mails, limit ?? 2_000_000_000))
  if (row?.was_taken) return true
  const notified = await rows(platform)<Row<'tenants', 'name'>>`
    update mail_budgets b set notified_at = clock_timestamp() from tenants t
    where b.tenant_id = ${tenantId} and b.day = ${today} and b.notified_at is null and t.id = b.tenant_id
    returning t.name`
  const [team] = notified
  if (team)
    await mailAdministrators(platform, tenantId, 'mail_budget_exceeded', {
      team_name: team.name,
      limit: limit ?? 0,
    })
  return false
}

/** Returns mails to the budget that were not sent. */
export const returnBudget = (platform: Pool, tenantId: string, mails: number): Promise<unknown> =>
  rows(platform)`update mail_budgets set sent = greatest(0, sent - ${mails}::int) where tenant_id = ${tenantId}
    and day = ${today}`
