import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

/** Answers that are given again to a request with the same key. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    tenantId: p.uuid().primary(),
    tokenId: p.uuid().primary(),
    key: p.string().length(255).primary(),
    fingerprint: p.blob(),
    status: p.smallint().nullable(),
    answer: p.text().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Requests of the last minute by key. A crash of PostgreSQL may lose them. */
export const RateWindow = defineEntity({
  name: 'RateWindow',
  tableName: 'rate_windows',
  properties: {
    key: p.blob().primary(),
    slots: p.array().columnType('bigint[]').defaultRaw("'{}'"),
    counts: p.array<number>().columnType('int[]').defaultRaw("'{}'"),
    endsAt: p.bigint('string').default('0'),
  },
})
