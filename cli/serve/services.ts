import pg from 'pg'
import type { Logger } from 'pino'
import { openClickhouse } from '#analytics/client.ts'
import { BoundedRunner } from '#bounded/runner.ts'
import { DatabaseClock } from '#control-plane/base/clock.ts'
import { accessTimeouts, platformTimeouts, TimeoutClient, throughPooler } from '#control-plane/base/db-timeouts.ts'
import { Listener } from '#control-plane/base/listen.ts'
import { createMetrics } from '#control-plane/base/metrics.ts'
import { ProcessRegistry } from '#control-plane/base/process-registry.ts'
import { noTracing } from '#control-plane/base/tracing.ts'
import type { Config } from '#control-plane/config.ts'
import type { Services } from '#control-plane/http/services.ts'
import { SharedRate } from '#control-plane/http/shared-rate.ts'
import { UsageMeter } from '#control-plane/http/usage.ts'
import { parseAllowList } from '#egress/address.ts'
import { parseDenyList } from '#egress/deny.ts'
import { Guard } from '#egress/guard.ts'

export interface OwnServices extends Services {
  clock: DatabaseClock
  rate: SharedRate
  usage: UsageMeter
  /** Ends every wait for PostgreSQL for good, so that a stop keeps its time limit. */
  cutOff: AbortController
}

/** Shared services of all modules. Nothing is connected yet: unavailable stores must not prevent the start. */
export function createServices(
  config: Config,
  log: Logger,
  { metrics = createMetrics(), tracing = noTracing }: Partial<Pick<Services, 'metrics' | 'tracing'>> = {},
): OwnServices {
  const cutOff = new AbortController()
  const isPooled = config.directUrl !== undefined
  const patient = { Client: TimeoutClient, cutOff: () => cutOff.signal }
  const platform = new pg.Pool({
    connectionString: config.platformUrl,
    max: config.poolSize,
    application_name: 'vedette-platform',
    idleTimeoutMillis: 60_000,
    ...patient,
    ...throughPooler(platformTimeouts, isPooled),
  })
  // a connection that dies while idle is made again by the next query
  platform.on('error', () => undefined)
  const accessPool = new pg.Pool({
    connectionString: config.platformUrl,
    max: 3,
    application_name: 'vedette-access',
    idleTimeoutMillis: 60_000,
    ...patient,
    // batches differ in size, and planning for each would cost more than all of the looking up
    ...throughPooler({ options: '-c plan_cache_mode=force_generic_plan', ...accessTimeouts }, isPooled),
  })
  accessPool.on('error', () => undefined)
  const clock = new DatabaseClock(log)
  const listener = new Listener(config.directUrl ?? config.platformUrl, log)
  return {
    config,
    log,
    clock,
    cutOff,
    metrics,
    tracing,
    clickhouse: openClickhouse(config.clickhouseUrl, { cluster: config.clickhouseCluster }),
    platform,
    accessPool,
    listener,
    rate: new SharedRate({ platform, processes: new ProcessRegistry(platform, listener), clock, log }),
    usage: new UsageMeter(platform, log),
    guard: new Guard(parseAllowList(config.egressAllow), { deny: parseDenyList(config.egressDeny) }),
    bounded: new BoundedRunner({
      onRun(program, outcome, seconds) {
        metrics.boundedRuns.inc({ program, outcome })
        if (outcome !== 'busy') metrics.boundedSeconds.observe({ program }, seconds)
      },
    }),
  }
}
