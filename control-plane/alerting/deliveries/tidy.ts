import type { Pool } from 'pg'
import { effectiveLimits, plans } from '#contract/plans.ts'

/** Longest that a log of notifications is kept, whatever the plan: its bodies are about people, too. */
const mostDays = 90
/** How long the catcher keeps mail that no server took. */
const caughtDays = 30
/** As long as the longest of the links in them is good. */
export const linkDays = 7

interface Tidying {
  /** Rows a statement may delete: each is short, so that nobody waits for it. */
  batch?: number
  /** Ends the work early: what is left is old next time as well. */
  isStopped?(): boolean
}

/** Deletes what is done and older than the plan of its tenant keeps data; a batch at a time. Answers how much that was. */
export async function tidyDeliveries(
  platform: Pool,
  { batch = 5_000, isStopped = () => false }: Tidying = {},
): Promise<number> {
  const days = JSON.stringify(
    Object.fromEntries(plans.map(plan => [plan, effectiveLimits(plan, {}).data_retention_days])),
  )
  let gone = 0
  for (const [name, text, values] of [
    ['deliveries', oldDeliveries, [batch, days]],
    ['notification-decisions', oldDecisions, [batch, days]],
    ['caught-mails', oldMails, [batch]],
    ['caught-links', oldLinks, [batch]],
    ['mail-budgets', oldBudgets, [batch]],
  ] as const)
    for (let deleted = batch; deleted === batch && !isStopped(); gone += deleted)
      deleted = (await platform.query({ name: `tidy-${name}`, text, values: [...values] })).rowCount ?? 0
  return gone
}

/** An override of another shape counts for nothing, as elsewhere: no tenant's may keep all others from being tidied. */
const ownDays = `case when t.feature_overrides ->> 'data_retention_days' ~ '^[0-9]{1,4}$' then (t.feature_overrides ->> 'data_retention_days')::int end`

const olderThanKept = (table: string, isDone: string) => `
  delete from ${table} where id in (
    select d.id from tenants t
    cross join lateral (
      select least(${mostDays}, coalesce(${ownDays}, ($2::jsonb ->> t.plan)::int, ${mostDays})) as days
    ) kept
    cross join lateral (
      select id from ${table} where tenant_id = t.id and ${isDone} and created_at < clock_timestamp() - kept.days * interval '1 day' limit $1
    ) d
    limit $1)`

const oldDeliveries = olderThanKept('deliveries', `status in ('delivered', 'failed')`)
const oldDecisions = olderThanKept('notification_decisions', 'true')

const oldMails = `delete from mail_sink_messages where id in (select id from mail_sink_messages where created_at < clock_timestamp() - interval '${caughtDays} days' limit $1)`

const oldLinks = `delete from mail_sink_messages where id in (select id from mail_sink_messages where is_encrypted and created_at < clock_timestamp() - interval '${linkDays} days' limit $1)`
const oldBudgets = `delete from mail_budgets where (tenant_id, day) in
  (select tenant_id, day from mail_budgets where day < current_date - ${mostDays} limit $1)`
