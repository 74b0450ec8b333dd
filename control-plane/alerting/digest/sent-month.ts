import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Month } from '#control-plane/identity/digest/month.ts'
import { uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'
import type { Run } from '#control-plane/tenancy/plans/run.ts'
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
export async function readSentMonth(run: Run, tenant: { id: string }, month: Month): Promise<SentMonth | null> {
  const [sent] = await run<SentMonth>(
    `select ${stampSql('sent_at')} as sent_at, content, details from sent_months
     where tenant_id = ? and month = ? and timezone = ?`,
    [tenant.id, month.month, month.timezone],
  )
  return sent ?? null
}

/** Stores a month that is mailed now. Its content has the days of its zone. The first one stays. */
export async function keepMonth(run: Run, tenant: { id: string }, content: SentContent, at: Date): Promise<void> {
  await run(
    `insert into sent_months (tenant_id, month, timezone, sent_at, formula_version, content)
     values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
    [tenant.id, content.month, content.timezone, at, content.formula_version, JSON.stringify(content)],
  )
}

export const contentToSend = ({ monitors, ...month }: MonthContent): SentContent => ({
  ...month,
  monitors: monitors.map(({ days, ...monitor }) => ({ ...monitor, days: days.map(uptimePct) })),
})
