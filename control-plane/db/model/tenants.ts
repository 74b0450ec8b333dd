import { randomUUID } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

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

/** Which quota notices were sent, and when. */
export const QuotaNotice = defineEntity({
  name: 'QuotaNotice',
  tableName: 'quota_notices',
  properties: {
    tenantId: p.uuid().primary(),
    event: p.string().length(40).primary(),
    feature: p.string().length(40).primary(),
    notifiedAt: timestamp(),
  },
})

/** Usage by month and metric, for plans. */
export const UsageCounter = defineEntity({
  name: 'UsageCounter',
  tableName: 'usage_counters',
  properties: {
    tenantId: p.uuid().primary(),
    period: p.date().primary(),
    metric: p.string().length(40).primary(),
    count: p.bigint('string').default('0'),
  },
})

/** How a team, or each team of a reseller, appears to its users. */
export const Branding = defineEntity({
  name: 'Branding',
  tableName: 'brandings',
  properties: {
    tenantId: p.uuid().primary(),
    brandName: p.string().length(100).nullable(),
    alertPrefix: p.string().length(50).nullable(),
    logoUrl: p.string().length(500).nullable(),
    logoUrlDark: p.string().length(500).nullable(),
    symbolUrl: p.string().length(500).nullable(),
    faviconUrl: p.string().length(500).nullable(),
    footerUrl: p.string().length(500).nullable(),
    privacyUrl: p.string().length(500).nullable(),
    imprintUrl: p.string().length(500).nullable(),
    upgradeUrl: p.string().length(500).nullable(),
    supportUrl: p.string().length(500).nullable(),
    primaryColor: p.string().length(7).nullable(),
    secondaryColor: p.string().length(7).nullable(),
    footerText: p.string().length(200).nullable(),
    hidePoweredBy: p.boolean().nullable(),
    notificationFromName: p.string().length(100).nullable(),
    upsellMode: p.string().length(10).nullable(),
    upsellCta: p.string().length(10).nullable(),
    planLabels: p.json<Record<string, string>>().nullable(),
    upsellOffers: p.json<unknown>().nullable(),
    upsellThreshold: p.double().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})

/** A team's own mail server. */
export const SmtpConfig = defineEntity({
  name: 'SmtpConfig',
  tableName: 'smtp_configs',
  properties: {
    tenantId: p.uuid().primary(),
    host: p.string().length(255),
    port: p.integer(),
    encryption: p.string().length(3),
    username: p.string().length(255).nullable(),
    password: p.text().nullable(),
    fromAddress: p.string().length(254).nullable(),
    fromName: p.string().length(100).nullable(),
    failingSince: timestamp().nullable(),
    failure: p.string().length(20).nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
