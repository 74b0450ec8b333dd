import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { build } from '#contract/version.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'

export const processRoles = ['api', 'ingest', 'worker', 'pages'] as const

/** What a process says of itself. */
export const ProcessReport = z.object({
  roles: z.array(z.enum(processRoles)),
  host: z.string(),
  version: z.string(),
  /** The 99th percentile since the last report. */
  event_loop_delay_ms: z.number(),
  memory_bytes: z.int(),
  /** As /readyz has them. */
  parts: z.record(z.string(), z.object({ is_ready: z.boolean(), is_vital: z.boolean(), why: z.string().optional() })),
  /** From a run to the acknowledgement of its result, the mean since the last report; null without results. */
  ingest_lag_ms: z.number().nullable(),
  /** Roll-up cells that differed at the last comparison; null where this process does not compare. */
  rollup_mismatch: z.int().nullable(),
})
export type ProcessReport = z.infer<typeof ProcessReport>

interface Options extends Pick<Services, 'platform' | 'log' | 'metrics'> {
  roles: ProcessReport['roles']
  readiness(): Promise<{ parts: ProcessReport['parts'] }>
}

const everyMs = 10_000
/** So long after its last report a process counts as ended. */
export const silentMs = 30_000
/** Each sample wakes the process. */
const samplingMs = 100
const lastWordMs = 1_000

/** Reports what this process is like, for the operator. Its row ends with the process. */
export function reportProcess({ platform, log, metrics, roles, readiness }: Options): { stop(): Promise<void> } {
  const id = randomUUID()
  const delay = monitorEventLoopDelay({ resolution: samplingMs })
  delay.enable()
  const lag = meanLag(metrics)
  const round = async () => {
    const { parts } = await readiness()
    const report: ProcessReport = {
      roles,
      host: hostname(),
      version: build,
      event_loop_delay_ms: Math.max(0, rounded(delay.percentile(99) / 1e6 - samplingMs)),
      memory_bytes: process.memoryUsage.rss(),
      parts,
      ingest_lag_ms: await lag(),
      rollup_mismatch: parts.ingest?.is_ready ? ((await metrics.rollupMismatch.get()).values[0]?.value ?? 0) : null,
    }
    delay.reset()
    await rows(platform)`
      insert into process_reports (id, started_at, report)
      values (${id}, clock_timestamp() - ${process.uptime()}::float8 * interval '1 second', ${report})
      on conflict (id) do update set reported_at = clock_timestamp(), report = excluded.report`
    await rows(platform)`
      delete from process_reports
      where reported_at < clock_timestamp() - interval '${sql.lit((2 * silentMs) / 1_000)} s'`
  }
  const loop = new Loop({ everyMs, round, log, failure: 'process report failure' }).start()
  return {
    async stop() {
      await loop.stop()
      delay.disable()
      const deleted = rows(platform)`delete from process_reports where id = ${id}`.catch(() => undefined)
      // a store that is away does not delay the end; the row ends by itself
      await Promise.race([deleted, sleep(lastWordMs, undefined, { ref: false })])
    },
  }
}

/** The mean of the lags since the last call. */
function meanLag({ ingestLag }: Pick<Metrics, 'ingestLag'>): () => Promise<number | null> {
  const before = { sum: 0, count: 0 }
  return async () => {
    const { values } = await ingestLag.get()
    const of = (name: string) => values.find(({ metricName }) => metricName === `vedette_ingest_lag_seconds_${name}`)
    const after = { sum: of('sum')?.value ?? 0, count: of('count')?.value ?? 0 }
    const [sum, count] = [after.sum - before.sum, after.count - before.count]
    Object.assign(before, after)
    return count > 0 ? rounded((1_000 * sum) / count) : null
  }
}

const rounded = (value: number) => Math.round(10 * value) / 10
