import { createRequire } from 'node:module'
import { join } from 'node:path'
import { StartFault } from '#cli/fault.ts'
import { answers, readinessMs } from '#cli/local/loopback.ts'
import type { Part } from '#cli/local/supervise.ts'
import { bundleFolder } from '#cli/program/place.ts'

const program = bundleFolder
  ? join(bundleFolder, 'clickhouse-server.mjs')
  : join(import.meta.dirname, 'clickhouse-server.ts')

export interface ClickHouseOptions {
  dataDir: string
  port: number
  password: string
}

export const clickhouseUrl = ({ port, password }: Omit<ClickHouseOptions, 'dataDir'>, database = 'vedette') =>
  `http://vedette:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`

function requireInstalled(): void {
  try {
    createRequire(import.meta.url).resolve('chdb')
  } catch {
    throw new StartFault(
      'dependency',
      'the embedded ClickHouse is not installed',
      `The package chdb is optional: it was left out, or there is none for ${process.platform} ${process.arch}.`,
      'npm ci',
      'or use your own: CLICKHOUSE_URL=http://… npm start',
    )
  }
}

/** An embedded ClickHouse in its own process with the HTTP interface of the server. */
export function clickhousePart(
  { dataDir, port, password }: ClickHouseOptions,
  env: Record<string, string | undefined>,
): Part {
  requireInstalled()
  return {
    name: 'clickhouse',
    title: 'ClickHouse',
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', program],
    env: { ...env, CLICKHOUSE_DATA: dataDir, CLICKHOUSE_PORT: String(port), CLICKHOUSE_PASSWORD: password },
    stopSignal: 'SIGTERM',
    stage: 3,
    stopMs: 4_000,
    // asked with our password, which another server on that port would refuse
    isReady: async () =>
      (await answers(`${clickhouseUrl({ port, password }, '')}?query=SELECT%201`, readinessMs))?.status === 200,
  }
}
