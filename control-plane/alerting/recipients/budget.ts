import type { Pool } from 'pg'
import type { Row } from '#control-plane/db/queries.ts'
import { mailAdministrators } from '#control-plane/tenancy/tenants/mail-administrators.ts'

const today = `(clock_timestamp() at time zone 'utc')::date`

// the row is locked while it is written, so `was_taken` is of this statement
const take = `
  insert into mail_budgets as b (tenant_id, day, sent, kept_back, was_taken)
  values ($1, ${today}, case when $2::int <= $3::int then $2::int else 0 end,
    case when $2::int <= $3::int then 0 else $2::int end, $2::int <= $3::int)
  on conflict (tenant_id, day) do update set
    sent = b.sent + case when b.sent + $2::int <= $3::int then $2::int else 0 end,
    kept_back = b.kept_back + case when b.sent + $2::int <= $3::int then 0 else $2::int end,
    was_taken = b.sent + $2::int <= $3::int
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
  const { rows } = await platform.query<Row<'mail_budgets', 'was_taken'>>(take, [
    tenantId,
    mails,
    limit ?? 2_000_000_000,
  ])
  if (rows[0]?.was_taken) return true
  const notified = await platform.query<{ team_name: Row<'tenants'>['name'] }>(
    `update mail_budgets b set notified_at = clock_timestamp() from tenants t
     where b.tenant_id = $1 and b.day = ${today} and b.notified_at is null and t.id = b.tenant_id
     returning t.name as team_name`,
    [tenantId],
  )
  const [team] = notified.rows
  if (team)
    await mailAdministrators(platform, tenantId, 'mail_budget_exceeded', {
      team_name: team.team_name,
      limit: limit ?? 0,
    })
  return false
}

/** Returns mails to the budget that were not sent. */
export const returnBudget = (platform: Pool, tenantId: string, mails: number): Promise<unknown> =>
  platform.query(`update mail_budgets set sent = greatest(0, sent - $2::int) where tenant_id = $1 and day = ${today}`, [
    tenantId,
    mails,
  ])
