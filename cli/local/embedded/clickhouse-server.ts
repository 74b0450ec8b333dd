process.env.UV_THREADPOOL_SIZE ??= '16' // every running statement occupies a thread
process.env.TZ = 'UTC'

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { keepSmallAtRest } from '#cli/at-rest.ts'
import { lockFolder } from './clickhouse/lock.ts'

const Environment = z.object({
  CLICKHOUSE_DATA: z.string().min(1),
  CLICKHOUSE_PORT: z.coerce.number().int().min(0).max(65_535),
  CLICKHOUSE_USER: z.string().default('vedette'),
  CLICKHOUSE_PASSWORD: z.string(),
  CLICKHOUSE_DATABASE: z.string().regex(/^\w+$/).default('vedette'),
  CLICKHOUSE_CONNECTIONS: z.coerce.number().int().min(1).max(32).default(8),
  /** Bytes this process may use before a statement is refused. */
  CLICKHOUSE_MEMORY: z.coerce.number().int().default(1_500_000_000),
})

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const parsed = Environment.safeParse(process.env)
const issues = parsed.error?.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
const config = parsed.data ?? fail(`The configuration is wrong: ${issues?.join('; ')}`)

mkdirSync(config.CLICKHOUSE_DATA, { recursive: true, mode: 0o700 })
let unlock = () => {}
try {
  unlock = lockFolder(config.CLICKHOUSE_DATA)
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}

const { Engine } = await import('./clickhouse/engine.ts')
const { serveHttp } = await import('./clickhouse/http.ts')

/** Without limits the engine uses the whole machine. */
const limits = {
  max_server_memory_usage: config.CLICKHOUSE_MEMORY,
  mark_cache_size: 134_217_728,
  primary_index_cache_size: 134_217_728,
  query_condition_cache_size: 16_777_216,
  max_thread_pool_size: 400,
}
/** Where `vedette backup` has its archives made, from where it takes them; one that was left is of no use. */
const backups = join(config.CLICKHOUSE_DATA, 'backups')
rmSync(backups, { recursive: true, force: true })
mkdirSync(backups, { mode: 0o700 })
const escaped = backups.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)
const backupDisk =
  `<storage_configuration><disks><backups><type>local</type><path>${escaped}/</path></backups></disks>` +
  '</storage_configuration><backups><allowed_disk>backups</allowed_disk></backups>'
const limitsFile = join(config.CLICKHOUSE_DATA, 'limits.xml')
writeFileSync(
  limitsFile,
  `<clickhouse>${Object.entries(limits)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}${backupDisk}</clickhouse>\n`,
)

const engine = new Engine({
  folder: config.CLICKHOUSE_DATA,
  connections: config.CLICKHOUSE_CONNECTIONS,
  waiting: 1_000,
  args: [`--config-file=${limitsFile}`],
})
await engine.run({
  sql: `CREATE DATABASE IF NOT EXISTS ${config.CLICKHOUSE_DATABASE}`,
  database: 'default',
  settings: {},
  format: 'TSV',
})

const server = serveHttp(engine, { user: config.CLICKHOUSE_USER, password: config.CLICKHOUSE_PASSWORD })
server.on('error', error => fail(`ClickHouse cannot listen on port ${config.CLICKHOUSE_PORT}: ${error.message}`))
server.listen(config.CLICKHOUSE_PORT, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ listening: typeof address === 'object' ? address?.port : address }))
})

keepSmallAtRest()

let isStopping = false
async function stop() {
  if (isStopping) return
  isStopping = true
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  await Promise.race([closed, new Promise(resolve => setTimeout(resolve, 2_500))])
  await engine.close()
  unlock()
  process.exit(0)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

// With a pipe as its input it ends when the parent process ends.
if (process.argv.includes('--with-parent')) process.stdin.resume().on('end', stop).on('error', stop)
