import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { freeDisks, mostParts } from '#analytics/server-state.ts'
import { accessTimeoutMs } from '#control-plane/base/db-timeouts.ts'
import { kindNames } from '#control-plane/base/quarantine/kinds.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
import { hasChecks } from '#control-plane/engine/assignments/rows.ts'
import type { Services } from '#control-plane/http/services.ts'
import { deadKinds } from '#control-plane/outbox/dispatcher.ts'
import { lastBackup } from '#control-plane/platform/backups.ts'
import { readBacklog } from '#control-plane/platform/processes/backlog.ts'
import type { Health } from './health.ts'

type Measured = Pick<Services, 'metrics' | 'platform' | 'clickhouse'>

/** A scrape waits this long for ClickHouse. Prometheus gives up after ten seconds. */
const clickhouseMs = 2_000

/** /metrics in Prometheus' text format. Gauges of current state are read at each scrape. */
export async function scrape(
  { metrics, platform, clickhouse }: Measured,
  { health, batchesInWork }: { health: Health; batchesInWork: number },
  response: ServerResponse,
): Promise<void> {
  metrics.ingestBatches.set(batchesInWork)
  metrics.pool.set({ pool: 'platform', state: 'total' }, platform.totalCount)
  metrics.pool.set({ pool: 'platform', state: 'idle' }, platform.idleCount)
  metrics.pool.set({ pool: 'platform', state: 'waiting' }, platform.waitingCount)
  // without a store its gauges keep their last values, and `partReady` says that it is away
  await Promise.all([
    measureParts(metrics, health),
    measureRows({ metrics, platform }).catch(() => undefined),
    Promise.race([
      measureClickhouse({ metrics, clickhouse }).catch(() => undefined),
      sleep(clickhouseMs, undefined, { ref: false }),
    ]),
  ])
  const text = await metrics.register.metrics()
  response.writeHead(200, { 'Content-Type': metrics.register.contentType })
  response.end(text)
}

interface Counted {
  kind: string
  n: number
}

const quarantined = prepared(
  'count-quarantined',
  () => sql<Counted>`select kind, count(*)::int as n from quarantined_rows group by kind`,
  { timeoutMs: accessTimeoutMs },
)

const dead = prepared(
  'count-dead-events',
  () => sql<Counted>`select kind, count(*)::int as n from outbox where dead_at is not null group by kind`,
  { timeoutMs: accessTimeoutMs },
)

const purged = prepared(
  'count-purged-teams',
  () => sql<Counted>`select 'all' as kind, count(*)::int as n from purged_tenants`,
  { timeoutMs: accessTimeoutMs },
)

async function measureParts(metrics: Measured['metrics'], health: Health): Promise<void> {
  const { parts } = await health.readiness()
  for (const [part, { is_ready }] of Object.entries(parts)) metrics.partReady.set({ part }, Number(is_ready))
}

async function measureClickhouse({ metrics, clickhouse }: Pick<Measured, 'metrics' | 'clickhouse'>): Promise<void> {
  const [disks, [most]] = await Promise.all([freeDisks(clickhouse, {}), mostParts(clickhouse, {})])
  for (const { name, free } of disks) metrics.diskFree.set({ disk: name }, free)
  metrics.mostParts.set(most?.parts ?? 0)
}

async function measureRows({ metrics, platform }: Pick<Measured, 'metrics' | 'platform'>): Promise<void> {
  const count = async (question: typeof dead) => {
    const counted = await rows(platform, question())
    return new Map(counted.map(({ kind, n }) => [kind, n]))
  }
  const [badRows, deadRows, purgedTeams, isExpected, backlog, backup] = await Promise.all([
    count(quarantined),
    count(dead),
    count(purged),
    hasChecks(platform),
    readBacklog(platform),
    lastBackup(platform),
  ])
  metrics.purgedTeams.set(purgedTeams.get('all') ?? 0)
  metrics.checksExpected.set(Number(isExpected))
  metrics.lastBackup.set((backup?.getTime() ?? 0) / 1_000)
  for (const [what, { waiting, oldest_seconds: seconds }] of [
    ['events', backlog.outbox],
    ['mails', backlog.mails],
    ['notifications', backlog.deliveries],
  ] as const) {
    metrics.waiting.set({ what }, waiting)
    metrics.oldestWaiting.set({ what }, seconds)
  }
  for (const kind of kindNames) metrics.quarantinedRows.set({ kind }, badRows.get(kind) ?? 0)
  for (const kind of deadKinds) metrics.deadEvents.set({ kind }, deadRows.get(kind) ?? 0)
}
