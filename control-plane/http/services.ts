import type { ClickHouseClient } from '@clickhouse/client'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '#control-plane/base/clock.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import type { Config } from '#control-plane/config.ts'
import type { Guard } from '#egress/guard.ts'
import type { RateCounter } from './rate.ts'
import type { UsageMeter } from './usage.ts'

/** What every room may use. Given once, at the start of the process. */
export interface Services {
  config: Config
  log: Logger
  clock: Clock
  metrics: Metrics
  clickhouse: ClickHouseClient
  /** The platform's own connection: sees all tenants. For token lookup, ingest and dispatch; not for handlers of a tenant's requests. */
  platform: Pool
  /** As `platform`, for what every request asks before it is let in: few connections, short patience, plans made once. */
  accessPool: Pool
  /** Notices between processes, over PostgreSQL. */
  listener: Listener
  /** Requests counted against their limits, together with all other API processes. */
  rate: RateCounter
  usage: Pick<UsageMeter, 'countRequest'>
  guard: Guard
}

/** One of a kind for each process: made when it is first asked for. */
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
