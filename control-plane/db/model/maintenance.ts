import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

/** When a team works on its systems. */
export const MaintenanceWindow = defineEntity({
  name: 'MaintenanceWindow',
  tableName: 'maintenance_windows',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    title: p.string().length(255),
    description: p.text().default(''),
    monitorIds: p.array().columnType('uuid[]').defaultRaw("'{}'"),
    tags: p.array().defaultRaw("'{}'"),
    isAll: p.boolean().default(false),
    startsAt: p.string().length(19),
    timezone: p.string().length(64),
    durationMinutes: p.integer(),
    rrule: p.string().length(500).nullable(),
    until: p.string().length(19).nullable(),
    mode: p.string().length(20).default('suppress_alerts'),
    excludeFromUptime: p.boolean().default(true),
    state: p.string().length(10).default('scheduled'),
    nextStartsAt: timestamp().nullable(),
    nextEndsAt: timestamp().nullable(),
    actualStartedAt: timestamp().nullable(),
    actualEndedAt: timestamp().nullable(),
    lastPlannedAt: timestamp().nullable(),
    exceptions: p.json<unknown>().defaultRaw("'[]'"),
    notifyOnCreate: p.boolean().default(false),
    notifyBeforeMinutes: p.array().columnType('int[]').defaultRaw("'{}'"),
    notifyOnStart: p.boolean().default(false),
    notifyOnEnd: p.boolean().default(false),
    statusPageIds: p.array().columnType('uuid[]').defaultRaw("'{}'"),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** When a window covered a monitor. Triggers write it; without an end the monitor is in maintenance. */
export const MaintenanceSpan = defineEntity({
  name: 'MaintenanceSpan',
  tableName: 'maintenance_spans',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    windowId: p.uuid().nullable(),
    startedAt: timestamp().defaultRaw('clock_timestamp()'),
    endedAt: timestamp().nullable(),
    isExcluded: p.boolean().default(true),
    isPaused: p.boolean().default(false),
  },
})

/** An occurrence that pages announced, after its end. A trigger writes it. */
export const MaintenanceOccurrence = defineEntity({
  name: 'MaintenanceOccurrence',
  tableName: 'maintenance_occurrences',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    tenantId: p.uuid(),
    windowId: p.uuid(),
    monitorIds: p.array().columnType('uuid[]'),
    plannedAt: timestamp(),
    startedAt: timestamp(),
    endedAt: timestamp(),
  },
})

/** Mails about a window that are due. Triggers plan them; the watch sends them. */
export const MaintenanceNotice = defineEntity({
  name: 'MaintenanceNotice',
  tableName: 'maintenance_notices',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    tenantId: p.uuid(),
    windowId: p.uuid(),
    kind: p.string().length(10).default('reminder'),
    dueAt: timestamp().defaultRaw('clock_timestamp()'),
    startsAt: timestamp().nullable(),
    endsAt: timestamp().nullable(),
  },
})

/** The secret address of a team's calendar of windows. */
export const MaintenanceCalendar = defineEntity({
  name: 'MaintenanceCalendar',
  tableName: 'maintenance_calendars',
  properties: {
    tenantId: p.uuid().primary(),
    tokenHash: p.blob(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
