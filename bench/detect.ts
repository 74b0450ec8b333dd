import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openClickhouse } from '#analytics/client.ts'
import { eventually, System } from '#test/support/system.ts'
import { type Mood, Site } from '#test/support/target.ts'
import { claim, quantile, round } from './figures.ts'

/**
 * Outages at random times on many sites, three regions, a run every ten seconds: the time to the incident's row, and
 * false incidents.
 */
const outages = Number(process.env.DETECT_OUTAGES ?? 100)
/** Over how long they are spread, how long each lasts, and how long is waited for the last to end. */
const [spreadS = 120, lastsS = 30, endS = 20] = (process.env.DETECT_SECONDS ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number)
const interval = 10
const moods: Mood[] = ['error', 'reset', 'wrong-body', 'error']

const site = await Site.open()
const system = await System.start({ env: { LOG_LEVEL: 'warn' } })
const client = new pg.Client({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '' })
await client.connect()
try {
  const monitors: { id: string; path: string }[] = []
  for (let i = 0; i < outages; i++) {
    const path = `/site-${i}`
    const { id } = await system.addMonitor({
      name: path,
      url: site.url + path,
      check_interval: interval,
      timeout: 3,
      checks: [{ type: 'uptime', settings: { keyword_present: 'all is well' } }],
    })
    monitors.push({ id, path })
  }
  await eventually(
    'all sites up',
    async () => (await client.query(`select 1 from monitors where status is distinct from 'up'`)).rowCount === 0,
    60_000,
  )
  const healthyFrom = Date.now()

  const began = new Map<string, number>()
  await Promise.all(
    monitors.map(async ({ id, path }, index) => {
      await sleep(Math.random() * spreadS * 1_000)
      began.set(id, site.become(moods[index % moods.length] ?? 'error', path))
      await sleep(lastsS * 1_000)
      site.become('up', path)
    }),
  )
  await sleep(endS * 1_000)

  const { rows } = await client.query<{ monitor_id: string; created: number; resolved: number | null }>(
    `select monitor_id, extract(epoch from created_at) * 1000 as created, extract(epoch
     from resolved_at) * 1000 as resolved from incidents order by created_at`,
  )
  const firstFailed = new Map<string, number>()
  for (const { path, mood, at } of site.log) if (mood !== 'up' && !firstFailed.has(path)) firstFailed.set(path, at)
  const delays = monitors.flatMap(({ id, path }) => {
    const incident = rows.find(row => row.monitor_id === id)
    return incident ? [Number(incident.created) - (firstFailed.get(path) ?? Number.NaN)] : []
  })
  const fromStart = monitors.flatMap(({ id }) => {
    const incident = rows.find(row => row.monitor_id === id)
    return incident ? [Number(incident.created) - (began.get(id) ?? Number.NaN)] : []
  })
  const isFalse = rows.filter(
    row => Number(row.created) < (began.get(row.monitor_id) ?? Number.POSITIVE_INFINITY),
  ).length
  const doubled = rows.length - new Set(rows.map(row => row.monitor_id)).size
  console.log(
    `${outages} outages on ${outages} sites, ${site.log.length} requests, ${round((Date.now() - healthyFrom) / 1_000)} s`,
  )
  claim('outages found', delays.length, 'at least', outages)
  claim('from the first failed answer to the incident row, p99', quantile(delays, 0.99), 'under', 3_000, ' ms')
  console.log(
    `      p50 ${round(quantile(delays, 0.5))} ms, slowest ${round(Math.max(...delays))} ms;
     from the outage's start p50 ${round(quantile(fromStart, 0.5))} ms, slowest ${round(Math.max(...fromStart))} ms`,
  )
  await printSlowest(5)
  claim('false or doubled incidents', isFalse + doubled, 'under', 1)
  claim('incidents resolved by themselves', rows.filter(row => row.resolved !== null).length, 'at least', outages)

  /**
   * The runs of the slowest detections: when each started and was received, in milliseconds since the first failed
   * answer.
   */
  async function printSlowest(most: number): Promise<void> {
    const clickhouse = openClickhouse(system.environment.CLICKHOUSE_URL ?? '')
    const slowest = monitors
      .flatMap(({ id, path }) => {
        const incident = rows.find(row => row.monitor_id === id)
        const from = firstFailed.get(path)
        return incident && from !== undefined ? [{ id, path, from, row: Number(incident.created) - from }] : []
      })
      .toSorted((a, b) => b.row - a.row)
      .slice(0, most)
    for (const { id, path, from, row } of slowest) {
      const results = await clickhouse.query({
        query: `select region, run_reason, outcome, is_unreliable,
          toUnixTimestamp64Milli(due) - {from:Int64} as due_at,
          toUnixTimestamp64Milli(at) - {from:Int64} as started_at,
            round(coalesce(total_ms, 0)) as took, toUnixTimestamp64Milli(received_at) - {from:Int64} as received
          from check_results where monitor_id = {id:UUID}
            and at between fromUnixTimestamp64Milli({from:Int64} - 2000)
            and fromUnixTimestamp64Milli({from:Int64} + {row:Int64})
          order by started_at`,
        query_params: { id, from: Math.round(from), row: Math.ceil(row) },
        format: 'JSONEachRow',
      })
      const asked = site.log
        .filter(seen => seen.path === path && seen.at >= from && seen.at <= from + row)
        .map(({ at }) => at - from)
      console.log(`      ${path}: incident row after ${round(row)} ms; the target was asked at ${asked.join(', ')}`)
      for (const result of await results.json<Record<string, string | number | boolean>>())
        console.log(
          `        ${String(result.region).padEnd(9)} ${result.run_reason} ${result.outcome}${result.is_unreliable ? ' (unreliable)' : ''}: due ${result.due_at}, started ${result.started_at}, took ${result.took}, received ${result.received}`,
        )
    }
    await clickhouse.close()
  }
} finally {
  await client.end()
  await system.stop()
  await site.close()
}
