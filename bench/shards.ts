import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { pino } from 'pino'
import { shardCount } from '#contract/shards.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { readConfig } from '#probe-agent/config.ts'
import { type RunningAgent, startAgent } from '#probe-agent/main.ts'
import { IngestProcess } from '#test/support/ingest-process.ts'
import { type Stores, withStores } from './api.ts'
import { claim, median, round } from './figures.ts'
import { Nginx } from './nginx.ts'
import { usageOf } from './processes.ts'

/**
 * What a result costs with one, two and four ingest processes on this machine: processor time of those processes and
 * of the stores, for a thousand monitors of 128 teams that three agents check every second. Each count is measured in
 * turn, `SHARDS_ROUNDS` times; `SHARDS_SECONDS` and `SHARDS_WARM_SECONDS` shorten a round.
 *
 * A process that has just started costs three times as much at rest as after a minute or two (compilation of frequent
 * code, collection of what the start left), so counts go down: those that are measured have all run for a while.
 */
const rounds = Number(process.env.SHARDS_ROUNDS ?? 3)
const seconds = Number(process.env.SHARDS_SECONDS ?? 60)
const warmS = Number(process.env.SHARDS_WARM_SECONDS ?? 150)
const teams = 128
const monitors = Number(process.env.SHARDS_MONITORS ?? 1_024)
/** After processes have left. */
const settleS = 15
const counts = [4, 2, 1]
const regions = ['eu-west', 'us-east', 'ap-south']

interface Cost {
  /** Microseconds of processor time a result: of the ingest processes, and with the stores. */
  ingest: number
  all: number
  stored: number
}

const site = await Nginx.open()
const folder = mkdtempSync(join(tmpdir(), 'vedette-shards-'))
const ingests: IngestProcess[] = []
const agents: RunningAgent[] = []
await withStores('shards', async stores => {
  const pool = new pg.Pool({ connectionString: stores.platformUrl, max: 4 })
  try {
    await seed(pool)
    const costs = new Map<number, Cost[]>(counts.map(count => [count, []]))
    for (let turn = 0; turn < rounds; turn++)
      for (const count of counts) {
        const isGrowing = count > ingests.length
        await become(count, stores, pool)
        if (agents.length === 0) await startAgents(pool)
        await sleep((isGrowing ? warmS : settleS) * 1_000)
        costs.get(count)!.push(await measure(stores, count))
      }
    const of = (count: number, part: keyof Cost) => median(costs.get(count)!.map(cost => cost[part]))
    console.log(`\nmedians of ${rounds}; ${monitors * regions.length} results are due each second\n`)
    for (const count of counts.toReversed())
      console.log(
        `  ${count} ${count === 1 ? 'process  ' : 'processes'}  ${round(of(count, 'ingest'))} µs a result in ingest, ` +
          `${round(of(count, 'all'))} µs with the stores; stored ${round(100 * of(count, 'stored'))} % of what was due`,
      )
    console.log()
    for (const count of [2, 4])
      claim(`cost of a result, ${count} processes over one`, of(count, 'all') / of(1, 'all'), 'under', 1.15)
    for (const count of counts) claim(`results stored, ${count}`, of(count, 'stored'), 'at least', 0.999)
  } finally {
    for (const agent of agents) await agent.stop()
    for (const ingest of ingests) await ingest.stop()
    await pool.end()
  }
})
await site.close()
rmSync(folder, { recursive: true, force: true })

async function seed(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with team as (
       insert into tenants (id, name, slug, plan, feature_overrides)
       select gen_random_uuid(), 'Team', 'team-' || n, 'pro', '{"min_check_interval":1,"monitors":null}'
       from generate_series(1, $1) as n returning id
     ), numbered as (select id, row_number() over () - 1 as place from team), monitor as (
       insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
         recovery_confirmations)
       select gen_random_uuid(), numbered.id, 'Site', $3 || '/' || n, 'website', 1, 5,
         '{"mode":"majority","count":null}', 2, 2
       from generate_series(0, $2 - 1) as n join numbered on numbered.place = n % $1 returning id, tenant_id
     )
     insert into checks (id, tenant_id, monitor_id, type, settings, severity)
     select gen_random_uuid(), tenant_id, id, 'uptime', '{}', 'critical' from monitor`,
    [teams, monitors, site.url],
  )
}

/** So many processes own the shards. */
async function become(count: number, stores: Stores, pool: pg.Pool): Promise<void> {
  while (ingests.length < count) ingests.push(await IngestProcess.start(stores))
  while (ingests.length > count) await ingests.pop()!.stop()
  for (const end = performance.now() + 60_000; ; await sleep(200)) {
    const { rows } = await pool.query<{ shards: number[] }>('select shards from ingest_owners')
    if (rows.length === count && new Set(rows.flatMap(({ shards }) => shards)).size === shardCount) return
    if (performance.now() > end) throw new Error(`${count} processes do not share the shards after a minute.`)
  }
}

async function startAgents(pool: pg.Pool): Promise<void> {
  for (const region of regions) {
    const { plain } = await createEnrolment(pool, region)
    const config = readConfig({
      VEDETTE_URL: ingests[0]!.url,
      REGION: region,
      ENROLMENT_TOKEN: plain,
      DATA_DIR: join(folder, randomUUID()),
      EGRESS_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'silent',
    })
    agents.push(await startAgent(config, { log: pino({ level: 'silent' }) }))
  }
}

/** Processor seconds of the ingest processes, and of everything but the agents and the site. */
function used(): { ingest: number; all: number } {
  const pids = new Set(ingests.map(({ pid }) => pid))
  const family = [...usageOf(process.pid).byPart.values()].flat()
  const sum = (those: typeof family) => those.reduce((total, { cpuS }) => total + cpuS, 0)
  return {
    ingest: sum(family.filter(({ pid }) => pids.has(pid))),
    all: sum(family.filter(({ pid, name }) => pid !== process.pid && !name.includes('nginx'))),
  }
}

async function measure({ clickhouseUrl }: Stores, count: number): Promise<Cost> {
  const clickhouse = createClient({ url: clickhouseUrl })
  const before = used()
  const from = Date.now()
  await sleep(seconds * 1_000)
  const after = used()
  const to = Date.now()
  await sleep(6_000)
  const query = `SELECT count() AS results FROM check_results FINAL WHERE run_reason = 'due'
    AND due >= fromUnixTimestamp64Milli({from: Int64}) AND due < fromUnixTimestamp64Milli({to: Int64})`
  const answer = await clickhouse.query({ query, query_params: { from, to }, format: 'JSONEachRow' })
  const [row] = await answer.json<{ results: string }>()
  await clickhouse.close()
  const results = Number(row?.results)
  const due = monitors * regions.length * ((to - from) / 1_000)
  const cost = {
    ingest: (1e6 * (after.ingest - before.ingest)) / results,
    all: (1e6 * (after.all - before.all)) / results,
    stored: results / due,
  }
  console.log(`  ${count}: ${round(cost.ingest)} µs in ingest, ${round(cost.all)} µs with the stores`)
  return cost
}
