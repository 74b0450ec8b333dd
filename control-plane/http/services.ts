import type { ClickHouseClient } from '@clickhouse/client'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { BoundedRunner } from '#bounded/runner.ts'
import type { Clock } from '#control-plane/base/clock.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import type { Tracing } from '#control-plane/base/tracing.ts'
import type { Config } from '#control-plane/config.ts'
import type { Guard } from '#egress/guard.ts'
import type { RateCounter } from './rate.ts'
import type { UsageMeter } from './usage.ts'

/** The services that every module may use, made once at the start of the process. */
export interface Services {
  config: Config
  log: Logger
  clock: Clock
  metrics: Metrics
  clickhouse: ClickHouseClient
  /**
   * The platform's own connections see all tenants: for ingest and dispatch, never for handlers of tenants' requests.
   */
  platform: Pool
  /** As `platform`, for access checks: few connections, short timeouts, prepared plans. */
  accessPool: Pool
  /** Notices between processes, by PostgreSQL. */
  listener: Listener
  /** Counts requests against their limits, together with all other API processes. */
  rate: RateCounter
  usage: Pick<UsageMeter, 'countRequest'>
  guard: Guard
  /** Parses and runs what others wrote, where that cannot be bounded to some milliseconds otherwise. */
  bounded: BoundedRunner
  /** Spans of OpenTelemetry; none where no receiver is named. */
  tracing: Tracing
}

/** One instance for each process, made at its first use. */
export function perServices<Kept>(make: (services: Services) => Kept): (services: Services) => Kept {
  const made = new WeakMap<Services, { it: Kept }>()
  return services => {
    const known = made.get(services)
    if (known) return known.it
    const it = make(services)
    made.set(services, { it })
    return it
  }
}
