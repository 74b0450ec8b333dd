import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'
import type { Attempt, Status } from './view.ts'

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
    status: p.string().length(10).$type<Status>().default('pending'),
    attempts: p.smallint().default(0),
    replays: p.smallint().default(0),
    log: p.json<Attempt[]>().defaultRaw("'[]'"),
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
