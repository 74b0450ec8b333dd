import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** A hostname of a team at which its status page or its portal is served, once its DNS records are verified. */
export const CustomDomain = defineEntity({
  name: 'CustomDomain',
  tableName: 'custom_domains',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    hostname: p.string().length(253),
    purpose: p.string().length(20).default('status_page'),
    targetId: p.uuid().nullable(),
    state: p.string().length(12).default('pending_dns'),
    txtToken: p.string().length(43),
    attempts: p.integer().default(0),
    lastError: p.string().length(20).nullable(),
    stateChangedAt: timestamp().defaultRaw('clock_timestamp()'),
    verifiedAt: timestamp().nullable(),
    lastCheckedAt: timestamp().nullable(),
    nextCheckAt: timestamp().defaultRaw('clock_timestamp()').nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
