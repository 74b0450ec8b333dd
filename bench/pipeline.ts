import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { eventually, System } from '#test/support/system.ts'
import { claim, round } from './figures.ts'
import { Nginx } from './nginx.ts'
import { usageOf } from './processes.ts'

/**
 * The whole pipeline on one machine: agents, the control plane and the stores, against nginx. Of one region the rate is
 * the same in each round (a thousand runs a second), the number of monitors is not: what a check costs must not depend
 * on how many monitors there are. Of three regions, all monitors are up, and then all are down.
 *
 * `PIPELINE_SECONDS` shortens the rounds, `PIPELINE_SIZES=1000,2000,10000` picks some of them.
 */
const seconds = Number(process.env.PIPELINE_SECONDS ?? 300)
const sizes = process.env.PIPELINE_SIZES?.split(',').map(Number)
const minute = Math.min(60, seconds)
const three = ['eu-west', 'us-east', 'ap-south']
const rounds = [
  { monitors: 1_000, interval: 1, seconds: minute, regions: ['eu-west'], least: { up: 2_000 } },
  { monitors: 10_000, interval: 10, seconds: minute, regions: ['eu-west'], least: { up: 2_000 } },
  { monitors: 60_000, interval: 60, seconds, regions: ['eu-west'], least: { up: 2_000 } },
  { monitors: 2_000, interval: 5, seconds: minute, regions: three, least: { up: 3_000, down: 2_400 } },
].filter(({ monitors }) => sizes?.includes(monitors) ?? true)
type Round = (typeof rounds)[number]

const costs: number[] = []
for (const load of rounds) {
  const cost = await run(load)
  if (load.regions.length === 1) costs.push(cost)
}
if (costs.length > 1)
  claim('cost of a check, dearest over cheapest size', Math.max(...costs) / Math.min(...costs), 'under', 1.2)

async function run(load: Round): Promise<number> {
  const { monitors, interval, regions, least } = load
  let site = await Nginx.open()
  const system = await System.start({ regions, env: { LOG_LEVEL: 'warn' } })
  const owner = new pg.Client({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '' })
  try {
    await owner.connect()
    await owner.query(
      `update tenants set feature_overrides = '{"min_check_interval":1,"monitors":null}' where id = $1`,
      [system.local.team.tenant_id],
    )
    for (let first = 0; first < monitors; first += 1_000) {
      const batch = Array.from({ length: 1_000 }, (_, i) => ({
        name: `m${first + i}`,
        url: `${site.url}/${first + i}`,
        check_interval: interval,
        timeout: 5,
      }))
      const { status, body } = await system.post('/monitors/bulk', { monitors: batch })
      if (status !== 201) throw new Error(`bulk create answered ${status}: ${JSON.stringify(body).slice(0, 400)}`)
    }
    // the first interval includes set-up: votes, latest results, caches, and compilation of frequent code
    await sleep(Math.max(interval + 10, 40) * 1_000)
    const cost = await measure(system, owner, load, 'up', least.up)
    if (least.down) {
      await site.close()
      site = await Nginx.open(500, site.port)
      await eventually(
        'all monitors down',
        async () =>
          (await owner.query(`select 1 from monitors where status is distinct from 'down' limit 1`)).rowCount === 0,
      )
      await sleep(20_000)
      await measure(system, owner, load, 'down', least.down)
    }
    return cost
  } finally {
    await owner.end()
    await system.stop()
    await site.close()
  }
}

/** Returns the processor seconds of a check. */
async function measure(
  system: System,
  owner: pg.Client,
  { monitors, interval, seconds, regions }: Round,
  state: 'up' | 'down',
  least: number,
): Promise<number> {
  const clickhouse = createClient({ url: system.environment.CLICKHOUSE_URL ?? '' })
  const before = usageOf(system.pid)
  const from = await now(owner)
  await sleep(seconds * 1_000)
  const after = usageOf(system.pid)
  const to = await now(owner)
  await sleep(5_000)
  const result = await clickhouse.query({
    query: `SELECT count() AS results, max(toUnixTimestamp64Milli(at) - toUnixTimestamp64Milli(due)) AS latest,
        quantile(0.99)(toUnixTimestamp64Milli(at) - toUnixTimestamp64Milli(due)) AS p99
      FROM check_results FINAL WHERE run_reason = 'due' AND due >= fromUnixTimestamp64Milli({from: Int64})
        AND due < fromUnixTimestamp64Milli({to: Int64})`,
    query_params: { from, to },
    format: 'JSONEachRow',
  })
  const [row] = (await result.json()) as { results: string; latest: string; p99: number }[]
  await clickhouse.close()

  const results = Number(row?.results)
  const cpuS = after.cpuS - before.cpuS
  const expected = (monitors / interval) * regions.length * ((to - from) / 1_000)
  console.log(
    `\n${monitors} monitors every ${interval} s from ${regions.length === 1 ? 'one region' : `${regions.length} regions`}, ` +
      `all ${state}, for ${seconds} s: ${results} results stored of ${Math.round(expected)} due; ` +
      `${round(cpuS)} processor seconds`,
  )
  for (const [part, processes] of after.byPart) {
    const earlier = before.byPart.get(part)?.reduce((sum, process) => sum + process.cpuS, 0) ?? 0
    console.log(
      `      ${part.padEnd(14)} ${round(((processes.reduce((sum, process) => sum + process.cpuS, 0) - earlier) / results) * 1e6)} µs a check`,
    )
  }
  claim('checks per processor second, everything counted', results / cpuS, 'at least', least)
  claim('the latest run after its due time', Number(row?.latest), 'under', 1_000, ' ms')
  claim('resident memory of all processes (shared pages once)', after.pss / 1e9, 'under', 2.5, ' GB')
  console.log(
    `      resident memory as each process sees it: ${round(after.rss / 1e9)} GB; lateness p99 ${round(row?.p99 ?? 0)} ms`,
  )
  claim('results stored of runs due', results / expected, 'at least', 0.999)
  return cpuS / results
}

async function now(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ ms: string }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000) as ms',
  )
  return Number(rows[0]?.ms)
}
