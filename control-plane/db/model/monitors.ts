import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'
import type { AskedRegion, BudgetState, Objective, RegionPolicy, RegionResult } from './shapes.ts'

/** What a deleted monitor was called: its incidents and figures stay. */
export const RemovedMonitor = defineEntity({
  name: 'RemovedMonitor',
  tableName: 'removed_monitors',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    url: p.text(),
    tags: p.array(),
    createdAt: timestamp(),
    removedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** What is monitored. */
export const Monitor = defineEntity({
  name: 'Monitor',
  tableName: 'monitors',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    url: p.text(),
    type: p.string().length(20),
    tags: p.array().defaultRaw("'{}'"),
    groupName: p.string().length(100).nullable(),
    notes: p.text().nullable(),
    isEnabled: p.boolean().default(true),
    heldByPlan: p.boolean().default(false),
    checkInterval: p.integer(),
    timeout: p.integer(),
    regions: p.array().defaultRaw("'{}'"),
    regionPolicy: p.json<RegionPolicy>(),
    confirmations: p.smallint(),
    recoveryConfirmations: p.smallint(),
    dependsOn: p.array().columnType('uuid[]').defaultRaw("'{}'"),
    status: p.string().length(20).nullable(),
    statusReason: p.text().nullable(),
    statusChangedAt: timestamp().nullable(),
    coverage: p.string().length(10).default('none'),
    externalRef: p.string().length(255).nullable(),
    metadata: p.json<Record<string, unknown>>().defaultRaw("'{}'"),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
    switchedAt: timestamp().nullable(),
    isKept: p.boolean().default(false),
    isShadow: p.boolean().default(false),
    coverageSince: timestamp().nullable(),
    slo: p.json<Objective>().nullable(),
    escalationPolicyId: p.uuid().nullable(),
  },
})

/** What is examined of a monitor, one row a kind (several of kind dns). */
export const Check = defineEntity({
  name: 'Check',
  tableName: 'checks',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    type: p.string().length(40),
    isEnabled: p.boolean().default(true),
    settings: p.json<Record<string, unknown>>().defaultRaw("'{}'"),
    interval: p.integer().nullable(),
    severity: p.string().length(10).nullable(),
    verdict: p.string().length(10).nullable(),
    verdictSince: timestamp().nullable(),
    verdictReason: p.text().nullable(),
    coverage: p.string().length(10).default('none'),
    failingRegions: p.array().defaultRaw("'{}'"),
    snoozedUntil: timestamp().nullable(),
    snoozedBy: p.uuid().nullable(),
    snoozeReason: p.string().length(255).nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
    secrets: p.text().nullable(),
    /** A person decided that 503 stays a warning, as it was by default when the check was stored. */
    keepsFormerDefault: p.boolean().default(false),
  },
})

/** The objectives of monitors by time, also of deleted ones. A trigger of `monitors` writes them. */
export const SloSpan = defineEntity({
  name: 'SloSpan',
  tableName: 'slo_spans',
  properties: {
    monitorId: p.uuid().primary(),
    since: timestamp().primary(),
    tenantId: p.uuid(),
    endedAt: timestamp().nullable(),
    slo: p.json<Objective>(),
  },
})

/** How the error budget of a monitor was when it was examined last. */
export const SloState = defineEntity({
  name: 'SloState',
  tableName: 'slo_states',
  properties: {
    monitorId: p.uuid().primary(),
    tenantId: p.uuid(),
    state: p.string().$type<BudgetState | 'unknown'>().length(10).default('unknown'),
    examineAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Runs from all regions side by side. */
export const GeoAudit = defineEntity({
  name: 'GeoAudit',
  tableName: 'geo_audits',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    checkId: p.uuid(),
    checkType: p.string().length(40),
    regions: p.json<AskedRegion[]>(),
    results: p.json<RegionResult[]>().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    completedAt: timestamp().nullable(),
  },
})
