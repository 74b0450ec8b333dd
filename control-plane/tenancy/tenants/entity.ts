import { randomUUID } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** Teams and resellers: the owners of all other rows. */
export const Tenant = defineEntity({
  name: 'Tenant',
  tableName: 'tenants',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUID()),
    name: p.string().length(255),
    slug: p.string().length(100),
    plan: p.string().length(20).default('free'),
    featureOverrides: p.json<Record<string, unknown>>().defaultRaw("'{}'"),
    isReseller: p.boolean().default(false),
    pausedAt: timestamp().nullable(),
    deletedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
    webhookSecret: p.text().nullable(),
    suspendedAt: timestamp().nullable(),
    suspendedReason: p.string().length(255).nullable(),
    pausedBeforeSuspension: timestamp().nullable(),
  },
})

/** Counts that a reseller's lists show of a team. Triggers update them, so that no list has to count. */
export const TenantCount = defineEntity({
  name: 'TenantCount',
  tableName: 'tenant_counts',
  properties: {
    tenantId: p.uuid().primary(),
    resellerId: p.uuid().nullable(),
    monitors: p.integer().default(0),
    monitorsUp: p.integer().default(0),
    monitorsDown: p.integer().default(0),
    openIncidents: p.integer().default(0),
    members: p.integer().default(0),
  },
})
