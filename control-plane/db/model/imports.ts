import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'
import type { Evidence, MigrationCounts, MigrationOptions } from './shapes.ts'

/** A move from another provider, over its days. The row decides what its workflow does next. */
export const ProviderMigration = defineEntity({
  name: 'ProviderMigration',
  tableName: 'provider_migrations',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    provider: p.string().length(30),
    name: p.string().length(255),
    account: p.string().length(100).default(''),
    baseUrl: p.text().nullable(),
    options: p.json<Partial<MigrationOptions>>().defaultRaw("'{}'"),
    state: p.string().length(12).default('draft'),
    failedIn: p.string().length(12).nullable(),
    failure: p.text().nullable(),
    credentials: p.text().nullable(),
    credentialsExpireAt: timestamp().nullable(),
    hasFile: p.boolean().default(false),
    phase: p.string().length(20).nullable(),
    done: p.integer().default(0),
    total: p.integer().default(0),
    counts: p.json<Partial<MigrationCounts>>().defaultRaw("'{}'"),
    notes: p.json<string[]>().defaultRaw("'[]'"),
    askedBy: p.uuid().nullable(),
    previewedAt: timestamp().nullable(),
    shadowAt: timestamp().nullable(),
    cutoverAt: timestamp().nullable(),
    rollbackUntil: timestamp().nullable(),
    polledAt: timestamp().nullable(),
    pollFailure: p.text().nullable(),
    polls: p.integer().default(0),
    pausesSource: p.boolean().default(false),
    revision: p.integer().default(0),
    steps: p.integer().default(0),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** A part of the file of a migration, encrypted. */
export const MigrationFile = defineEntity({
  name: 'MigrationFile',
  tableName: 'migration_files',
  properties: {
    migrationId: p.uuid().primary(),
    ordinal: p.integer().primary(),
    tenantId: p.uuid(),
    content: p.text(),
  },
})

/** What was found at the source, and what becomes of it. */
export const MigrationItem = defineEntity({
  name: 'MigrationItem',
  tableName: 'migration_items',
  properties: {
    migrationId: p.uuid().primary(),
    ordinal: p.integer().primary(),
    tenantId: p.uuid(),
    kind: p.string().length(20),
    sourceId: p.string().length(255),
    sourceKind: p.string().length(60),
    name: p.string().length(255),
    target: p.text().nullable(),
    action: p.string().length(10),
    reason: p.text(),
    exceeds: p.string().length(40).nullable(),
    standIns: p.json<string[]>().defaultRaw("'[]'"),
    wanted: p.text().nullable(),
    isEnabled: p.boolean().default(true),
    state: p.string().length(10).default('pending'),
    failure: p.text().nullable(),
    monitorId: p.uuid().nullable(),
    statusPageId: p.uuid().nullable(),
    keepsPingAddress: p.boolean().nullable(),
    pastIncidents: p.integer().nullable(),
    hasHistory: p.boolean().default(false),
  },
})

/** Which monitor came of which record of which source. */
export const ImportedMonitor = defineEntity({
  name: 'ImportedMonitor',
  tableName: 'imported_monitors',
  properties: {
    tenantId: p.uuid().primary(),
    source: p.string().length(150).primary(),
    sourceId: p.string().length(255).primary(),
    monitorId: p.uuid(),
    migrationId: p.uuid(),
    fingerprint: p.string().length(32),
    isEnabled: p.boolean(),
    isCreated: p.boolean().default(true),
  },
})

/** The time for which a source lists all outages of a monitor. */
export const ImportedHistory = defineEntity({
  name: 'ImportedHistory',
  tableName: 'imported_histories',
  properties: {
    monitorId: p.uuid().primary(),
    tenantId: p.uuid(),
    source: p.string().length(150),
    knownFrom: timestamp(),
    knownUntil: timestamp(),
  },
})

/** A span in which the old provider and ours said different things of a monitor. */
export const MigrationDivergence = defineEntity({
  name: 'MigrationDivergence',
  tableName: 'migration_divergences',
  properties: {
    id: p.uuid().primary(),
    migrationId: p.uuid(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    kind: p.string().length(10),
    ours: p.json<Evidence>(),
    theirs: p.json<Evidence>(),
    startedAt: timestamp(),
    endedAt: timestamp().nullable(),
    polls: p.integer().default(1),
    verdict: p.string().length(20),
    explanation: p.text(),
  },
})
