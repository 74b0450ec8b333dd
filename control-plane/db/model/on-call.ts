import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'
import type { handoffs, Restriction } from './shapes.ts'

/** Who is on call, and when: rotations in an order, and overrides. */
export const OnCallSchedule = defineEntity({
  name: 'OnCallSchedule',
  tableName: 'on_call_schedules',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    timezone: p.string().length(64),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
    watchAt: timestamp().defaultRaw('clock_timestamp()'),
    knowsDuty: p.boolean().default(true),
    onDutyUserId: p.uuid().nullable(),
    warnedGaps: p.json<{ from: number; to: number }[]>().defaultRaw("'[]'"),
  },
})

/** People who take turns. The first rotation of a schedule that has a person on duty decides. */
export const OnCallRotation = defineEntity({
  name: 'OnCallRotation',
  tableName: 'on_call_rotations',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    scheduleId: p.uuid(),
    position: p.integer(),
    name: p.string().length(255),
    handoff: p.string().$type<(typeof handoffs)[number]>().length(10),
    shiftMinutes: p.integer().nullable(),
    firstHandoffAt: p.string().length(16),
    restrictions: p.json<Restriction[]>(),
    startsAt: timestamp().nullable(),
    endsAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})

/** A member of the team in a rotation, for as long as the membership lasts. */
export const OnCallRotationUser = defineEntity({
  name: 'OnCallRotationUser',
  tableName: 'on_call_rotation_users',
  properties: {
    rotationId: p.uuid().primary(),
    userId: p.uuid().primary(),
    tenantId: p.uuid(),
    position: p.integer(),
  },
})

/**
 * What decided who has duty in a rotation, from a moment until the next version begins. People who have left since stay
 * in it.
 */
export const OnCallRotationVersion = defineEntity({
  name: 'OnCallRotationVersion',
  tableName: 'on_call_rotation_versions',
  properties: {
    rotationId: p.uuid().primary(),
    number: p.integer().primary(),
    tenantId: p.uuid(),
    fromAt: timestamp().nullable(),
    timezone: p.string().length(64),
    users: p.array().columnType('uuid[]'),
    handoff: p.string().$type<(typeof handoffs)[number]>().length(10),
    shiftMinutes: p.integer().nullable(),
    firstHandoffAt: p.string().length(16),
    restrictions: p.json<Restriction[]>(),
    startsAt: timestamp().nullable(),
    endsAt: timestamp().nullable(),
    turn: p.integer(),
    first: p.integer(),
  },
})

/** A person who takes over for a time: from one other person, or from all. */
export const OnCallOverride = defineEntity({
  name: 'OnCallOverride',
  tableName: 'on_call_overrides',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    scheduleId: p.uuid(),
    userId: p.uuid(),
    replacesUserId: p.uuid().nullable(),
    policyId: p.uuid().nullable(),
    startsAt: timestamp(),
    endsAt: timestamp(),
    reason: p.string().length(255).nullable(),
    createdBy: p.uuid().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** The secret address of a person's calendar, by its hash. */
export const OnCallCalendar = defineEntity({
  name: 'OnCallCalendar',
  tableName: 'on_call_calendars',
  properties: {
    userId: p.uuid().primary(),
    tenantId: p.uuid().primary(),
    tokenHash: p.blob(),
    createdAt: timestamp().defaultRaw('now()'),
  },
})
