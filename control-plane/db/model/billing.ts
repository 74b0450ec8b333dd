import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'
import type { InvoiceLine, Payer } from './shapes.ts'

/** What a tenant pays for, and the plan that follows from it. */
export const Subscription = defineEntity({
  name: 'Subscription',
  tableName: 'subscriptions',
  properties: {
    tenantId: p.uuid().primary(),
    provider: p.string().length(10).default('manual'),
    customerRef: p.string().length(255).nullable(),
    subscriptionRef: p.string().length(255).nullable(),
    subscriptionCreatedAt: timestamp().nullable(),
    scheduleRef: p.string().length(255).nullable(),
    collection: p.string().length(10).default('none'),
    status: p.string().length(10).default('none'),
    plan: p.string().length(20).default('free'),
    planInForce: p.string().length(20).default('free'),
    interval: p.string().length(5).nullable(),
    currency: p.string().length(3).nullable(),
    seats: p.integer().default(1),
    currentPeriodStart: timestamp().nullable(),
    currentPeriodEnd: timestamp().nullable(),
    pendingPlan: p.string().length(20).nullable(),
    pendingInterval: p.string().length(5).nullable(),
    pendingAt: timestamp().nullable(),
    pastDueSince: timestamp().nullable(),
    graceEndsAt: timestamp().nullable(),
    graceRemindedAt: timestamp().nullable(),
    invoicedFrom: timestamp().nullable(),
    payer: p.json<Payer>().defaultRaw("'{}'"),
    seenAt: timestamp().nullable(),
    revision: p.integer().default(0),
    nextDueAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Amounts are in minor units of the currency. */
export const Invoice = defineEntity({
  name: 'Invoice',
  tableName: 'invoices',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    provider: p.string().length(10).default('manual'),
    providerRef: p.string().length(255).nullable(),
    subscriptionRef: p.string().length(255).nullable(),
    number: p.string().length(60).nullable(),
    reason: p.string().length(60).default('start'),
    status: p.string().length(13).default('draft'),
    plan: p.string().length(20).nullable(),
    interval: p.string().length(5).nullable(),
    seats: p.integer().default(1),
    currency: p.string().length(3).default('eur'),
    subtotal: p.integer().default(0),
    tax: p.integer().default(0),
    total: p.integer().default(0),
    amountPaid: p.integer().default(0),
    lines: p.json<InvoiceLine[]>().defaultRaw("'[]'"),
    payer: p.json<Payer>().defaultRaw("'{}'"),
    periodStart: timestamp().defaultRaw('clock_timestamp()'),
    periodEnd: timestamp().defaultRaw('clock_timestamp()'),
    issuedAt: timestamp().nullable(),
    dueAt: timestamp().nullable(),
    paidAt: timestamp().nullable(),
    failedAt: timestamp().nullable(),
    attempts: p.integer().default(0),
    hostedUrl: p.text().nullable(),
    seenAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Subscriptions that are to be cancelled at Stripe. */
export const EndedSubscription = defineEntity({
  name: 'EndedSubscription',
  tableName: 'ended_subscriptions',
  properties: {
    subscriptionRef: p.text().primary(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    nextAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Events of a provider, with the parts of their objects that are used. */
export const BillingEvent = defineEntity({
  name: 'BillingEvent',
  tableName: 'billing_events',
  properties: {
    id: p.string().length(255).primary(),
    provider: p.string().length(10).default('stripe'),
    type: p.string().length(100),
    tenantId: p.uuid().nullable(),
    occurredAt: timestamp().defaultRaw('clock_timestamp()'),
    object: p.json<Record<string, unknown>>().nullable(),
    outcome: p.string().length(10).nullable(),
    nextAt: timestamp().defaultRaw('clock_timestamp()').nullable(),
    receivedAt: timestamp().defaultRaw('clock_timestamp()'),
    handledAt: timestamp().nullable(),
  },
})
