import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** Who is notified of the updates of a status page. */
export const StatusPageSubscriber = defineEntity({
  name: 'StatusPageSubscriber',
  tableName: 'status_page_subscribers',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    pageId: p.uuid(),
    channel: p.string().length(10).default('email'),
    address: p.text(),
    addressHash: p.blob(),
    hostKey: p.string().length(64).default(''),
    componentIds: p.array().columnType('uuid[]').defaultRaw("'{}'"),
    locale: p.string().length(5).default('en'),
    state: p.string().length(12).default('pending'),
    source: p.string().length(10).default('self'),
    tokenHash: p.blob().nullable(),
    askedAt: p.array().columnType('timestamptz[]').defaultRaw("'{}'"),
    admittedAsOf: timestamp().defaultRaw('clock_timestamp()'),
    confirmedAt: timestamp().nullable(),
    unsubscribedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** How far the subscribers of a page were queued for an update. */
export const SubscriberMailing = defineEntity({
  name: 'SubscriberMailing',
  tableName: 'subscriber_mailings',
  properties: {
    updateId: p.uuid().primary(),
    tenantId: p.uuid(),
    afterId: p.uuid().nullable(),
    finishedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** A message to one subscriber: an update, or the question whether the subscription is wanted. */
export const SubscriberMessage = defineEntity({
  name: 'SubscriberMessage',
  tableName: 'subscriber_messages',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    tenantId: p.uuid(),
    subscriberId: p.uuid(),
    updateId: p.uuid().nullable(),
    queue: p.string().length(4).default('mail'),
    queueKey: p.string().length(64).default(''),
    attempts: p.integer().default(0),
    nextAt: timestamp().defaultRaw('clock_timestamp()'),
    doneAt: timestamp().nullable(),
    outcome: p.string().length(20).nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
