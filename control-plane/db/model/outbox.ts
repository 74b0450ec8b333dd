import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'
import type { Suppression } from './shapes.ts'

/** Events and tasks, stored with the change that caused them and handed on afterwards. */
export const OutboxRow = defineEntity({
  name: 'OutboxRow',
  tableName: 'outbox',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    tenantId: p.uuid(),
    kind: p.string().length(10),
    name: p.string().length(60),
    payload: p.json<Record<string, unknown>>(),
    createdAt: timestamp().defaultRaw('now()'),
    doneAt: timestamp().nullable(),
    attempts: p.integer().default(0),
    nextAt: timestamp().defaultRaw('now()'),
    error: p.text().nullable(),
    isPersonal: p.boolean().default(false),
    deadAt: timestamp().nullable(),
    deadId: p.uuid().nullable(),
    waits: p.integer().default(0),
    suppression: p.json<Suppression>().nullable(),
  },
})

/** What open streams are sent, for minutes. Triggers write it. */
export const StreamEvent = defineEntity({
  name: 'StreamEvent',
  tableName: 'stream_events',
  properties: {
    id: p.bigint('string').autoincrement(false).primary(),
    tenantId: p.uuid().nullable(),
    name: p.string().length(60).default(''),
    payload: p.json<Record<string, unknown>>().defaultRaw("'{}'"),
    at: timestamp().defaultRaw('clock_timestamp()'),
    xid: p.string().columnType('xid8').defaultRaw('pg_current_xact_id()'),
    snapshot: p.string().columnType('pg_snapshot').defaultRaw('pg_current_snapshot()'),
    madeAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** The audit trail. Entries are added and redacted, never edited. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    userId: p.uuid().nullable(),
    tokenId: p.uuid().nullable(),
    action: p.string().length(60),
    entityType: p.string().length(40),
    entityId: p.uuid().nullable(),
    changes: p.json<unknown>().nullable(),
    ip: p.string().columnType('inet').nullable(),
    requestId: p.string().length(64).nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    impersonatorId: p.uuid().nullable(),
  },
})

/** The newest link of each tenant's audit chain. */
export const AuditHead = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_heads',
  properties: {
    tenantId: p.uuid().primary(),
    seq: p.bigint('string').default('0'),
    hash: p.blob().defaultRaw("'\\x'"),
    changedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/**
 * The audit chain: each hash covers the one before and the entry. What may be redacted is covered through a salted
 * mark.
 */
export const AuditLink = defineEntity({
  name: 'AuditLink',
  tableName: 'audit_links',
  properties: {
    tenantId: p.uuid().primary(),
    seq: p.bigint('string').primary(),
    entryId: p.uuid(),
    isRedaction: p.boolean().default(false),
    ipSalt: p.blob().nullable(),
    ipMark: p.blob().nullable(),
    requestSalt: p.blob().nullable(),
    requestMark: p.blob().nullable(),
    changesSalt: p.blob().nullable(),
    changesMark: p.blob().nullable(),
    hash: p.blob(),
  },
})
