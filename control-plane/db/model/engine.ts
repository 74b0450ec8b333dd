import { defineEntity, p } from '@mikro-orm/core'
import type { FrontierRefusal } from '#checks/crawl/frontier.ts'
import type { LinkKind } from '#contract/crawl.ts'
import { timestamp } from './columns.ts'

/** Regions with agents. A retired one is kept with its results and no longer listed to tenants. */
export const Region = defineEntity({
  name: 'Region',
  tableName: 'regions',
  properties: {
    name: p.string().length(40).primary(),
    createdAt: timestamp().defaultRaw('now()'),
    retiredAt: timestamp().nullable(),
  },
})

/** Agents that run checks in a region. */
export const Agent = defineEntity({
  name: 'Agent',
  tableName: 'agents',
  properties: {
    id: p.uuid().primary(),
    region: p.string().length(40),
    name: p.string().length(100),
    publicKey: p.json<unknown>(),
    generation: p.integer().default(0),
    enrolledAt: timestamp().defaultRaw('now()'),
    lastSeenAt: timestamp().nullable(),
    revokedAt: timestamp().nullable(),
    refusedProtocol: p.integer().nullable(),
    refusedVersion: p.string().length(40).nullable(),
    refusedAt: timestamp().nullable(),
    enrolmentId: p.uuid().nullable(),
  },
})

/** Tokens with which agents enrol: one of them once, or all of a region. */
export const AgentEnrolment = defineEntity({
  name: 'AgentEnrolment',
  tableName: 'agent_enrolments',
  properties: {
    id: p.uuid().primary(),
    hash: p.blob(),
    region: p.string().length(40).nullable(),
    expiresAt: timestamp(),
    usedAt: timestamp().nullable(),
    agentId: p.uuid().nullable(),
    isReusable: p.boolean().default(false),
    createdBy: p.uuid().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
  },
})

/** The vote of each region on a check, after its confirmations. */
export const Vote = defineEntity({
  name: 'Vote',
  tableName: 'votes',
  properties: {
    checkId: p.uuid().primary(),
    region: p.string().length(40).primary(),
    tenantId: p.uuid(),
    vote: p.string().length(10).nullable(),
    streakOutcome: p.string().length(10).nullable(),
    streakCount: p.integer().default(0),
    streakSince: timestamp().nullable(),
    lastDue: p.bigint('string').default('0'),
    lastAttempt: p.integer().default(0),
    evidence: p.json<unknown>().nullable(),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})

/**
 * Changes of a check's verdict, with what the check weighed then; also of checks that were removed since, whose last is
 * `removed`.
 */
export const VerdictChange = defineEntity({
  name: 'VerdictChange',
  tableName: 'verdict_changes',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    checkId: p.uuid(),
    at: timestamp(),
    verdict: p.string().length(20),
    severity: p.string().length(20).nullable(),
  },
})

/**
 * What a monitor was judged as, from each moment on until the next; with `region_gaps` its uptime is computed from
 * them. A trigger makes them of the changes of its checks; no edit or removal changes what was judged before.
 */
export const MonitorChange = defineEntity({
  name: 'MonitorChange',
  tableName: 'monitor_changes',
  properties: {
    tenantId: p.uuid().primary(),
    monitorId: p.uuid().primary(),
    at: timestamp().primary(),
    verdict: p.string().length(20),
  },
})

/** The regions that a check was asked from, in ascending order, and since when. */
export const CheckRegions = defineEntity({
  name: 'CheckRegions',
  tableName: 'check_regions',
  properties: {
    checkId: p.uuid().primary(),
    since: timestamp().primary(),
    tenantId: p.uuid(),
    endedAt: timestamp().nullable(),
    shard: p.smallint(),
    regions: p.array(),
  },
})

/** Times in which none of these regions measured for the checks of a shard. */
export const RegionGap = defineEntity({
  name: 'RegionGap',
  tableName: 'region_gaps',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    shard: p.smallint(),
    regions: p.array(),
    startedAt: timestamp(),
    endedAt: timestamp().nullable(),
  },
})

/** Times in which we could not measure. */
export const MonitoringGap = defineEntity({
  name: 'MonitoringGap',
  tableName: 'monitoring_gaps',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    startedAt: timestamp(),
    endedAt: timestamp(),
  },
})

/** Regions whose results wait to be stored, and since which moment the history lacks some of them. */
export const HistoryWait = defineEntity({
  name: 'HistoryWait',
  tableName: 'history_waits',
  properties: {
    region: p.string().length(40).primary(),
    since: timestamp(),
    notedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** When a region became eligible to vote or ineligible, and why. */
export const RegionEligibility = defineEntity({
  name: 'RegionEligibility',
  tableName: 'region_eligibilities',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    region: p.string().length(40),
    at: timestamp(),
    reason: p.string().length(20).nullable(),
  },
})

/** The current warning of a check. */
export const CheckWarning = defineEntity({
  name: 'CheckWarning',
  tableName: 'check_warnings',
  properties: {
    checkId: p.uuid().primary(),
    tenantId: p.uuid(),
    event: p.string().length(60),
    depth: p.integer(),
    since: timestamp(),
    code: p.string().length(100),
    reason: p.text(),
    regions: p.array(),
    details: p.json<unknown>(),
    notifiedDepth: p.integer().nullable(),
    suppressedBy: p.string().length(12).nullable(),
  },
})

/** The last confirmed snapshot of a check's target, for change detection. */
export const CheckSnapshot = defineEntity({
  name: 'CheckSnapshot',
  tableName: 'check_snapshots',
  properties: {
    checkId: p.uuid().primary(),
    tenantId: p.uuid(),
    target: p.text(),
    regions: p.json<unknown>(),
    recent: p.json<unknown>(),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Confirmed changes of a check's target. */
export const CheckChange = defineEntity({
  name: 'CheckChange',
  tableName: 'check_changes',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    checkId: p.uuid(),
    at: timestamp(),
    event: p.string().length(60),
    regions: p.array(),
    payload: p.json<unknown>(),
  },
})

/** States that a job, a server or a crawl reported itself, until they are judged. */
export const PushedReport = defineEntity({
  name: 'PushedReport',
  tableName: 'pushed_reports',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    tenantId: p.uuid(),
    checkId: p.uuid(),
    at: timestamp(),
    judgement: p.json<unknown>(),
    excerpt: p.text().nullable(),
    reportedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Crawls of a monitor's site. `terms` are set when the crawl starts. */
export const CrawlRun = defineEntity({
  name: 'CrawlRun',
  tableName: 'crawl_runs',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    cause: p.string().length(10).default('schedule'),
    state: p.string().length(10).default('queued'),
    reason: p.string().length(200).nullable(),
    region: p.string().length(40).nullable(),
    terms: p.json<unknown>().nullable(),
    pageLimit: p.integer().nullable(),
    found: p.integer().default(0),
    visited: p.integer().default(0),
    checked: p.integer().default(0),
    queued: p.integer().default(0),
    broken: p.integer().default(0),
    mixed: p.integer().default(0),
    bytes: p.bigint('string').default('0'),
    refused: p.json<Partial<Record<FrontierRefusal, number>>>().defaultRaw("'{}'"),
    findings: p.json<unknown>().nullable(),
    createdAt: timestamp(),
    startedAt: timestamp().nullable(),
    lastSeenAt: timestamp().nullable(),
    finishedAt: timestamp().nullable(),
  },
})

/** Addresses of a crawl, also those still to be visited: nothing is lost when an agent ends. */
export const CrawlPage = defineEntity({
  name: 'CrawlPage',
  tableName: 'crawl_pages',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    runId: p.uuid(),
    tenantId: p.uuid(),
    url: p.string().length(2000),
    key: p.uuid(),
    shape: p.uuid().nullable(),
    kind: p.string().length(10).$type<LinkKind>().default('page'),
    depth: p.integer(),
    hops: p.integer(),
    state: p.string().length(8).default('queued'),
    attempt: p.integer().default(0),
    notBefore: timestamp().nullable(),
    status: p.integer().nullable(),
    fault: p.string().length(30).nullable(),
    message: p.string().length(100).nullable(),
    skipped: p.string().length(10).nullable(),
    isBroken: p.boolean().default(false),
    contentType: p.string().length(100).nullable(),
    bytes: p.bigint('string').nullable(),
    tookMs: p.integer().nullable(),
    redirectTo: p.string().length(2000).nullable(),
    isTruncated: p.boolean().default(false),
    linksFound: p.integer().nullable(),
    mixedActive: p.integer().default(0),
    mixedPassive: p.integer().default(0),
    mixedForm: p.integer().default(0),
    mixed: p.json<unknown>().nullable(),
    sources: p.json<unknown>().defaultRaw("'[]'"),
    visitedAt: timestamp().nullable(),
  },
})

/** Checks that change too often to notify of each change. */
export const Flapping = defineEntity({
  name: 'Flapping',
  tableName: 'flappings',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    checkId: p.uuid(),
    startedAt: timestamp(),
    lastChangeAt: timestamp(),
    notifiedAt: timestamp().nullable(),
    forwardedAt: timestamp().nullable(),
    endedAt: timestamp().nullable(),
  },
})

/** Many incidents of one host at once, notified as one. */
export const HostStorm = defineEntity({
  name: 'HostStorm',
  tableName: 'host_storms',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    host: p.string().length(255),
    keys: p.array(),
    startedAt: timestamp(),
    grownAt: timestamp(),
    notifiedAt: timestamp().nullable(),
    notifiedMonitors: p.integer().default(0),
    resolvedAt: timestamp().nullable(),
  },
})

/** Many incidents at once, notified as one. */
export const Storm = defineEntity({
  name: 'Storm',
  tableName: 'storms',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    startedAt: timestamp(),
    grownAt: timestamp(),
    monitorsTotal: p.integer(),
    notifiedAt: timestamp().nullable(),
    notifiedMonitors: p.integer().default(0),
    resolvedAt: timestamp().nullable(),
  },
})
