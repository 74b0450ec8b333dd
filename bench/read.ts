import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openClickhouse } from '#analytics/client.ts'
import { main } from '#cli/command.ts'
import { clickhousePart, clickhouseUrl } from '#cli/local/embedded/clickhouse.ts'
import { ensureDatabase, ownerUrl, postgresPart } from '#cli/local/embedded/postgres.ts'
import { makeKeys } from '#cli/local/keys.ts'
import { findPort } from '#cli/local/loopback.ts'
import { migrateStores } from '#cli/local/prepare.ts'
import { showFor } from '#cli/local/show.ts'
import { Supervisor } from '#cli/local/supervise.ts'
import { eventually } from '#test/support/system.ts'
import { claim, median, quantile, round } from './figures.ts'
import { type Asked, ask, hammer } from './read/load.ts'
import { type Seeded, seedReads, type Team } from './read/seed.ts'

/**
 * How fast the API reads when there is much to read: 20 million results of 10,000 monitors. READ_DATA names a folder
 * to keep what was seeded in.
 */
const amount = {
  monitors: Number(process.env.READ_MONITORS ?? 10_000),
  results: Number(process.env.READ_RESULTS ?? 20_000_000),
}
const runs = 5
const requests = Number(process.env.READ_REQUESTS ?? 200)

const folder = process.env.READ_DATA ?? mkdtempSync(join(tmpdir(), 'vedette-read-'))
mkdirSync(folder, { recursive: true })
const supervisor = new Supervisor({ dataDir: folder, show: showFor({ isJson: false, isTty: false }) })
const children: ChildProcess[] = []
try {
  const { environment, seeded } = await prepare()
  const port = await serve(environment)
  await measure(port, seeded)
} finally {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(
    children.map(child => (child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined)),
  )
  await supervisor.stop()
  if (!process.env.READ_DATA) rmSync(folder, { recursive: true, force: true })
}

async function prepare(): Promise<{ environment: Record<string, string>; seeded: Seeded }> {
  const keysFile = join(folder, 'keys.json')
  const seededFile = join(folder, 'seeded.json')
  if (!existsSync(keysFile)) writeFileSync(keysFile, JSON.stringify(makeKeys()))
  const keys: ReturnType<typeof makeKeys> = JSON.parse(readFileSync(keysFile, 'utf8'))
  const postgres = { dataDir: join(folder, 'postgres'), port: await findPort(0), ownerPassword: keys.postgres.owner }
  await supervisor.start(await postgresPart(postgres))
  await ensureDatabase(postgres)
  const clickhouse = { dataDir: join(folder, 'clickhouse'), port: await findPort(0), password: keys.clickhouse }
  await supervisor.start(clickhousePart(clickhouse, process.env))

  const owner = ownerUrl(postgres)
  const as = (user: string, password: string) => Object.assign(new URL(owner), { username: user, password }).toString()
  const stores = {
    ownerUrl: owner,
    appUrl: as('vedette_app', keys.postgres.app),
    platformUrl: as('vedette_platform', keys.postgres.platform),
    clickhouseUrl: clickhouseUrl(clickhouse),
  }
  await migrateStores(stores)
  if (!existsSync(seededFile)) {
    const began = performance.now()
    writeFileSync(seededFile, JSON.stringify(await seedReads(stores.platformUrl, stores.clickhouseUrl, amount)))
    console.log(
      `seeded ${amount.results} results of ${amount.monitors} monitors in ${round((performance.now() - began) / 1_000)} s`,
    )
  }
  await rest(owner, stores.clickhouseUrl)
  return {
    seeded: JSON.parse(readFileSync(seededFile, 'utf8')),
    environment: {
      DATABASE_URL: stores.appUrl,
      DATABASE_PLATFORM_URL: stores.platformUrl,
      CLICKHOUSE_URL: stores.clickhouseUrl,
      SECRET_KEY: 'a secret key for measuring, long enough',
      TENANT_RATE: '1000000000',
      TRUSTED_PROXIES: '1',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
    },
  }
}

/** A store that has been filled for weeks is not being tidied up. */
async function rest(ownerUrl: string, clickhouseUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('vacuum analyze')
  await owner.query('checkpoint')
  await owner.end()
  const clickhouse = openClickhouse(clickhouseUrl)
  await eventually(
    'ClickHouse at rest',
    async () => {
      const merges = await clickhouse.query({ query: 'SELECT 1 FROM system.merges', format: 'JSONEachRow' })
      return (await merges.json()).length === 0
    },
    300_000,
    2_000,
  )
  await clickhouse.close()
}

async function serve(environment: Record<string, string>): Promise<number> {
  const [port, metricsPort] = [await findPort(0), await findPort(0)]
  const env = { ...process.env, ...environment, PORT: String(port), METRICS_PORT: String(metricsPort) }
  children.push(
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'serve', '--role', 'api'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(100)) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (ready?.ok) return port
  }
  throw new Error('the control plane did not become ready')
}

async function measure(port: number, { teams }: Seeded): Promise<void> {
  const [large, ...others] = teams as [Team, ...Team[]]
  const turns = new Map<Team, number>()
  /** Each request by the next session of its team, as one may ask only so often. */
  const tokenOf = (team: Team) => {
    const turn = turns.get(team) ?? 0
    turns.set(team, turn + 1)
    return team.tokens[turn % team.tokens.length] as string
  }
  /** The p99 of a few hundred requests one after the other; of five such runs the median. */
  const p99 = async (make: (n: number) => Omit<Asked, 'port' | 'token'> & { team: Team }) => {
    const found: number[] = []
    const middle: number[] = []
    for (let run = 0; run <= runs; run++) {
      const times: number[] = []
      for (let n = 0; n < requests; n++) {
        const { team, ...asked } = make(run * requests + n)
        const { status, text, ms } = await ask({ ...asked, port, token: tokenOf(team) })
        if (status !== 200) throw new Error(`${asked.path} answered ${status}: ${text.slice(0, 300)}`)
        times.push(ms)
      }
      if (run === 0) continue // to warm up
      found.push(quantile(times, 0.99))
      middle.push(median(times))
    }
    console.log(`      p50 ${round(median(middle))} ms; p99 of each run: ${found.map(round).join(', ')} ms`)
    return median(found)
  }
  const teamOf = (n: number) => others[n % others.length] ?? large
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  const batch = (n: number) => ({
    team: teamOf(n),
    method: 'POST',
    path: '/api/v1/monitors/stats-batch',
    body: { monitor_ids: teamOf(n).monitors.slice(0, 200) },
  })
  const report = (n: number) => {
    const team = n % 2 ? large : teamOf(n)
    return {
      team,
      path: `/api/v1/monitors/${team.monitors[(n * 7_919) % team.monitors.length]}/report?from=${day(89)}&to=${day(0)}`,
    }
  }
  const lists = [
    'per_page=50',
    'per_page=50&page=20',
    'sort=name&per_page=50',
    'status=up&sort=url&sort_dir=desc',
    'tag=t7&per_page=100',
    'check_type=uptime',
  ]

  claim('stats-batch of 200, p99', await p99(batch), 'under', 30, ' ms')
  claim('90-day report, p99', await p99(report), 'under', 50, ' ms')
  claim(
    `GET /monitors page of ${large.monitors.length}, p99`,
    await p99(n => ({ team: large, path: `/api/v1/monitors?${lists[n % lists.length]}` })),
    'under',
    20,
    ' ms',
  )

  const bare = fork(join(import.meta.dirname, 'read/bare-koa.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  children.push(bare)
  const [barePort] = await once(bare, 'message')
  const paths = large.monitors.slice(0, 1_000).map(id => `/api/badges/${id}`)
  for (const path of paths) await ask({ port, path, token: '' })
  await hammer(barePort, paths)
  await hammer(port, paths)
  const shares: number[] = []
  for (let run = 0; run < runs; run++) {
    const [plain, ours] = [await hammer(barePort, paths), await hammer(port, paths)]
    console.log(`      bare Koa ${round(plain)} a second, badge ${round(ours)} a second`)
    shares.push((100 * ours) / plain)
  }
  claim('badge, share of a bare Koa route', median(shares), 'at least', 60, ' %')
}
