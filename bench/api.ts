import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { main } from '#cli/command.ts'
import { clickhousePart, clickhouseUrl } from '#cli/local/embedded/clickhouse.ts'
import { ensureDatabase, ownerUrl, postgresPart } from '#cli/local/embedded/postgres.ts'
import { makeKeys } from '#cli/local/keys.ts'
import { findPort } from '#cli/local/loopback.ts'
import { migrateStores } from '#cli/local/prepare.ts'
import { showFor } from '#cli/local/show.ts'
import { Supervisor } from '#cli/local/supervise.ts'

export interface Api {
  port: number
  ownerUrl: string
  appUrl: string
  platformUrl: string
  clickhouseUrl: string
}

export type Stores = Omit<Api, 'port'>

const secretKey = 'a secret key for measuring, long enough'
export const keyring = { secretKey }

/** One API process on stores of its own, empty but for what `seed` leaves; all of it is gone when `measure` is done. */
export const withApi = <Seeded>(
  name: string,
  seed: (stores: Stores) => Promise<Seeded>,
  measure: (api: Api, seeded: Seeded) => Promise<void>,
): Promise<void> =>
  withStores(name, async stores => {
    const seeded = await seed(stores)
    const { port, stop } = await startServing(stores, 'api')
    try {
      await measure({ ...stores, port }, seeded)
    } finally {
      await stop()
    }
  })

/** Stores of its own, migrated and empty; gone when `use` is done. */
export async function withStores(name: string, use: (stores: Stores) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `vedette-${name}-`))
  const supervisor = new Supervisor({ dataDir: folder, show: showFor({ isJson: false, isTty: false }) })
  try {
    const keys = makeKeys()
    const postgres = { dataDir: join(folder, 'postgres'), port: await findPort(0), ownerPassword: keys.postgres.owner }
    await supervisor.start(await postgresPart(postgres))
    await ensureDatabase(postgres)
    const clickhouse = { dataDir: join(folder, 'clickhouse'), port: await findPort(0), password: keys.clickhouse }
    await supervisor.start(clickhousePart(clickhouse, process.env))
    const owner = ownerUrl(postgres)
    const as = (user: string, password: string) =>
      Object.assign(new URL(owner), { username: user, password }).toString()
    const stores = {
      ownerUrl: owner,
      appUrl: as('vedette_app', keys.postgres.app),
      platformUrl: as('vedette_platform', keys.postgres.platform),
      clickhouseUrl: clickhouseUrl(clickhouse),
    }
    await migrateStores(stores)
    await use(stores)
  } finally {
    await supervisor.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Served {
  pid: number
  port: number
  stop(): Promise<void>
}

/**
 * The control plane in one role, a process of its own. A worker without Temporal is never ready as a whole, but says
 * when it works.
 */
export async function startServing(
  stores: Stores,
  role: 'api' | 'ingest' | 'worker',
  settings: Record<string, string> = {},
  flags: string[] = [],
): Promise<Served> {
  const [port, metricsPort] = [await findPort(0), await findPort(0)]
  const env = {
    ...process.env,
    DATABASE_URL: stores.appUrl,
    DATABASE_PLATFORM_URL: stores.platformUrl,
    CLICKHOUSE_URL: stores.clickhouseUrl,
    SECRET_KEY: secretKey,
    TENANT_RATE: '1000000000',
    TRUSTED_PROXIES: '1',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    ...settings,
  }
  const served = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...flags, main, 'serve', '--role', role],
    {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const stop = async () => {
    served.kill('SIGTERM')
    if (served.exitCode === null && served.signalCode === null) await once(served, 'exit')
  }
  for (const until = Date.now() + 60_000; ; await sleep(100)) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok || (role === 'worker' && (await answer?.text())?.includes('TEMPORAL_ADDRESS'))) break
    if (Date.now() < until) continue
    await stop()
    throw new Error('the control plane did not become ready')
  }
  return { pid: served.pid ?? 0, port, stop }
}
