import type { Pool } from 'pg'
import { keptDaysByPlan, keptDaysSql } from '#control-plane/tenancy/plans/kept-days.ts'

/** The longest that the notification log is kept, whatever the plan: its messages name people. */
const mostDays = 90
/** How long the mail sink keeps mail. */
const sinkDays = 30
/** How long the mail sink keeps mail with links: as long as the longest-lived link works. */
export const linkDays = 7

interface Tidying {
  /** How many rows a statement deletes at most: short statements block no other for long. */
  batch?: number
  /** Ends the work early; the next run deletes the rest. */
  isStopped?(): boolean
}

/** Deletes, batch by batch, finished rows that are older than the plan of their tenant keeps data. Returns how many. */
export async function deleteExpiredDeliveries(
  platform: Pool,
  { batch = 5_000, isStopped = () => false }: Tidying = {},
): Promise<number> {
  const days = keptDaysByPlan()
  let total = 0
  for (const [name, text, values] of [
    ['deliveries', oldDeliveries, [batch, days]],
    ['notification-decisions', oldDecisions, [batch, days]],
    ['sink-mails', oldMails, [batch]],
    ['sink-links', oldLinks, [batch]],
    ['mail-budgets', oldBudgets, [batch]],
  ] as const)
    for (let deleted = batch; deleted === batch && !isStopped(); total += deleted)
      deleted = (await platform.query({ name: `tidy-${name}`, text, values: [...values] })).rowCount ?? 0
  return total
}

const olderThanKept = (table: string, isDone: string) => `
  delete from ${table} where id in (
    select d.id from tenants t
    cross join lateral (
      select least(${mostDays}, ${keptDaysSql('$2')}) as days
    ) kept
    cross join lateral (
      select id from ${table}
      where tenant_id = t.id and ${isDone} and created_at < clock_timestamp() - kept.days * interval '1 day' limit $1
    ) d
    limit $1)`

const oldDeliveries = olderThanKept('deliveries', `status in ('delivered', 'failed')`)
const oldDecisions = olderThanKept('notification_decisions', 'true')

const oldMails = `
  delete from mail_sink_messages where id in (
    select id from mail_sink_messages where created_at < clock_timestamp() - interval '${sinkDays} days' limit $1)`
const oldLinks = `
  delete from mail_sink_messages where id in (
    select id from mail_sink_messages
    where is_encrypted and created_at < clock_timestamp() - interval '${linkDays} days' limit $1)`
const oldBudgets = `delete from mail_budgets where (tenant_id, day) in
  (select tenant_id, day from mail_budgets where day < current_date - ${mostDays} limit $1)`
