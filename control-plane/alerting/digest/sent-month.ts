import { type Db, json, queries, rows, stamp } from '#control-plane/db/queries.ts'
import type { Month } from '#control-plane/identity/digest/month.ts'
import { uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'
import type { MonthContent } from './month-content.ts'

type ContentMonitor = MonthContent['monitors'][number]

/** The statistics of a month; of each monitor the uptime of each day in its zone. */
export type SentContent = Omit<MonthContent, 'monitors'> & {
  monitors: (Omit<ContentMonitor, 'days'> & { days: (number | null)[] })[]
}

export interface SentMonth {
  sent_at: string
  content: SentContent
  /** What the report of the mail says beyond the mail, as `publishing/monthly-reports` wrote it. */
  details: Record<string, unknown> | null
}

/** A month as it was first mailed to a reader in its zone; null: it was not. */
export async function readSentMonth(db: Db, tenant: { id: string }, month: Month): Promise<SentMonth | null> {
  const [sent] = await rows(db)<SentMonth>`select ${stamp('sent_at')} as sent_at, content, details from sent_months
   where tenant_id = ${tenant.id} and month = ${month.month} and timezone = ${month.timezone}`
  return sent ?? null
}

/** Stores a month that is mailed now. Its content has the days of its zone. The first one stays. */
export async function storeMonth(db: Db, tenant: { id: string }, content: SentContent, at: Date): Promise<void> {
  const { month, timezone, formula_version } = content
  await queries(db)
    .insertInto('sent_months')
    .values({
      ...{ tenant_id: tenant.id, month, timezone, formula_version },
      sent_at: at.toISOString(),
      content: json(content),
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export const contentToSend = ({ monitors, ...month }: MonthContent): SentContent => ({
  ...month,
  monitors: monitors.map(({ days, ...monitor }) => ({ ...monitor, days: days.map(uptimePct) })),
})
