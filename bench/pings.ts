import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPort } from '#cli/local/loopback.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { type Stores, startServing, withStores } from './api.ts'
import { claim, quantile, round } from './figures.ts'
import { familyOf } from './processes.ts'

/**
 * Pings of 20,000 jobs into one process of the API, each answered once it is stored; then a thousand of them fall
 * silent together.
 */
const heartbeats = Number(process.env.PING_HEARTBEATS ?? 20_000)
const rate = Number(process.env.PING_RATE ?? 3_000)
const seconds = Number(process.env.PING_SECONDS ?? 60)
const silent = Math.min(1_000, heartbeats / 2)

await withStores('pings', measure)

interface Figures {
  tookS: number
  cpuS: number
  statuses: Record<string, number>
  answered: number
  p50: number
  p99: number
  slowest: number
}

async function load(port: number, paths: string[], perSecond: number, forS: number): Promise<Figures> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'pings', 'load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    output += chunk
  })
  child.stdin.end(JSON.stringify({ port, rate: perSecond, seconds: forS, paths }))
  await once(child, 'exit')
  return JSON.parse(output)
}

async function measure(stores: Stores): Promise<void> {
  const platform = new pg.Pool({ connectionString: stores.platformUrl, max: 2 })
  const tenant = await createTenant(platform, {
    name: 'Pings',
    slug: 'pings',
    plan: 'pro',
    featureOverrides: { monitors: null },
    isReseller: false,
  })
  await platform.query(
    `with made as (
       insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy,
         confirmations, recovery_confirmations)
       select gen_random_uuid(), $1, 'Job ' || n, 'cron://job', 'cron', 60, 10,
         '{"mode":"majority","count":null}', 2, 2 from generate_series(1, $2::int) n returning id
     )
     insert into checks (id, tenant_id, monitor_id, type, settings, severity)
     select gen_random_uuid(), $1, id, 'cron', '{"schedule_kind":"simple","period_minutes":5,"grace_minutes":5}',
       'critical' from made`,
    [tenant, heartbeats],
  )
  const { rows } = await platform.query<{ path: string }>(
    `select '/api/ping/' || id as path from ping_addresses where tenant_id = $1`,
    [tenant],
  )
  const paths = rows.map(row => row.path)
  const api = await startServing(
    stores,
    'api',
    { LOG_LEVEL: 'warn' },
    (process.env.PING_FLAGS ?? '').split(' ').filter(Boolean),
  )
  const ingest = await startServing(stores, 'ingest', { LOG_LEVEL: 'warn' })
  try {
    await measureBare(paths)
    await load(api.port, paths, Math.min(rate, 1_000), Math.ceil(heartbeats / Math.min(rate, 1_000)))
    await sleep(3_000)
    const before = spent({ api: api.pid, ingest: ingest.pid })
    const found = await load(api.port, paths, rate, seconds)
    const after = spent({ api: api.pid, ingest: ingest.pid })
    const good = found.statuses['200'] ?? 0
    claim(`pings answered of ${rate * seconds}`, good, 'at least', rate * seconds)
    claim('pings a second, one process', good / found.tookS, 'at least', rate * 0.99)
    claim('from due to stored and answered, p99', found.p99, 'under', 30, ' ms')
    console.log(
      `      p50 ${round(found.p50)} ms, slowest ${round(found.slowest)} ms; ${JSON.stringify(found.statuses)}`,
    )
    printSpent(before, after, found)
    await measureSilence(platform, api.port, paths)
  } finally {
    await api.stop()
    await ingest.stop()
    await platform.end()
  }
}

/** Processor seconds so far, by who spent them. */
function spent(serving: Record<string, number>): Record<string, number> {
  const family = familyOf(process.pid)
  const sum = (of: typeof family) => of.reduce((total, { cpuS }) => total + cpuS, 0)
  return {
    ...Object.fromEntries(
      Object.entries(serving).map(([part, pid]) => [part, sum(family.filter(one => one.pid === pid))]),
    ),
    PostgreSQL: sum(family.filter(({ name }) => /postgres/.test(name))),
    ClickHouse: sum(family.filter(({ name }) => /clickhouse/.test(name))),
  }
}

async function measureBare(paths: string[]): Promise<void> {
  const port = await findPort(0)
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'pings', 'bare.ts'), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(bare.stdout!, 'data')
  const before = spent({ bare: bare.pid ?? 0 })
  const found = await load(port, paths, rate, Math.min(seconds, 10))
  const after = spent({ bare: bare.pid ?? 0 })
  bare.kill()
  console.log(
    `      a bare node:http that answers 200 at the same rate: p50 ${round(found.p50)} ms, p99 ${round(found.p99)} ms`,
  )
  printSpent(before, after, found)
}

function printSpent(before: Record<string, number>, after: Record<string, number>, { answered, cpuS }: Figures): void {
  const perThousand = (s: number) => `${round((s * 1_000) / Math.max(1, answered))} s`
  const parts = Object.entries(after).map(([part, s]) => `${part} ${perThousand(s - (before[part] ?? 0))}`)
  console.log(
    `      processor time for 1,000 answered: ${[...parts, `load generator ${perThousand(cpuS)}`].join(', ')}`,
  )
}

/** Their moment is put a few seconds ahead; all others go on pinging meanwhile. */
async function measureSilence(platform: pg.Pool, port: number, paths: string[]): Promise<void> {
  const { rows } = await platform.query<{ path: string }>(
    `with chosen as (select check_id from heartbeats order by check_id limit $1), moved as (
       update heartbeats h set expected_at = clock_timestamp() - interval '4 minutes',
         alert_after = clock_timestamp() + interval '5 seconds',
         wake_at = clock_timestamp() + interval '5 seconds' from chosen c where h.check_id = c.check_id
           returning h.check_id
     ) select '/api/ping/' || a.id as path from moved join ping_addresses a using (check_id)`,
    [silent],
  )
  const quiet = new Set(rows.map(row => row.path))
  const others = paths.filter(path => !quiet.has(path))
  await load(port, others, Math.min(rate, 500), 12)
  const { rows: late } = await platform.query<{ s: number }>(
    'select extract(epoch from confirmed_at - started_at)::float8 as s from incidents where resolved_at is null',
  )
  const lateness = late.map(row => row.s)
  claim(`silent of ${heartbeats} found`, lateness.length, 'at least', silent)
  claim('incidents for jobs that pinged', lateness.length - silent, 'under', 1)
  claim('from the deadline to the incident, slowest', Math.max(...lateness), 'under', 2, ' s')
  console.log(`      p50 ${round(quantile(lateness, 0.5))} s, earliest ${round(Math.min(...lateness))} s`)
}
