import { zstdCompressSync } from 'node:zlib'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { type IngestOptions, ingest, type Sender, type Touched } from '#analytics/ingest/ingest.ts'
import type { AssignedCheck, Observation } from '#analytics/ingest/observation.ts'
import { type ClickhouseMigration, migrateClickhouse } from '#analytics/migrate.ts'
import { kinds } from '#checks/index.ts'
import { type BatchHeader, delayBuckets, type Result } from '#contract/agent.ts'
import { store } from '#test/support/stores.ts'

/** A database of one's own on the ClickHouse of this run: of the newest schema, or brought to it by these migrations. */
export async function openDatabase({ migrations }: { migrations?: ClickhouseMigration[] } = {}): Promise<{
  clickhouse: ClickHouseClient
  url: string
  close(): Promise<void>
}> {
  const target = new URL((await store('clickhouse')).url)
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  target.pathname = `/${name}`
  const url = target.toString()
  await migrateClickhouse(url, migrations && { migrations })
  const clickhouse = openClickhouse(url)
  return {
    clickhouse,
    url,
    async close() {
      await clickhouse.command({ query: `DROP DATABASE ${name} SYNC` })
      await clickhouse.close()
    },
  }
}

export const health: BatchHeader['health'] = {
  revision: 1,
  lag_ms: 0,
  anchors: 'ok',
  resolver: 'ok',
  clock_skew_ms: 0,
  clock_drift_ms: 0,
  spooled: 0,
  dropped_total: 0,
  corrupt_total: 0,
  in_flight: 0,
  rss_bytes: 1,
  version: 'test',
  unsupported: {},
  schedule_delay: { counts: delayBuckets.map(() => 0).concat(0), sum_s: 0 },
  missed_schedules: { stalled: 0, overrun: 0, host_limit: 0, capacity: 0 },
}

export function makeCheck(
  kind: keyof typeof kinds = 'uptime',
  settings: Record<string, unknown> = {},
  tenant: string = crypto.randomUUID(),
): AssignedCheck {
  return {
    check: crypto.randomUUID(),
    monitor: crypto.randomUUID(),
    tenant,
    kind,
    settings: kinds[kind].settings.parse(settings),
    keepDays: 90,
  }
}

const goodResult = {
  status: 200,
  redirects: 0,
  bytes: 10,
  truncated: false,
  content_type: 'text/html',
  found_present: null,
  found_absent: null,
  failed: [],
}

let seq = 0

/** A result of an uptime check, good by default. */
export function resultOf(
  check: AssignedCheck,
  due: number,
  more: Partial<Result> & Record<string, unknown> = {},
): Result {
  const seen = more.fault ? {} : { seen: goodResult }
  return {
    seq: seq++,
    check: check.check,
    kind: check.kind,
    due,
    attempt: 0,
    reason: 'due',
    at: due,
    took: 100,
    phases: { dns: 1, connect: 10, tls: 20.5, first_byte: 80.25, total: 100.125 },
    ...seen,
    ...more,
  }
}

export const seenStatus = (status: number) => ({ seen: { ...goodResult, status } })
export const timedOut = { fault: { code: 'timeout', phase: 'connect', message: 'No answer within 10000 ms.' } } as const

export function pack(results: readonly unknown[], header: Partial<BatchHeader> = {}): Buffer {
  const first = { boot: crypto.randomUUID(), generation: 1, first: 0, last: results.length, health, ...header }
  return zstdCompressSync(
    [first, ...results].map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  )
}

export const agentId = crypto.randomUUID()
export const sender = (region = 'eu-west'): Sender => ({ id: agentId, region, generation: 1 })

export interface Intake {
  checks: Map<string, AssignedCheck>
  observed: Observation[]
  touched: Touched[]
  answered: string[]
  take: ReturnType<typeof ingest>['take']
  /** Sends results of one region and expects them all to be taken. */
  send(results: readonly unknown[], region?: string): Promise<void>
}

/** An ingest with a clock of its own that records its calls of others. */
export function openIngest(
  clickhouse: ClickHouseClient,
  now: () => number,
  options: Partial<IngestOptions> = {},
): Intake {
  const checks = new Map<string, AssignedCheck>()
  const observed: Observation[] = []
  const touched: Touched[] = []
  const answered: string[] = []
  const { take } = ingest({
    clickhouse,
    now,
    findAssigned: (_region, check) => checks.get(check),
    decide: async observations => void observed.push(...observations),
    onTouched: hours => touched.push(...hours),
    onRequestedRun: ({ request, check, region }) => answered.push(`${request} ${check} ${region}`),
    ...options,
  })
  return {
    checks,
    observed,
    touched,
    answered,
    take,
    async send(results, region) {
      const taken = await take(pack(results), 'zstd', sender(region))
      if (taken.status !== 200 || taken.ack.refused.length > 0) throw new Error(`Not taken: ${JSON.stringify(taken)}`)
    },
  }
}

export async function rows<Row>(clickhouse: ClickHouseClient, query: string): Promise<Row[]> {
  return (await clickhouse.query({ query, format: 'JSONEachRow' })).json<Row>()
}
