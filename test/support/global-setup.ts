import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { clickhousePart, clickhouseUrl } from '#cli/local/embedded/clickhouse.ts'
import { ensureDatabase, ownerUrl, postgresPart } from '#cli/local/embedded/postgres.ts'
import { obtainTemporal, temporalPart } from '#cli/local/embedded/temporal.ts'
import { obtainTimeSkipping } from '#cli/local/embedded/time-skipping.ts'
import { makeKeys } from '#cli/local/keys.ts'
import { findPort } from '#cli/local/loopback.ts'
import { showFor } from '#cli/local/show.ts'
import { Supervisor } from '#cli/local/supervise.ts'
import { buildWeb } from '#cli/local/web.ts'
import { buildProgram } from '#cli/program/build.js'
import { programFolder } from '#cli/program/folder.js'
import { obtainBrowser } from './browser.ts'
import { deleteLeftFolders, makeFolder } from './folder.ts'
import { readableSecrets } from './readable-secrets.ts'
import type { StoreAddresses } from './stores.ts'
import { makeTemplate } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    storesPort: number
    /** Where everything that runs writes its log; in the end no key may be readable there. */
    logs: string
    /** The file that starts our commands. */
    program: string
  }
}

/** A store that is thrown away: nothing has to survive a crash. A run has a hundred databases to be vacuumed. */
const thrownAway = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '64MB',
  scram_iterations: '1',
  autovacuum_naptime: '60s',
}

/**
 * One PostgreSQL, one ClickHouse and one Temporal for a whole run, each started when a test first asks for it
 * (`test/support/stores.ts`), in a folder that is gone afterwards. Should the run be killed, the supervisor's
 * watcher stops them.
 */
export default async function setup(project: TestProject) {
  deleteLeftFolders()
  const folder = makeFolder('test')
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  const show = showFor({ isJson: false, isTty: false })
  const supervisor = new Supervisor({ dataDir: folder, show })
  const keys = makeKeys()
  const env = { ...process.env, TZ: 'UTC' }
  const ended = new AbortController()
  const program = programFolder(process.cwd())
  // a whole run waits for neither in the middle of a test, and no two systems that it starts build at once
  if (process.env.SUITE)
    await Promise.all([buildWeb(), existsSync(program) || buildProgram(process.cwd(), program, process.execPath)])
  project.provide('program', existsSync(program) ? join(program, 'main.mjs') : join(process.cwd(), 'cli', 'main.ts'))

  const starts: { [Name in keyof StoreAddresses]: () => Promise<StoreAddresses[Name]> } = {
    async postgres() {
      const options = {
        dataDir: join(folder, 'postgres'),
        port: await findPort(0),
        ownerPassword: keys.postgres.owner,
        overrides: thrownAway,
      }
      await supervisor.start(await postgresPart(options))
      await ensureDatabase(options)
      const passwords = { appPassword: keys.postgres.app, platformPassword: keys.postgres.platform }
      await makeTemplate(ownerUrl(options), passwords)
      return { ownerUrl: ownerUrl(options), ...passwords }
    },
    async clickhouse() {
      const options = { dataDir: join(folder, 'clickhouse'), port: await findPort(0), password: keys.clickhouse }
      await supervisor.start(clickhousePart(options, env))
      return { url: clickhouseUrl(options) }
    },
    async temporal() {
      const { path } = await obtainTemporal({ env, onProgress: console.log })
      const [port, httpPort, metricsPort] = [await findPort(0), await findPort(0), await findPort(0)]
      await supervisor.start(temporalPart({ path, dataFile: undefined, port, httpPort, metricsPort }, env))
      return { address: `127.0.0.1:${port}` }
    },
    async timeSkipping() {
      return { path: await obtainTimeSkipping({ env, onProgress: console.log }) }
    },
    browser: () => obtainBrowser(ended.signal),
    web: buildWeb,
  }

  const started = new Map<string, Promise<unknown>>()
  // takes half a minute where it is not kept yet: not while a test waits for it
  if (process.env.SUITE === 'gate') started.set('browser', starts.browser())
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice(1)
    if (!(name in starts)) return void response.writeHead(404).end()
    const start = started.get(name) ?? starts[name as keyof StoreAddresses]()
    started.set(name, start)
    try {
      const address = JSON.stringify(await start)
      response.writeHead(200).end(address)
    } catch (error) {
      response
        .writeHead(500)
        .end(JSON.stringify({ error: error instanceof Error ? { ...error, message: error.message } : String(error) }))
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  project.provide('storesPort', typeof address === 'object' && address ? address.port : 0)
  project.provide('logs', logs)

  return async () => {
    ended.abort()
    server.close()
    server.closeAllConnections()
    const known = async <Name extends keyof StoreAddresses>(name: Name) =>
      (await started.get(name)?.catch(() => undefined)) as StoreAddresses[Name] | undefined
    const [postgres, clickhouse] = await Promise.all([known('postgres'), known('clickhouse')])
    const secrets = postgres && (await readableSecrets(postgres.ownerUrl, clickhouse?.url ?? null, logs))
    await supervisor.stop()
    rmSync(folder, { recursive: true, force: true })
    if (!secrets) return
    console.log(
      `secrets: ${secrets.issued.toLocaleString('en')} keys were handed out; readable in ${secrets.found.length} tables and logs`,
    )
    if (secrets.forgotten.length > 0)
      throw new Error(`A rotated SECRET_KEY is not applied to what is encrypted in ${secrets.forgotten.join(', ')}.`)
    if (secrets.found.length > 0) throw new Error(`A key can be read in ${secrets.found.join(', ')}.`)
  }
}
