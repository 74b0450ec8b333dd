import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findPort, until } from '#cli/local/loopback.ts'
import type { ServeRole } from '#cli/serve/serve.ts'
import type { Config } from '#control-plane/config.ts'
import { program } from './program.ts'

/** A control plane in a process of its own, on the stores of another; the test that starts it ends it. */
export const startServe = (role: ServeRole, config: Config, env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, program('serve', '--role', role), {
    env: {
      ...process.env,
      DATABASE_URL: config.databaseUrl,
      DATABASE_PLATFORM_URL: config.platformUrl,
      CLICKHOUSE_URL: config.clickhouseUrl,
      SECRET_KEY: config.secretKey,
      EGRESS_ALLOW: config.egressAllow,
      TRUSTED_PROXIES: String(config.trustedProxies),
      LOG_LEVEL: 'silent',
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
      ...env,
    },
    stdio: 'ignore',
  })

export interface ApiProcess {
  child: ChildProcess
  port: number
  stop(): Promise<void>
}

/** An API in a process of its own, that is ready. */
export async function startApi(config: Config, env: Record<string, string> = {}): Promise<ApiProcess> {
  const port = await findPort(0)
  const child = startServe('api', config, { PORT: String(port), ...env })
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const stop = async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  if (await until(isReady, { withinMs: 60_000 })) return { child, port, stop }
  await stop()
  throw new Error('The other API did not become ready.')
}

export const startWorker = (config: Config, env: Record<string, string> = {}): ChildProcess =>
  startServe('worker', config, env)
