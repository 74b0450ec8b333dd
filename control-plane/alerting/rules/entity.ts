import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'
import type { MonitorFilter, TenantFilter } from './input.ts'

/** Which events go to which channel. */
export const NotificationRule = defineEntity({
  name: 'NotificationRule',
  tableName: 'notification_rules',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    channelId: p.uuid(),
    eventTypes: p.array(),
    monitorFilter: p.json<MonitorFilter>().nullable(),
    tenantFilter: p.json<TenantFilter>().nullable(),
    isWebhook: p.boolean().default(false),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})
