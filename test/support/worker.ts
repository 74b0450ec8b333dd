import { type ChildProcess, spawn } from 'node:child_process'
import type { ServeRole } from '#cli/serve.ts'
import type { Config } from '#control-plane/config.ts'

/** A control plane in a process of its own, on the stores of another; whoever starts it ends it. */
export const startServe = (role: ServeRole, config: Config, env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'cli/main.ts', 'serve', '--role', role], {
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

export const startWorker = (config: Config, env: Record<string, string> = {}): ChildProcess => startServe('worker', config, env)
