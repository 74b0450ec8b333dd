import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'
import type { Suppression } from '#control-plane/outbox/suppression.ts'
import type { StoredDecision } from './store.ts'

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
