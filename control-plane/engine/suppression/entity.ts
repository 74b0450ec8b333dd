import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** Checks that change too often to notify of each change. */
export const Flapping = defineEntity({
  name: 'Flapping',
  tableName: 'flappings',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    checkId: p.uuid(),
    startedAt: timestamp(),
    lastChangeAt: timestamp(),
    notifiedAt: timestamp().nullable(),
    forwardedAt: timestamp().nullable(),
    endedAt: timestamp().nullable(),
  },
})

/** Many incidents of one host at once, notified as one. */
export const HostStorm = defineEntity({
  name: 'HostStorm',
  tableName: 'host_storms',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    host: p.string().length(255),
    keys: p.array(),
    startedAt: timestamp(),
    grownAt: timestamp(),
    notifiedAt: timestamp().nullable(),
    notifiedMonitors: p.integer().default(0),
    resolvedAt: timestamp().nullable(),
  },
})

/** Many incidents at once, notified as one. */
export const Storm = defineEntity({
  name: 'Storm',
  tableName: 'storms',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    startedAt: timestamp(),
    grownAt: timestamp(),
    monitorsTotal: p.integer(),
    notifiedAt: timestamp().nullable(),
    notifiedMonitors: p.integer().default(0),
    resolvedAt: timestamp().nullable(),
  },
})
