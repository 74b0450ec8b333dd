import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

/** When each part of the service last did its work. */
export const Liveness = defineEntity({
  name: 'Liveness',
  tableName: 'liveness',
  properties: {
    name: p.string().length(40).primary(),
    at: timestamp(),
  },
})

/** Which process decides: each that begins to takes the next epoch, and writes only while its epoch is the newest. */
export const Epoch = defineEntity({
  name: 'Epoch',
  tableName: 'epochs',
  properties: {
    name: p.string().length(40).primary(),
    epoch: p.bigint('string'),
  },
})

/** An ingest process that owns some of the shards, beside others. One that owns all has no row. */
export const IngestOwner = defineEntity({
  name: 'IngestOwner',
  tableName: 'ingest_owners',
  properties: {
    id: p.uuid().primary(),
    /** How agents reach it. */
    url: p.text(),
    shards: p.array().$type<number[]>().columnType('int[]'),
    since: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** An ingest process that shares the shards with others, as it says of itself every few seconds. */
export const IngestMember = defineEntity({
  name: 'IngestMember',
  tableName: 'ingest_members',
  properties: {
    id: p.uuid().primary(),
    url: p.text(),
    shards: p.array().$type<number[]>().columnType('int[]'),
    /** When it received an agent's last message. */
    reachedAt: timestamp().nullable(),
    /** It gave its shards up: no agent reached it, and others were reached. */
    standsAside: p.boolean(),
    /** Why the results of its shards are not judged. */
    lacks: p.text().nullable(),
    notedAt: timestamp(),
  },
})

/**
 * Marks that ClickHouse has too: one that it knows and this table does not shows that this database was restored from
 * an older backup.
 */
export const RestoreMark = defineEntity({
  name: 'RestoreMark',
  tableName: 'restore_marks',
  properties: {
    id: p.uuid().primary(),
    madeAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Backups that are whole, made by `vedette backup` or noted by an operator. */
export const MadeBackup = defineEntity({
  name: 'MadeBackup',
  tableName: 'backups',
  properties: {
    id: p.uuid().primary(),
    madeAt: timestamp(),
    notedAt: timestamp().defaultRaw('clock_timestamp()'),
    bytes: p.bigint('string').nullable(),
  },
})

/** Rows on which a loop over many tenants failed. Each is put off and listed, and the loop goes on. */
export const QuarantinedRow = defineEntity({
  name: 'QuarantinedRow',
  tableName: 'quarantined_rows',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    kind: p.string().length(40),
    key: p.string().length(200),
    tenantId: p.uuid().nullable(),
    reason: p.string().length(500),
    since: timestamp().defaultRaw('clock_timestamp()'),
    lastTriedAt: timestamp().defaultRaw('clock_timestamp()'),
    attempts: p.integer().default(1),
    nextTryAt: timestamp(),
  },
})

/** What a process of the control plane last said of itself. */
export const ProcessReportRow = defineEntity({
  name: 'ProcessReportRow',
  tableName: 'process_reports',
  properties: {
    id: p.uuid().primary(),
    startedAt: timestamp(),
    reportedAt: timestamp().defaultRaw('clock_timestamp()'),
    report: p.json(),
  },
})

/** The link that makes the operator and the first team. There is at most one. */
export const SetupLink = defineEntity({
  name: 'SetupLink',
  tableName: 'setup_links',
  properties: {
    isOnly: p.boolean().primary().default(true),
    tokenHash: p.blob(),
    expiresAt: timestamp(),
  },
})
