import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

/** Checks of kind cron: when the next ping is expected. `wake_at` is never later than `alert_after`, and is indexed. */
export const Heartbeat = defineEntity({
  name: 'Heartbeat',
  tableName: 'heartbeats',
  properties: {
    checkId: p.uuid().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    outcome: p.string().length(10).nullable(),
    reportedAt: timestamp().nullable(),
    armedBy: p.text().nullable(),
    expectedAt: timestamp().nullable(),
    alertAfter: timestamp().nullable(),
    wakeAt: timestamp().nullable().defaultRaw('clock_timestamp()'),
    runs: p.json<Record<string, number>>().defaultRaw("'{}'"),
    pings: p.bigint('string').default('0'),
    lastPingAt: timestamp().nullable(),
    lastState: p.string().length(10).nullable(),
    trimmedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Addresses that a job pings. */
export const PingAddress = defineEntity({
  name: 'PingAddress',
  tableName: 'ping_addresses',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    tenantId: p.uuid(),
    checkId: p.uuid(),
    endsAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Addresses that a job had at another provider, by the hash of the secret in them. */
export const PingAlias = defineEntity({
  name: 'PingAlias',
  tableName: 'ping_aliases',
  properties: {
    kind: p.string().length(20).primary(),
    tokenHash: p.blob().primary(),
    tenantId: p.uuid(),
    checkId: p.uuid(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** The newest pings of a heartbeat, in a fixed number of places. */
export const Ping = defineEntity({
  name: 'Ping',
  tableName: 'pings',
  properties: {
    checkId: p.uuid().primary(),
    place: p.smallint().primary(),
    tenantId: p.uuid(),
    number: p.bigint('string'),
    at: timestamp(),
    state: p.string().length(10),
    method: p.string().length(4),
    runId: p.string().length(64).nullable(),
    exitCode: p.integer().nullable(),
    durationMs: p.bigint('string').nullable(),
    output: p.text().nullable(),
    ip: p.string().columnType('inet').nullable(),
    isFormerUrl: p.boolean().default(false),
  },
})

/** When pings could not be received. Silence in such a time is excused. */
export const IngestionGap = defineEntity({
  name: 'IngestionGap',
  tableName: 'ingestion_gaps',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    startedAt: timestamp(),
    endedAt: timestamp(),
  },
})

/** Where browsers report web vitals. The id is visible in the source of a public page and can be rotated. */
export const VitalsBeacon = defineEntity({
  name: 'VitalsBeacon',
  tableName: 'vitals_beacons',
  properties: {
    monitorId: p.uuid().primary(),
    tenantId: p.uuid(),
    beaconId: p.uuid(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})
