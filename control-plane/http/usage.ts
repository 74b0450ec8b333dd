import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { splitIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { type Db, prepared, rows } from '#control-plane/db/queries.ts'

/** Metered for each tenant and month. */
export type UsageMetric = 'api_requests' | 'notifications_sent' | 'webhook_deliveries'

/** The first day of the month in UTC. */
const monthOf = (at: Date) => `${at.toISOString().slice(0, 7)}-01`

const raise = prepared(
  'raise-usage',
  (lines: string) => sql`
  insert into usage_counters as c (tenant_id, period, metric, count)
  select u.tenant_id, u.period, u.metric, sum(u.count)
  from jsonb_to_recordset(${lines}::jsonb) as u(tenant_id uuid, period date, metric text, count bigint)
  where exists (select 1 from tenants t where t.id = u.tenant_id)
  group by u.tenant_id, u.period, u.metric order by u.tenant_id, u.period, u.metric
  on conflict (tenant_id, period, metric) do update set count = c.count + excluded.count`,
)

interface Line {
  tenant_id: string
  period: string
  metric: UsageMetric
  count: number
}

/** Counts in the database at once, for instance in the transaction of what is counted. */
export async function raiseUsage(
  db: Db,
  tenantId: string,
  metric: UsageMetric,
  count: number,
  at: Date,
): Promise<void> {
  await rows(db, raise(JSON.stringify([{ tenant_id: tenantId, period: monthOf(at), metric, count }])))
}

const flushMs = 3_000

/**
 * Sums up frequent events in memory. A process that is killed loses the counts since its last write: at most five
 * seconds.
 */
export class UsageMeter {
  readonly #platform: Pool
  readonly #log: Pick<Logger, 'warn' | 'error'>
  readonly #quarantine: Quarantine
  /** Tenants whose usage the database refused, and when it is tried again. */
  readonly #putOff = new Map<string, number>()
  #counts = new Map<string, number>()
  #month = ''
  #monthEndsMs = 0
  readonly #loop: Loop
  #flushing: Promise<void> = Promise.resolve()

  constructor(platform: Pool, log: Pick<Logger, 'warn' | 'error'>) {
    this.#platform = platform
    this.#log = log
    this.#quarantine = new Quarantine({ platform, log })
    this.#loop = new Loop({ everyMs: flushMs, round: () => this.flush(), log, failure: 'usage write failure' })
  }

  start(): void {
    this.#loop.start({ atOnce: false })
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.flush()
  }

  countRequest(tenantId: string, at: Date): void {
    if (at.getTime() >= this.#monthEndsMs) {
      this.#month = monthOf(at)
      this.#monthEndsMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
    }
    this.#count(tenantId + this.#month, 1)
  }

  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flushOnce())
    return this.#flushing
  }

  /** Tries refused usage of these tenants again at once. Counts in another process are retried by that process. */
  async retry(tenants: readonly string[]): Promise<void> {
    for (const tenant of tenants) if (this.#putOff.has(tenant)) this.#putOff.set(tenant, 0)
    await this.flush()
    const mended = tenants.filter(tenant => !this.#putOff.has(tenant))
    await this.#quarantine.release('usage', mended)
  }

  async #flushOnce(): Promise<void> {
    const due = [...this.#counts].filter(([key]) => (this.#putOff.get(tenantOf(key)) ?? 0) <= performance.now())
    if (due.length === 0) return
    for (const [key] of due) this.#counts.delete(key)
    const lines = due.map(
      ([key, count]): Line => ({ tenant_id: tenantOf(key), period: key.slice(36), metric: 'api_requests', count }),
    )
    const left = new Set(lines)
    const write = async (some: readonly Line[]) => {
      await rows(this.#platform, raise(JSON.stringify(some)))
      for (const line of some) left.delete(line)
    }
    try {
      await splitIsolated(lines, write, ({ tenant_id }, error) => this.#refused(tenant_id, error))
      await this.#mended(lines.filter(line => !left.has(line)))
    } catch (error) {
      this.#log.warn({ err: error }, 'usage write failure')
    }
    for (const { tenant_id, period, count } of left) this.#count(tenant_id + period, count)
  }

  /** Keeps the usage of one tenant in memory; that of all others is written. */
  async #refused(tenant: string, error: unknown): Promise<void> {
    this.#putOff.set(tenant, performance.now() + putOffS * 1_000)
    await this.#quarantine.add('usage', [{ key: tenant, tenant, error }])
  }

  async #mended(written: readonly Line[]): Promise<void> {
    const tenants = [...new Set(written.map(line => line.tenant_id))].filter(tenant => this.#putOff.delete(tenant))
    await this.#quarantine.release('usage', tenants)
  }

  #count(key: string, count: number): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
  }
}

const tenantOf = (key: string) => key.slice(0, 36)
