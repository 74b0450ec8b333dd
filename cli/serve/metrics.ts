import type { ServerResponse } from 'node:http'
import type { QueryConfig } from 'pg'
import { accessPatienceMs, withQueryTimeout } from '#control-plane/base/patience.ts'
import { kindNames } from '#control-plane/base/quarantine/kinds.ts'
import type { Services } from '#control-plane/http/services.ts'
import { deadKinds } from '#control-plane/outbox/dispatcher.ts'
import { readBacklog } from '#control-plane/platform/processes/backlog.ts'

type Measured = Pick<Services, 'metrics' | 'platform'>

/** /metrics in Prometheus' text format. Gauges of current state are read at each scrape. */
export async function scrape(
  { metrics, platform }: Measured,
  batchesInWork: number,
  response: ServerResponse,
): Promise<void> {
  metrics.ingestBatches.set(batchesInWork)
  metrics.pool.set({ pool: 'platform', state: 'total' }, platform.totalCount)
  metrics.pool.set({ pool: 'platform', state: 'idle' }, platform.idleCount)
  metrics.pool.set({ pool: 'platform', state: 'waiting' }, platform.waitingCount)
  // without the database the gauges keep their last values
  await measureRows({ metrics, platform }).catch(() => undefined)
  const text = await metrics.register.metrics()
  response.writeHead(200, { 'Content-Type': metrics.register.contentType })
  response.end(text)
}

const quarantined = withQueryTimeout(accessPatienceMs, {
  name: 'count-quarantined',
  text: 'select kind, count(*)::int as n from quarantined_rows group by kind',
})

const dead = withQueryTimeout(accessPatienceMs, {
  name: 'count-dead-events',
  text: 'select kind, count(*)::int as n from outbox where dead_at is not null group by kind',
})

async function measureRows({ metrics, platform }: Measured): Promise<void> {
  const count = async (question: QueryConfig) => {
    const { rows } = await platform.query<{ kind: string; n: number }>(question)
    return new Map(rows.map(({ kind, n }) => [kind, n]))
  }
  const [badRows, deadRows, backlog] = await Promise.all([count(quarantined), count(dead), readBacklog(platform)])
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
