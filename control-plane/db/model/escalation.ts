import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'
import type { StepCondition } from './shapes.ts'

/** Who is called of an incident that no person takes. */
export const EscalationPolicy = defineEntity({
  name: 'EscalationPolicy',
  tableName: 'escalation_policies',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    isDefault: p.boolean().default(false),
    repeatCount: p.integer().default(0),
    repeatDelayMinutes: p.integer(),
    fallbackPolicyId: p.uuid().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

export const assignments = ['all', 'round_robin'] as const
export type Assignment = (typeof assignments)[number]

/** One step of a policy: whom it calls, how long after the step before, and under which condition. */
export const EscalationStep = defineEntity({
  name: 'EscalationStep',
  tableName: 'escalation_steps',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    policyId: p.uuid(),
    position: p.integer(),
    delayMinutes: p.integer(),
    assignment: p.string().$type<Assignment>().length(11).default('all'),
    onlyIf: p.json<StepCondition>().nullable(),
    turn: p.integer().default(0),
    lostAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

export const positions = ['current', 'next'] as const

/** A person, a schedule or a channel that a step calls; without any of them the whole team. */
export const EscalationTarget = defineEntity({
  name: 'EscalationTarget',
  tableName: 'escalation_targets',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    tenantId: p.uuid(),
    stepId: p.uuid(),
    position: p.integer(),
    userId: p.uuid().nullable(),
    scheduleId: p.uuid().nullable(),
    channelId: p.uuid().nullable(),
    duty: p.string().$type<(typeof positions)[number]>().length(7).nullable(),
  },
})

/** The escalation of one incident. */
export const EscalationRun = defineEntity({
  name: 'EscalationRun',
  tableName: 'escalation_runs',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    tenantId: p.uuid(),
    incidentId: p.uuid(),
    monitorId: p.uuid(),
    policyId: p.uuid(),
    state: p.string().length(12).default('pending'),
    round: p.integer().default(1),
    step: p.integer().default(0),
    repeats: p.integer().default(0),
    nextAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Whom a step of a run called. */
export const EscalationNotification = defineEntity({
  name: 'EscalationNotification',
  tableName: 'escalation_notifications',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    tenantId: p.uuid(),
    runId: p.uuid(),
    policyId: p.uuid(),
    round: p.integer(),
    step: p.integer(),
    target: p.string().length(50),
    userId: p.uuid().nullable(),
    userName: p.string().length(255).nullable(),
    channelId: p.uuid().nullable(),
    outboxId: p.bigint('string').nullable(),
    reason: p.string().length(20).nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
