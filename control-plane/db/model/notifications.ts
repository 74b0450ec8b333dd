import { defineEntity, p } from '@mikro-orm/core'
import type { ChannelType } from '#contract/plans.ts'
import { timestamp } from './columns.ts'
import type {
  DeliveryAttempt,
  DeliveryStatus,
  MonitorFilter,
  StoredDecision,
  Suppression,
  TenantFilter,
} from './shapes.ts'

/** Where a team is notified, or one person of it. */
export const NotificationChannel = defineEntity({
  name: 'NotificationChannel',
  tableName: 'notification_channels',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    type: p.string().length(20).$type<ChannelType>(),
    config: p.json<Record<string, unknown>>(),
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

/** One message to one channel, with its attempts. */
export const Delivery = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    channelId: p.uuid(),
    eventId: p.bigint('string').nullable(),
    event: p.string().length(60),
    managedTenantId: p.uuid().nullable(),
    monitorId: p.uuid().nullable(),
    body: p.text().nullable(),
    status: p.string().length(10).$type<DeliveryStatus>().default('pending'),
    attempts: p.smallint().default(0),
    replays: p.smallint().default(0),
    log: p.json<DeliveryAttempt[]>().defaultRaw("'[]'"),
    nextAt: timestamp(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    finishedAt: timestamp().nullable(),
    subject: p.uuid().nullable(),
    opens: p.string().length(60).nullable(),
    mailedTo: p.array().defaultRaw("'{}'"),
    handedTo: p.array().columnType('uuid[]').defaultRaw("'{}'"),
    handedOverAt: timestamp().nullable(),
  },
})

/** What was decided about an event of an incident, for the channels of the team or of its reseller. */
export const NotificationDecisions = defineEntity({
  name: 'NotificationDecisions',
  tableName: 'notification_decisions',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    tenantId: p.uuid(),
    resellerId: p.uuid().nullable(),
    incidentId: p.uuid(),
    eventId: p.bigint('string'),
    event: p.string().length(60),
    stage: p.string().length(10).$type<Suppression['stage']>(),
    channels: p.json<StoredDecision[]>(),
    emittedAt: timestamp(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
