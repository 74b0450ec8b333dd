import { z } from 'zod'
import type { ClickHouseClient } from './client.ts'
import { moment, query } from './query.ts'

const hourMs = 3_600_000
/** An hour is closed this long after its end: by then its samples have arrived, unless a server was disconnected. */
const graceMs = 60_000
/** Samples become visible at most this long after they were recorded, in any order. */
const settleMs = 30_000
const hoursAtOnce = 500

/** Hours before this time are read from the computed table; the hour in between is time to compute it. */
export const serverHoursBefore = (nowMs: number) => Math.floor(nowMs / hourMs) * hourMs - hourMs

const uncomputed = query({
  params: z.object({ before: z.date(), settle_ms: z.int(), most: z.int() }),
  row: z.object({ tenant_id: z.uuid(), monitor_id: z.uuid(), at: moment, came: moment }),
  sql: `
    SELECT tenant_id, monitor_id, hour AS at, max(received_at) AS came FROM server_hours
    WHERE hour < {before: DateTime}
    GROUP BY tenant_id, monitor_id, hour HAVING came > max(computed_at) AND came <= now64(3) - toIntervalMillisecond({settle_ms: UInt32})
    ORDER BY at LIMIT {most: UInt32}
  `,
})

const compute = `
  INSERT INTO server_samples_by_hour (tenant_id, monitor_id, metric, label, hour, samples, total, highest, keep_days, version)
  SELECT tenant_id, monitor_id, metric, if(metric = 'cpu', '', server_samples.label) AS of, toStartOfHour(at) AS start, count(), sum(value), max(value), max(keep_days),
    {version: UInt64}
  FROM server_samples FINAL
  WHERE tenant_id IN {tenants: Array(UUID)} AND monitor_id IN {monitors: Array(UUID)}
    AND at >= {from: DateTime} AND at < {from: DateTime} + INTERVAL 1 HOUR
  GROUP BY tenant_id, monitor_id, metric, of, start`

/**
 * Computes closed hours that received samples since they were last computed. Returns the number of servers' hours. May
 * be interrupted, repeated, and run twice concurrently: each result is a count of all samples.
 */
export async function computeServerHours(
  clickhouse: ClickHouseClient,
  nowMs: number,
  settle_ms = settleMs,
): Promise<number> {
  const before = new Date(Math.floor((nowMs - graceMs) / hourMs) * hourMs)
  for (let done = 0; ; ) {
    const found = await uncomputed(clickhouse, { before, settle_ms, most: hoursAtOnce })
    for (const [at, rows] of Map.groupBy(found, row => row.at.getTime()))
      await computeHour(clickhouse, new Date(at), rows, nowMs)
    done += found.length
    if (found.length < hoursAtOnce) return done
  }
}

interface Due {
  tenant_id: string
  monitor_id: string
  came: Date
}

async function computeHour(
  clickhouse: ClickHouseClient,
  from: Date,
  rows: readonly Due[],
  nowMs: number,
): Promise<void> {
  const query_params = {
    from,
    version: Math.floor(nowMs),
    tenants: [...new Set(rows.map(row => row.tenant_id))],
    monitors: rows.map(row => row.monitor_id),
  }
  await clickhouse.command({ query: compute, query_params })
  await clickhouse.insert({
    table: 'server_hours',
    columns: ['tenant_id', 'monitor_id', 'hour', 'computed_at'],
    // samples that arrived during the computation make it due again
    values: rows.map(row => [row.tenant_id, row.monitor_id, from.getTime() / 1_000, row.came.getTime()]),
    format: 'JSONCompactEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
}
