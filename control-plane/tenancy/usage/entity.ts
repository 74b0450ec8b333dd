import { defineEntity, p } from '@mikro-orm/core'

/** Usage by month and metric, for plans. */
export const UsageCounter = defineEntity({
  name: 'UsageCounter',
  tableName: 'usage_counters',
  properties: {
    tenantId: p.uuid().primary(),
    period: p.date().primary(),
    metric: p.string().length(40).primary(),
    count: p.bigint('string').default('0'),
  },
})
