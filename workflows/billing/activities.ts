import type { Pool } from 'pg'
import type { PriceList } from '#contract/billing.ts'
import type { Calendar } from '#control-plane/base/calendar.ts'
import { advanceBilling } from '#control-plane/billing/advance.ts'
import { withHeartbeat } from '#workflows/heartbeat.ts'

interface Deps {
  platform: Pool
  calendar: Calendar
  prices: PriceList
}

export const billingActivities = ({ platform, calendar, prices }: Deps) => ({
  advanceBilling: (tenantId: string, dueAtMs: number) =>
    withHeartbeat(() => advanceBilling(platform, prices, tenantId, new Date(dueAtMs), calendar)),
})
export type BillingActivities = ReturnType<typeof billingActivities>
