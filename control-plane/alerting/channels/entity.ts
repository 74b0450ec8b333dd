import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'
import type { Config } from './config.ts'
import type { ChannelType } from './kinds/kind.ts'

/** Where a team is notified, or one person of it. */
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
    /** Whose contact method it is; null for a channel of the team. */
    ownerUserId: p.uuid().nullable(),
    /** The place among the contact methods of the person, from 1. */
    position: p.integer().nullable(),
    /** Whether it is the address of the person's account. */
    isAccount: p.boolean().default(false),
    /** When a test of a contact method succeeded last, unless its configuration changed since. */
    verifiedAt: timestamp().nullable(),
  },
})
