import { defineEntity, p } from '@mikro-orm/core'
import type { Impact, Phase, SettableStatus } from '#contract/status-page.ts'
import type { Language } from '#locales/languages.ts'
import { timestamp } from './columns.ts'
import type {
  AccessMode,
  ComponentType,
  DownStatus,
  PageLink,
  PageState,
  PageTexts,
  Theme,
  UptimeMode,
} from './status-page-values.ts'

/** What the public sees of a team's monitors. */
export const StatusPage = defineEntity({
  name: 'StatusPage',
  tableName: 'status_pages',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    slug: p.string().length(63),
    description: p.text().default(''),
    state: p.string().$type<PageState>().length(10).default('draft'),
    access: p.string().$type<AccessMode>().length(15).default('public'),
    passwordHash: p.text().nullable(),
    passwordChangedAt: timestamp().nullable(),
    accessChangedAt: timestamp().defaultRaw('clock_timestamp()'),
    allowedEmailDomains: p.array().defaultRaw("'{}'"),
    allowedIps: p.array().defaultRaw("'{}'"),
    locale: p.string().$type<Language>().length(5).default('en'),
    locales: p.array<Language>().defaultRaw("'{en}'"),
    timezone: p.string().length(64).default('UTC'),
    historyDays: p.integer().default(90),
    showUptime: p.boolean().default(true),
    showResponse: p.boolean().default(false),
    showValues: p.boolean().default(true),
    uptimeMode: p.string().$type<UptimeMode>().length(10).default('duration'),
    minIncidentMinutes: p.integer().default(0),
    noindex: p.boolean().default(false),
    hidePoweredBy: p.boolean().nullable(),
    primaryColor: p.string().length(7).nullable(),
    logoUrl: p.string().length(500).nullable(),
    logoUrlDark: p.string().length(500).nullable(),
    theme: p.string().$type<Theme>().length(5).default('auto'),
    headerLinks: p.json<PageLink[]>().defaultRaw("'[]'"),
    footerLinks: p.json<PageLink[]>().defaultRaw("'[]'"),
    texts: p.json<Partial<Record<Language, PageTexts>>>().defaultRaw("'{}'"),
    contentChangedAt: timestamp().defaultRaw('clock_timestamp()'),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** An address that a page had. */
export const StatusPageFormerSlug = defineEntity({
  name: 'StatusPageFormerSlug',
  tableName: 'status_page_former_slugs',
  properties: {
    slug: p.string().length(63).primary(),
    tenantId: p.uuid(),
    pageId: p.uuid().nullable(),
    reservedUntil: timestamp(),
  },
})

/** Components under one heading. */
export const StatusPageGroup = defineEntity({
  name: 'StatusPageGroup',
  tableName: 'status_page_groups',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    pageId: p.uuid(),
    name: p.string().length(255),
    position: p.integer(),
    isOpen: p.boolean().default(false),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** A line of a page with a status: of one monitor, of all monitors of a `group`, or set by a person. */
export const StatusPageComponent = defineEntity({
  name: 'StatusPageComponent',
  tableName: 'status_page_components',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    pageId: p.uuid(),
    groupId: p.uuid().nullable(),
    type: p.string().$type<ComponentType>().length(10).default('monitor'),
    monitorId: p.uuid().nullable(),
    monitorGroup: p.string().length(100).nullable(),
    name: p.string().length(255),
    description: p.text().default(''),
    position: p.integer(),
    showHistory: p.boolean().default(true),
    statusWhenDown: p.string().$type<DownStatus>().length(20).default('major_outage'),
    staticStatus: p.string().$type<SettableStatus>().length(20).nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** An incident as the public reads of it, on one page. */
export const StatusPagePost = defineEntity({
  name: 'StatusPagePost',
  tableName: 'status_page_posts',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    pageId: p.uuid(),
    incidentId: p.uuid().nullable(),
    title: p.string().length(255),
    impact: p.string().$type<Impact>().length(10).default('minor'),
    phase: p.string().$type<Phase>().length(15).default('investigating'),
    countsAsDowntime: p.boolean().default(false),
    startedAt: timestamp(),
    resolvedAt: timestamp().nullable(),
    incidentOverAt: timestamp().nullable(),
    postmortem: p.text().nullable(),
    postmortemPublishedAt: timestamp().nullable(),
    createdBy: p.uuid().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** A component that a post concerns. It stays when the component is deleted, with the name that it was posted under. */
export const StatusPagePostComponent = defineEntity({
  name: 'StatusPagePostComponent',
  tableName: 'status_page_post_components',
  properties: {
    postId: p.uuid().primary(),
    componentId: p.uuid().primary(),
    pageId: p.uuid(),
    tenantId: p.uuid(),
    status: p.string().$type<SettableStatus>().length(20).default('major_outage'),
    follows: p.boolean().default(false),
    name: p.string().length(255).nullable(),
  },
})

/** What was published about a post, or of a window what subscribers are sent: that has `pageId` in place of `postId`. */
export const StatusPageUpdate = defineEntity({
  name: 'StatusPageUpdate',
  tableName: 'status_page_updates',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    postId: p.uuid().nullable(),
    pageId: p.uuid().nullable(),
    windowId: p.uuid().nullable(),
    title: p.string().length(255).nullable(),
    componentIds: p.array().columnType('uuid[]').defaultRaw("'{}'"),
    startsAt: timestamp().nullable(),
    endsAt: timestamp().nullable(),
    phase: p.string().$type<Phase>().length(15).default('investigating'),
    body: p.text(),
    at: timestamp().defaultRaw('clock_timestamp()'),
    createdBy: p.uuid().nullable(),
    notifySubscribers: p.boolean().default(false),
    queuedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** A text that a team prepared for updates. */
export const StatusPageUpdateTemplate = defineEntity({
  name: 'StatusPageUpdateTemplate',
  tableName: 'status_page_update_templates',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    phase: p.string().$type<Phase>().length(15).default('investigating'),
    title: p.string().length(255).nullable(),
    body: p.text(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Who is notified of the updates of a status page. */
export const StatusPageSubscriber = defineEntity({
  name: 'StatusPageSubscriber',
  tableName: 'status_page_subscribers',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    pageId: p.uuid(),
    channel: p.string().length(10).default('email'),
    address: p.text(),
    addressHash: p.blob(),
    hostKey: p.string().length(64).default(''),
    componentIds: p.array().columnType('uuid[]').defaultRaw("'{}'"),
    locale: p.string().length(5).default('en'),
    state: p.string().length(12).default('pending'),
    source: p.string().length(10).default('self'),
    tokenHash: p.blob().nullable(),
    askedAt: p.array().columnType('timestamptz[]').defaultRaw("'{}'"),
    admittedAsOf: timestamp().defaultRaw('clock_timestamp()'),
    confirmedAt: timestamp().nullable(),
    unsubscribedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** How far the subscribers of a page were queued for an update. */
export const SubscriberMailing = defineEntity({
  name: 'SubscriberMailing',
  tableName: 'subscriber_mailings',
  properties: {
    updateId: p.uuid().primary(),
    tenantId: p.uuid(),
    afterId: p.uuid().nullable(),
    finishedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** A message to one subscriber: an update, or the question whether the subscription is wanted. */
export const SubscriberMessage = defineEntity({
  name: 'SubscriberMessage',
  tableName: 'subscriber_messages',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    tenantId: p.uuid(),
    subscriberId: p.uuid(),
    updateId: p.uuid().nullable(),
    queue: p.string().length(4).default('mail'),
    queueKey: p.string().length(64).default(''),
    attempts: p.integer().default(0),
    nextAt: timestamp().defaultRaw('clock_timestamp()'),
    doneAt: timestamp().nullable(),
    outcome: p.string().length(20).nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

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
