import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { openClickhouse } from '#analytics/client.ts'
import { ingest } from '#analytics/ingest/ingest.ts'
import type { AssignedCheck, Decide } from '#analytics/ingest/observation.ts'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { kinds } from '#checks/index.ts'
import { delayBuckets, type Health } from '#contract/agent.ts'
import { startClickhouse } from '#test/support/clickhouse.ts'
import { claim, median } from './figures.ts'
import { usageOf } from './processes.ts'

const pack = promisify(zstdCompress)

const target = 40_000
const agents = 50
const checksCount = 20_000
const batchRows = 1_000
const batchesPerAgent = Number(process.env.BENCH_BATCHES ?? 8)
const runs = Number(process.env.BENCH_RUNS ?? 5)

const health: Health = {
  revision: 1,
  lag_ms: 0.4,
  anchors: 'ok',
  resolver: 'ok',
  clock_skew_ms: 3,
  clock_drift_ms: 0.2,
  spooled: 0,
  dropped_total: 0,
  corrupt_total: 0,
  in_flight: 3,
  rss_bytes: 90_000_000,
  version: '0.1.0',
  unsupported: {},
  schedule_delay: { counts: Array.from({ length: delayBuckets.length + 1 }, () => 0), sum_s: 0 },
  missed_schedules: { stalled: 0, overrun: 0, host_limit: 0, capacity: 0 },
}

const settings = kinds.uptime.settings.parse({ degraded_after_ms: 2_000 })
const tenants = Array.from({ length: 50 }, () => crypto.randomUUID())
const checks: AssignedCheck[] = Array.from({ length: checksCount }, (_, index) => ({
  check: crypto.randomUUID(),
  monitor: crypto.randomUUID(),
  tenant: tenants[index % tenants.length] as string,
  kind: 'uptime',
  settings,
  keepDays: 90,
}))
const assigned = new Map(checks.map(check => [check.check, check]))

const round = (value: number) => Math.round(value * 100) / 100

/** What an agent would have sent: mostly good answers, one in fifty slow, wrong or none. */
function resultLine(seq: number, check: AssignedCheck, due: number): string {
  const luck = Math.random()
  const total = round(luck < 0.01 ? 2_500 : 20 + Math.random() * 300)
  const base = {
    seq,
    check: check.check,
    kind: check.kind,
    due,
    attempt: 0,
    reason: 'due',
    at: due + 2,
    took: total + 1,
  }
  if (luck > 0.99) {
    const phases = { dns: 1.21, connect: null, tls: null, first_byte: null, total: 10_000 }
    return JSON.stringify({
      ...base,
      phases,
      fault: { code: 'timeout', phase: 'connect', message: 'No answer within 10000 ms.' },
    })
  }
  const phases = {
    dns: round(Math.random() * 5),
    connect: round(Math.random() * 20),
    tls: round(Math.random() * 30),
    first_byte: round(total * 0.9),
    total,
  }
  const seen = {
    status: luck > 0.98 ? 500 : 200,
    redirects: 0,
    bytes: 12_000 + (seq % 900),
    truncated: false,
    content_type: 'text/html; charset=utf-8',
    found_present: null,
    found_absent: null,
    failed: [],
  }
  return JSON.stringify({
    ...base,
    phases,
    seen,
    address: '93.184.216.34',
    ...(seen.status === 500 && { excerpt: '<h1>Internal Server Error</h1>' }),
  })
}

async function record(agent: number, run: number, start: number): Promise<Buffer[]> {
  const batches: Buffer[] = []
  for (let batch = 0; batch < batchesPerAgent; batch++) {
    const first = (run * batchesPerAgent + batch) * batchRows
    const header = { boot: crypto.randomUUID(), generation: 1, first, last: first + batchRows - 1, health }
    const lines = [JSON.stringify(header)]
    for (let row = 0; row < batchRows; row++) {
      const index = (agent * 397 + batch * batchRows + row) % checksCount
      lines.push(
        resultLine(
          first + row,
          checks[index] as AssignedCheck,
          start + Math.floor(((agent * 397 + batch * batchRows + row) / checksCount) * 60_000) + index,
        ),
      )
    }
    batches.push(await pack(`${lines.join('\n')}\n`))
  }
  return batches
}

/** The cost of comparing each observation with the region's last outcome, as in a verdict engine without changes. */
function steadyDecider(): Decide {
  const votes = new Map(checks.map(({ check }) => [check, new Map<string, string>()]))
  return async observations => {
    for (const { check, region, judgement } of observations) {
      const regions = votes.get(check)
      if (regions?.get(region) !== judgement.status) regions?.set(region, judgement.status)
    }
  }
}

export async function benchIngest(): Promise<{ rate: number; delayP99Ms: number }> {
  const server = await startClickhouse()
  const url = server.url('bench')
  await migrateClickhouse(url)
  const clickhouse = openClickhouse(url)
  const { take } = ingest({
    clickhouse,
    findAssigned: (_region, check) => assigned.get(check),
    decide: steadyDecider(),
    now: Date.now,
    onError: console.error,
  })
  const rates: number[] = []
  const delays: number[] = []
  try {
    for (let run = 0; run < runs; run++) {
      const start = Date.now() - (runs - run) * 120_000
      const recorded = await Promise.all(Array.from({ length: agents }, (_, agent) => record(agent, run, start)))
      globalThis.gc?.()
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const before = process.cpuUsage()
      const storeBefore = usageOf(server.pid).cpuS
      const began = performance.now()
      const accepted = await Promise.all(
        recorded.map(async (batches, agent) => {
          let stored = 0
          for (const batch of batches) {
            const taken = await take(batch, 'zstd', {
              id: crypto.randomUUID(),
              region: `region-${agent}`,
              generation: 1,
            })
            if (taken.status !== 200 || taken.ack.refused.length > 0)
              throw new Error(`The batch was not taken: ${JSON.stringify(taken).slice(0, 300)}`)
            stored += taken.ack.accepted
          }
          return stored
        }),
      )
      const seconds = (performance.now() - began) / 1000
      delay.disable()
      const cpu = process.cpuUsage(before)
      const store = usageOf(server.pid)
      const results = accepted.reduce((sum, count) => sum + count, 0)
      rates.push(results / seconds)
      delays.push(delay.percentile(99) / 1e6)
      console.log(
        `run ${run + 1}: ${results} results in ${seconds.toFixed(2)} s = ${Math.round(results / seconds)}/s; CPU each: ingest ${((cpu.user + cpu.system) / results).toFixed(1)} us, ` +
          `ClickHouse ${(((store.cpuS - storeBefore) * 1e6) / results).toFixed(1)} us (${Math.round(store.pss / 1e6)} MB); ` +
          `loop delay p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, max ${(delay.max / 1e6).toFixed(0)} ms`,
      )
    }
    const result = await clickhouse.query({
      query: 'SELECT count() AS stored FROM check_results FINAL',
      format: 'JSONEachRow',
    })
    const [{ stored } = { stored: 0 }] = await result.json<{ stored: number }>()
    if (stored !== runs * agents * batchesPerAgent * batchRows)
      throw new Error(`Stored ${stored} of ${runs * agents * batchesPerAgent * batchRows} acknowledged results.`)
  } finally {
    await clickhouse.close()
    await server.stop()
  }
  return { rate: median(rates), delayP99Ms: median(delays) }
}

if (import.meta.main) {
  const { rate, delayP99Ms } = await benchIngest()
  claim(`results stored, judged and acknowledged a second, median of ${runs}`, rate, 'at least', target)
  claim('event-loop delay p99, median', delayP99Ms, 'under', 50, ' ms')
}
