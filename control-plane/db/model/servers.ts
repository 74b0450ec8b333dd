import { defineEntity, p } from '@mikro-orm/core'
import type { ExceededThreshold } from '#checks/agent/thresholds.ts'
import type { ServerHost, ServerProcess } from '#contract/server-agent.ts'
import { timestamp } from './columns.ts'

/** Servers that report their metrics: what each is, and when it reported last. */
export const AgentMonitor = defineEntity({
  name: 'AgentMonitor',
  tableName: 'agent_monitors',
  properties: {
    monitorId: p.uuid().primary(),
    tenantId: p.uuid(),
    checkId: p.uuid(),
    host: p.json<ServerHost>().nullable(),
    processes: p.json<ServerProcess[]>().nullable(),
    processesAt: timestamp().nullable(),
    memory: p.json<unknown>().defaultRaw("'{}'"),
    lastSeenAt: timestamp().nullable(),
    storedAt: timestamp().nullable(),
    judgedAt: timestamp().nullable(),
    exceeded: p.json<ExceededThreshold[]>().defaultRaw("'[]'"),
    outcome: p.string().length(10).nullable(),
    reported: p.text().nullable(),
    reportedAt: timestamp().nullable(),
    hostName: p.text().nullable(),
    hostHeardAt: timestamp().nullable(),
    hostFrom: timestamp().nullable(),
    secondHost: p.text().nullable(),
    secondSince: timestamp().nullable(),
    secondHeardAt: timestamp().nullable(),
    newestAt: timestamp().nullable(),
    lateSince: timestamp().nullable(),
  },
})

/** Tokens that a server reports with. */
export const AgentToken = defineEntity({
  name: 'AgentToken',
  tableName: 'agent_tokens',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    hash: p.blob(),
    tail: p.string().length(4),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    expiresAt: timestamp().nullable(),
  },
})

/** Values of servers that ClickHouse did not take, until it takes them: packed rows of `server_samples`. */
export const WaitingServerSample = defineEntity({
  name: 'WaitingServerSample',
  tableName: 'waiting_server_samples',
  properties: {
    id: p.bigint('string').autoincrement().primary(),
    tenantId: p.uuid(),
    monitorId: p.uuid(),
    rows: p.blob(),
    receivedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
