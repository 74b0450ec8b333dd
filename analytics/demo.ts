import type { ClickHouseClient } from './client.ts'
import { insertDays, insertHoursOf } from './recount.ts'

export interface DemoOutage {
  from: Date
  to: Date
  /** One region only; all regions by default. */
  region?: string
  outcome: 'down' | 'warning'
  code: string
  reason: string
  httpStatus?: number
}

export interface DemoCheck {
  tenant: string
  monitor: string
  check: string
  kind: string
  regions: readonly string[]
  intervalS: number
  /** The usual response time in the nearest region. */
  typicalMs: number
  outages: readonly DemoOutage[]
}

export interface DemoOptions {
  checks: readonly DemoCheck[]
  now: Date
  days?: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Raw results are created for this many days; earlier days have hours and days only. */
const rawDays = 29
const rowsAtOnce = 2_000_000

const u = (salt: string) => `(cityHash64(check_id, region, due, '${salt}') % 100000 / 100000)`

/**
 * Results of a healthy site with a daily wave, a few slow responses, and the given outages. Every value is derived from
 * a hash of check, region and time, so that hours can be computed without stored results.
 */
const results = `
  SELECT
    tenant_id, monitor_id, check_id, region, kind, due, toUInt16(0) AS attempt,
    due + toIntervalMillisecond(2) AS at, due + toIntervalMillisecond(400) AS received_at, 'due' AS run_reason,
    arrayFirst(o -> o.1 <= due AND due < o.2 AND (o.3 = '' OR o.3 = region), outages) AS outage,
    outage.4 != '' AS is_bad,
    if(is_bad, outage.4, 'up') AS outcome, outage.5 AS code, outage.6 AS reason,
    typical_ms * (0.8 + 0.25 * region_index) * (1 + 0.15 * sin(toHour(due) / 24 * 2 * pi())) * (0.85 + 0.3 * ${u('a')} + 0.8 * pow(${u('b')}, 12)) AS took,
    if(outcome = 'down', NULL, toFloat32(round(took, 2))) AS response_ms,
    toFloat32(round(took * 0.05 * ${u('c')}, 2)) AS dns_ms,
    toFloat32(round(took * 0.2, 2)) AS connect_ms,
    toFloat32(round(took * 0.25, 2)) AS tls_ms,
    toFloat32(round(took * 0.8, 2)) AS first_byte_ms,
    toFloat32(round(took, 2)) AS total_ms,
    if(kind != 'uptime', NULL, if(is_bad, outage.7, toNullable(toUInt16(200)))) AS http_status,
    '' AS seen, '' AS fault_phase, '' AS excerpt, '' AS address, false AS is_unreliable, 'demo' AS agent_id
  FROM
  (
    SELECT
      tenant_id, monitor_id, check_id, kind, region, region_index, typical_ms, outages,
      toInt64(interval_s) * 1000 AS step_ms,
      cityHash64(check_id, region) % step_ms AS phase_ms,
      fromUnixTimestamp64Milli(intDiv(toUnixTimestamp64Milli({from: DateTime64(3)}), step_ms) * step_ms + phase_ms
        + step_ms * arrayJoin(range(toUInt64(intDiv(toUnixTimestamp64Milli({to: DateTime64(3)}) - toUnixTimestamp64Milli({from: DateTime64(3)}), step_ms) + 1))), 'UTC') AS due
    FROM demo_checks
  )
  WHERE due >= {from: DateTime64(3)} AND due < {to: DateTime64(3)}`

const columns = `tenant_id, monitor_id, check_id, region, kind, due, attempt, at, received_at, run_reason, outcome, code, reason,
  response_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, http_status, seen, fault_phase, excerpt, address, is_unreliable, agent_id`

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

/** Creates results for these checks inside ClickHouse: raw results for a month, hours and days for the whole time. */
export async function makeDemoResults(
  clickhouse: ClickHouseClient,
  { checks, now, days = 90 }: DemoOptions,
): Promise<void> {
  await clickhouse.command({ query: 'DROP TABLE IF EXISTS demo_checks' })
  await clickhouse.command({
    query: `CREATE TABLE demo_checks (
      tenant_id UUID, monitor_id UUID, check_id UUID, kind String, region String, region_index UInt8, typical_ms Float64, interval_s UInt32,
      outages Array(Tuple(DateTime64(3, 'UTC'), DateTime64(3, 'UTC'), String, String, String, String, Nullable(UInt16)))
    ) ENGINE = Memory`,
  })
  try {
    await clickhouse.insert({
      table: 'demo_checks',
      format: 'JSONEachRow',
      clickhouse_settings: { async_insert: 0 },
      values: checks.flatMap(({ tenant, monitor, check, kind, regions, intervalS, typicalMs, outages }) =>
        regions.map((region, index) => ({
          tenant_id: tenant,
          monitor_id: monitor,
          check_id: check,
          kind,
          region,
          region_index: index,
          typical_ms: typicalMs,
          interval_s: intervalS,
          outages: outages.map(({ from, to, region: only = '', outcome, code, reason, httpStatus = null }) => [
            seconds(from) * 1000,
            seconds(to) * 1000,
            only,
            outcome,
            code,
            reason,
            httpStatus,
          ]),
        })),
      ),
    })
    const version = now.getTime()
    const openHour = Math.floor(version / hourMs) * hourMs
    const today = Math.floor(version / dayMs) * dayMs
    const first = today - days * dayMs
    const firstRaw = Math.max(first, today - rawDays * dayMs)
    const perDay = checks.reduce((sum, { regions, intervalS }) => sum + (regions.length * 86_400) / intervalS, 0)
    const spanMs = perDay * 7 < rowsAtOnce ? 7 * dayMs : Math.max(1, Math.floor((rowsAtOnce / perDay) * 24)) * hourMs
    for (const [from, to] of spans(firstRaw, version, spanMs))
      await clickhouse.command({
        query: `INSERT INTO check_results (${columns}) SELECT ${columns} FROM (${results})`,
        query_params: { from, to },
      })
    for (const [from, to] of spans(first, openHour, spanMs))
      await clickhouse.command({ query: insertHoursOf(results), query_params: { from, to, version } })
    await clickhouse.command({
      query: insertDays(),
      query_params: { from: new Date(first), to: new Date(today), version },
    })
  } finally {
    await clickhouse.command({ query: 'DROP TABLE IF EXISTS demo_checks' })
  }
}

/** Small enough that no statement needs much memory or touches more than two partitions. */
function* spans(from: number, to: number, spanMs: number): Generator<[Date, Date]> {
  for (let start = from; start < to; start += spanMs) yield [new Date(start), new Date(Math.min(to, start + spanMs))]
}
