import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { main } from '#cli/command.ts'
import { clickhousePart, clickhouseUrl } from '#cli/embedded/clickhouse.ts'
import { ensureDatabase, ownerUrl, postgresPart } from '#cli/embedded/postgres.ts'
import { makeKeys } from '#cli/keys.ts'
import { findPort } from '#cli/loopback.ts'
import { migrateStores } from '#cli/prepare.ts'
import { showFor } from '#cli/show.ts'
import { Supervisor } from '#cli/supervise.ts'

export interface Api {
  port: number
  ownerUrl: string
  appUrl: string
  platformUrl: string
  clickhouseUrl: string
}

/** One API process on stores of its own, empty but for what `seed` leaves; all of it is gone when `measure` is done. */
export async function withApi<Seeded>(
  name: string,
  seed: (stores: Omit<Api, 'port'>) => Promise<Seeded>,
  measure: (api: Api, seeded: Seeded) => Promise<void>,
): Promise<void> {
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
    const as = (user: string, password: string) => Object.assign(new URL(owner), { username: user, password }).toString()
    const stores = {
      ownerUrl: owner,
      appUrl: as('vedette_app', keys.postgres.app),
      platformUrl: as('vedette_platform', keys.postgres.platform),
      clickhouseUrl: clickhouseUrl(clickhouse),
    }
    await migrateStores(stores)
    const seeded = await seed(stores)
    await serving(stores, port => measure({ ...stores, port }, seeded))
  } finally {
    await supervisor.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function serving(stores: Omit<Api, 'port'>, use: (port: number) => Promise<void>): Promise<void> {
  const [port, metricsPort] = [await findPort(0), await findPort(0)]
  const env = {
    ...process.env,
    DATABASE_URL: stores.appUrl,
    DATABASE_PLATFORM_URL: stores.platformUrl,
    CLICKHOUSE_URL: stores.clickhouseUrl,
    SECRET_KEY: 'a secret key for measuring, long enough',
    TRUSTED_PROXIES: '1',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  }
  const api = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'serve', '--role', 'api'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    for (const until = Date.now() + 60_000; ; await sleep(100)) {
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
      if (ready?.ok) break
      if (Date.now() > until) throw new Error('the control plane did not become ready')
    }
    await use(port)
  } finally {
    api.kill('SIGTERM')
    if (api.exitCode === null && api.signalCode === null) await once(api, 'exit')
  }
}
