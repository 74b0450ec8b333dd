import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeFolder } from './folder.ts'

const program = join(import.meta.dirname, '../../cli/local/embedded/clickhouse-server.ts')
const password = 'test'

export interface ClickhouseServer {
  readonly folder: string
  url(database: string): string
  readonly pid: number
  /** As in a power cut: without a notice and without cleaning up. */
  kill(): Promise<void>
  /** After `kill`, on the same folder and port. */
  restart(): Promise<void>
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

/** A ClickHouse of one's own, in a folder of its own, that ends with this process whatever becomes of it. */
export async function startClickhouse({
  env = {},
  prepare,
}: {
  env?: Record<string, string>
  /** Writes files into its folder before it starts, such as more of its configuration. */
  prepare?: (folder: string) => void
} = {}): Promise<ClickhouseServer> {
  const folder = makeFolder('clickhouse')
  prepare?.(folder)
  let { child, port } = await launch(folder, 0, env)
  return {
    folder,
    url: database => `http://vedette:${password}@127.0.0.1:${port}/${database}`,
    get pid() {
      return child.pid ?? 0
    },
    async kill() {
      await end(child, 'SIGKILL')
    },
    async restart() {
      ;({ child, port } = await launch(folder, port, env))
    },
    async stop() {
      await end(child, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function launch(
  folder: string,
  port: number,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, '--with-parent'], {
    env: {
      ...process.env,
      TZ: 'UTC',
      CLICKHOUSE_DATA: folder,
      CLICKHOUSE_PORT: String(port),
      CLICKHOUSE_PASSWORD: password,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) return { child, port: JSON.parse(line).listening }
  throw new Error('ClickHouse ended before it listened.')
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
