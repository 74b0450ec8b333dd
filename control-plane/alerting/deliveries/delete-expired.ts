import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import { affected, prepared } from '#control-plane/db/queries.ts'
import { keptDaysSql } from '#control-plane/tenancy/plans/kept-days.ts'

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
  let total = 0
  for (const statement of [oldDeliveries, oldDecisions, oldMails, oldLinks, oldBudgets])
    for (let deleted = batch; deleted === batch && !isStopped(); total += deleted)
      deleted = await affected(platform, statement(batch))
  return total
}

const olderThanKept = (name: string, table: 'deliveries' | 'notification_decisions', isDone: RawBuilder<unknown>) =>
  prepared(
    name,
    (batch: number) => sql`
    delete from ${sql.table(table)} where id in (
      select d.id from tenants t
      cross join lateral (
        select least(${sql.lit(mostDays)}, ${keptDaysSql()}) as days
      ) kept
      cross join lateral (
        select id from ${sql.table(table)}
        where tenant_id = t.id and ${isDone} and created_at < clock_timestamp() - kept.days * interval '1 day'
        limit ${batch}
      ) d
      limit ${batch})`,
  )

const oldDeliveries = olderThanKept('tidy-deliveries', 'deliveries', sql`status in ('delivered', 'failed')`)
const oldDecisions = olderThanKept('tidy-notification-decisions', 'notification_decisions', sql`true`)

const oldMails = prepared(
  'tidy-sink-mails',
  (batch: number) => sql`
    delete from mail_sink_messages where id in (
      select id from mail_sink_messages
      where created_at < clock_timestamp() - interval '${sql.lit(sinkDays)} days' limit ${batch})`,
)
const oldLinks = prepared(
  'tidy-sink-links',
  (batch: number) => sql`
    delete from mail_sink_messages where id in (
      select id from mail_sink_messages
      where is_encrypted and created_at < clock_timestamp() - interval '${sql.lit(linkDays)} days' limit ${batch})`,
)
const oldBudgets = prepared(
  'tidy-mail-budgets',
  (batch: number) => sql`
    delete from mail_budgets where (tenant_id, day) in
      (select tenant_id, day from mail_budgets where day < current_date - ${sql.lit(mostDays)} limit ${batch})`,
)
