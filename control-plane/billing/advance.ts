import type { Pool } from 'pg'
import type { PriceList } from '#contract/billing.ts'
import type { RetryLater } from '#contract/workflows.ts'
import { type Calendar, later } from '#control-plane/base/calendar.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { readMoments } from '#control-plane/tenancy/team-states/read.ts'
import { askAgainMs, goesOn } from '#control-plane/tenancy/team-states/state.ts'
import { mailPayers } from './mail-payers.ts'
import { passTime } from './manual/pass-time.ts'
import { reminderMoment } from './next-due.ts'
import { lockExisting } from './row.ts'
import { type Change, dunning, settle } from './settle.ts'
import { orderEnd } from './stripe/end-subscriptions.ts'

/**
 * Does what is due for a subscription at this moment, once, and starts the workflow of what is due next. `superseded`:
 * something else is due now. Of a team in the trash nothing is, and it is asked again in an hour.
 */
export const advanceBilling = (
  platform: Pool,
  prices: PriceList,
  tenantId: string,
  dueAt: Date,
  calendar: Calendar,
): Promise<'done' | 'superseded' | RetryLater> =>
  inTransaction(platform, async client => {
    const row = await lockExisting(client, tenantId)
    if (row?.next_due_at?.getTime() !== dueAt.getTime()) return 'superseded'
    const now = await calendar.now(client)
    if (now < dueAt) return later(dueAt, now)
    if (!goesOn('invoices', await readMoments(client, tenantId))) return { againInMs: askAgainMs }
    const change: Change = { now, dayMs: calendar.dayMs, action: 'subscription.advanced' }
    const passed = row.provider === 'manual' ? await passTime(client, row, prices, change) : row
    const reminder = reminderMoment(passed, calendar.dayMs)
    const isOwing = passed.status === 'past_due' || passed.status === 'grace'
    const isReminded = isOwing && passed.grace_reminded_at === null && reminder !== null && now >= reminder
    const isEnding = passed.grace_ends_at !== null && now >= passed.grace_ends_at
    const after = await settle(
      client,
      passed,
      { ...(isReminded && { grace_reminded_at: now }) },
      { ...change, ...(isEnding && { action: 'subscription.grace_ended' }) },
    )
    if (isEnding) await orderEnd(client, tenantId)
    if (isReminded && !isEnding) {
      const [found] = await rows(client)<Row<'tenants', 'name'>>`select name from tenants where id = ${tenantId}`
      await mailPayers(client, tenantId, 'billing_grace_ending', await dunning(client, after, found!.name))
    }
    return 'done'
  })
