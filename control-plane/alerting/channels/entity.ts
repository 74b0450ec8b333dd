import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'
import type { Config } from './config.ts'
import type { ChannelType } from './kinds/kind.ts'

/** Where a team is notified. */
export const NotificationChannel = defineEntity({
  name: 'NotificationChannel',
  tableName: 'notification_channels',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    type: p.string().length(20).$type<ChannelType>(),
    config: p.json<Config>(),
    secrets: p.text().nullable(),
    isEnabled: p.boolean().default(true),
    failingSince: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
    failingNotifiedAt: timestamp().nullable(),
  },
})
