import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDatabase, ownerUrl, postgresPart } from '#cli/local/embedded/postgres.ts'
import { makeKeys } from '#cli/local/keys.ts'
import { findPort } from '#cli/local/loopback.ts'
import { showFor } from '#cli/local/show.ts'
import { Supervisor } from '#cli/local/supervise.ts'
import { migrate } from '#control-plane/db/migrate.ts'

export interface Started {
  port: number
  child: ChildProcess
}

export interface System {
  owner: string
  platformUrl: string
  /** Starts a program of this folder that says its port. */
  start(file: string, environment?: Record<string, string>): Promise<Started>
  /** Starts `serve.ts`, the API that counts its statements. */
  startApi(environment?: Record<string, string>): Promise<Started>
}

/** PostgreSQL with our schema, and programs beside it; all of it ends with `use`. */
export async function withSystem(name: string, use: (system: System) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `vedette-${name}-`))
  const supervisor = new Supervisor({ dataDir: folder, show: showFor({ isJson: false, isTty: false }) })
  const children: ChildProcess[] = []
  try {
    const keys = makeKeys().postgres
    const options = { dataDir: join(folder, 'postgres'), port: await findPort(0), ownerPassword: keys.owner }
    await supervisor.start(await postgresPart(options))
    await ensureDatabase(options)
    const owner = ownerUrl(options)
    const as = (username: string, password: string) => Object.assign(new URL(owner), { username, password }).toString()
    await migrate({ ownerUrl: owner, appPassword: keys.app, platformPassword: keys.platform })
    const platformUrl = as('vedette_platform', keys.platform)
    const start: System['start'] = async (file, environment = {}) => {
      const started = await startProgram(file, environment)
      children.push(started.child)
      return started
    }
    const startApi: System['startApi'] = environment =>
      start('serve.ts', {
        DATABASE_URL: as('vedette_app', keys.app),
        DATABASE_PLATFORM_URL: platformUrl,
        CLICKHOUSE_URL: 'http://default:none@127.0.0.1:1/none',
        SECRET_KEY: 'a secret key for measuring, long enough',
        TENANT_RATE: '1000000000',
        ...environment,
      })
    await use({ owner, platformUrl, start, startApi })
  } finally {
    for (const child of children) if (child.connected) child.disconnect()
    await Promise.all(children.map(child => (child.exitCode === null ? once(child, 'exit') : undefined)))
    await supervisor.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startProgram(file: string, environment: Record<string, string>): Promise<Started> {
  const log = openSync('/dev/null', 'w')
  const child = fork(join(import.meta.dirname, file), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, ...environment },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { port, child }
}

interface Spent {
  statements: number
  cpuUs: number
}

/** The statements and the microseconds of computing of a program so far. */
export async function spentBy({ child }: Started): Promise<Spent> {
  child.send('how much?')
  const [{ statements, cpu }] = (await once(child, 'message')) as [{ statements: number; cpu: NodeJS.CpuUsage }]
  return { statements, cpuUs: cpu.user + cpu.system }
}
