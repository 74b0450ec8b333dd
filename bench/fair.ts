import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openClickhouse } from '#analytics/client.ts'
import { a, DnsServer } from '#test/egress/dns-server.ts'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'
import { addMonitors, aTenant, startHog } from './fair/world.ts'
import { claim, quantile, round } from './figures.ts'
import { countProcessor } from './processes.ts'

/**
 * One tenant beside fifty others: its 3,000 monitors every five seconds have a target that hangs, drips, resets at
 * once, or has a name without an answer. The others' 200 monitors every ten seconds must have their runs in time;
 * their outages must be found as usual, and none where there is none.
 *
 * `FAIR_MODES=hang,dns FAIR_SECONDS=60 node bench/fair.ts`. The mode `dns` gives the system a resolver of its own, in
 * a mount namespace: it needs root and util-linux.
 */
const modes = ['hang', 'drip', 'reset', 'dns'] as const
type Mode = (typeof modes)[number]
const wanted = (process.env.FAIR_MODES ?? modes.join()).split(',')
const seconds = Number(process.env.FAIR_SECONDS ?? 70)
const [tenants, each, interval] = [50, 4, 10]
const hogs = { monitors: Number(process.env.FAIR_HOGS ?? 3_000), interval: 5, timeout: 30 }
const outages = 10
const outageS = 25
const resolver = '127.0.0.77'
const regions = ['eu-west', 'us-east', 'ap-south']

if (process.env.FAIR_MODE) await measure(process.env.FAIR_MODE as Mode)
else for (const mode of modes.filter(name => wanted.includes(name))) runApart(mode)

/** A process for each mode, the one of names with a resolver of its own. */
function runApart(mode: Mode): void {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-fair-'))
  const file = join(folder, 'resolv.conf')
  writeFileSync(file, `nameserver ${resolver}\n`)
  const program = [process.execPath, import.meta.filename]
  const command =
    mode === 'dns'
      ? ['unshare', '-m', 'sh', '-c', `mount --bind ${file} /etc/resolv.conf && exec "$0" "$@"`, ...program]
      : program
  const { status } = spawnSync(command[0]!, command.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, FAIR_MODE: mode },
  })
  rmSync(folder, { recursive: true })
  if (status !== 0) process.exitCode = 1
}

async function measure(mode: Mode): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const site = opened.adopt(await Site.open(), each => each.close())
  const hog = opened.adopt(await startHog(mode), each => each.stop())
  const names =
    mode === 'dns'
      ? opened.adopt(await DnsServer.open((name, type) => answerOf(name, type), 53, resolver), each => each.close())
      : undefined
  const system = opened.adopt(
    await System.start({ regions, env: { LOG_LEVEL: 'warn' } }),
    async each => void (await each.stop()),
  )
  const platform = opened.adopt(
    new pg.Pool({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '', max: 4 }),
    each => each.end(),
  )
  const clickhouse = opened.adopt(openClickhouse(system.environment.CLICKHOUSE_URL ?? ''), each => each.close())
  const well = new URL(site.url)
  const host = names ? 'well.test' : well.hostname
  const own = await Promise.all(Array.from({ length: tenants }, () => aTenant(platform)))
  const paths = own.flatMap((_, n) => Array.from({ length: each }, (_, nth) => `/site-${n}-${nth}`))
  const monitors = await addMonitors(
    platform,
    paths.map((path, n) => ({
      tenant: own[Math.floor(n / each)]!,
      url: `http://${host}:${well.port}${path}`,
      interval,
      timeout: 5,
    })),
  )
  const isUp = async () =>
    (
      await platform.query(
        `select 1 from monitors where id = any($1::uuid[]) and status is distinct from 'up' limit 1`,
        [monitors],
      )
    ).rowCount === 0
  await eventually('all sites up', isUp, 60_000)

  const tenant = await aTenant(platform)
  const url = (n: number) => (names ? `http://silent-${n}.test:${hog.port}/` : `http://127.0.0.1:${hog.port}/${n}`)
  await addMonitors(
    platform,
    Array.from({ length: hogs.monitors }, (_, n) => ({
      tenant,
      url: url(n),
      interval: hogs.interval,
      timeout: hogs.timeout,
    })),
  )
  await sleep(15_000)

  const from = Date.now()
  const used = countProcessor()
  const began = new Map<string, number>()
  await Promise.all(
    Array.from({ length: outages }, async (_, nth) => {
      const index = nth * Math.floor(paths.length / outages)
      const path = paths[index]!
      await sleep((nth / outages) * (seconds - outageS - interval) * 1_000)
      began.set(monitors[index]!, site.become('error', path))
      await sleep(outageS * 1_000)
      site.become('up', path)
    }),
  )
  const to = Date.now()
  const processor = used((to - from) / 1_000)
  await sleep(5_000)

  const stored = await clickhouse.query({
    query: `select toUnixTimestamp64Milli(at) - toUnixTimestamp64Milli(due) as late, is_unreliable
      from check_results final
              where run_reason = 'due' and has({monitors:Array(UUID)}, monitor_id)
                and due >= fromUnixTimestamp64Milli({from:Int64}) and due < fromUnixTimestamp64Milli({to:Int64})`,
    query_params: { monitors, from, to },
    format: 'JSONEachRow',
  })
  const results = await stored.json<{ late: number | string; is_unreliable: boolean }>()
  const late = results.map(row => Number(row.late))
  const due = (monitors.length * regions.length * (to - from)) / 1_000 / interval
  const { rows } = await platform.query<{ monitor_id: string; created: number }>(
    `select monitor_id, extract(epoch from created_at)::float8 * 1000 as created from incidents
     where monitor_id = any($1::uuid[])`,
    [monitors],
  )
  const found = rows.filter(row => row.created >= (began.get(row.monitor_id) ?? Number.POSITIVE_INFINITY))
  const firstFailed = new Map<string, number>()
  for (const { path, mood, at } of site.log) if (mood === 'error' && !firstFailed.has(path)) firstFailed.set(path, at)
  const delays = found.map(
    row => row.created - (firstFailed.get(paths[monitors.indexOf(row.monitor_id)]!) ?? Number.NaN),
  )

  console.log(
    `\n${mode}: ${hogs.monitors} monitors every ${hogs.interval} s of one tenant beside ${monitors.length} of ${tenants}, ${round((to - from) / 1_000)} s`,
  )
  claim('their runs that were made, of those due', late.length / due, 'at least', 0.95)
  claim('start of a run after its due, p99', quantile(late, 0.99), 'under', 1_000, ' ms')
  console.log(`      p50 ${round(quantile(late, 0.5))} ms, latest ${round(Math.max(...late))} ms`)
  claim('their outages found', new Set(found.map(row => row.monitor_id)).size, 'at least', outages)
  claim(
    'from the first failed answer to the incident row, slowest',
    delays.length > 0 ? Math.max(...delays) : Infinity,
    'under',
    3_000,
    ' ms',
  )
  claim('false incidents', rows.length - found.length, 'under', 1)
  const unreliable = results.filter(({ is_unreliable }) => is_unreliable).length
  console.log(
    `      ${unreliable} of ${results.length} results unreliable: the agent was not given the time; milliseconds of processor a second: ${processor}`,
  )
  await printHog(tenant)

  /** What became of the one: none of it is claimed. */
  async function printHog(tenant: string): Promise<void> {
    const counted = await clickhouse.query({
      query: 'select count() as runs from check_results where tenant_id = {tenant:UUID}',
      query_params: { tenant },
      format: 'JSONEachRow',
    })
    const [row] = await counted.json<{ runs: number | string }>()
    const { rows } = await platform.query<{ status: string | null; coverage: string; n: number }>(
      'select status, coverage, count(*)::int as n from monitors where tenant_id = $1 group by 1, 2 order by 3 desc',
      [tenant],
    )
    console.log(
      `      the one tenant: ${row?.runs} runs; ${rows.map(({ status, coverage, n }) => `${n} ${status ?? 'without a verdict'}, coverage ${coverage}`).join('; ')}`,
    )
    const metrics = await system.metrics()
    for (const [name, value] of metrics)
      if (name.startsWith('vedette_missed_schedules_total') && value > 0) console.log(`      ${name} ${value}`)
  }
}

/** Names of the one tenant are asked for in vain. */
function answerOf(name: string, type: string) {
  if (name.startsWith('silent-')) return 'silent' as const
  return name === 'well.test' && type === 'A' ? a(name, '127.0.0.1') : []
}
