import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'

/** What is metered for each tenant and month. */
export type UsageMetric = 'api_requests' | 'notifications_sent' | 'webhook_deliveries'

/** The month of a moment, UTC, as its first day. */
const monthOf = (at: Date) => `${at.toISOString().slice(0, 7)}-01`

const raise = `
  insert into usage_counters as c (tenant_id, period, metric, count)
  select u.tenant_id, u.period, u.metric, sum(u.count) from jsonb_to_recordset($1::jsonb) as u(tenant_id uuid, period date, metric text, count bigint)
  where exists (select 1 from tenants t where t.id = u.tenant_id)
  group by u.tenant_id, u.period, u.metric order by u.tenant_id, u.period, u.metric
  on conflict (tenant_id, period, metric) do update set count = c.count + excluded.count`

interface Line {
  tenant_id: string
  period: string
  metric: UsageMetric
  count: number
}

/** Counts at once and for good, for instance beside what is counted, in its transaction. */
export async function raiseUsage(db: Pool | PoolClient, tenantId: string, metric: UsageMetric, count: number, at: Date): Promise<void> {
  await db.query(raise, [JSON.stringify([{ tenant_id: tenantId, period: monthOf(at), metric, count }])])
}

const flushMs = 3_000

/** Counts what happens too often to be written each time. A process that is killed loses what it counted since the last write: at most five seconds. */
export class UsageMeter {
  readonly #platform: Pool
  readonly #log: Pick<Logger, 'warn'>
  #counts = new Map<string, number>()
  #month = ''
  #monthEndsMs = 0
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(platform: Pool, log: Pick<Logger, 'warn'>) {
    this.#platform = platform
    this.#log = log
  }

  start(): void {
    clearInterval(this.#timer)
    this.#timer = setInterval(() => void this.flush(), flushMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  countRequest(tenantId: string, at: Date): void {
    if (at.getTime() >= this.#monthEndsMs) {
      this.#month = monthOf(at)
      this.#monthEndsMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
    }
    const key = tenantId + this.#month
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flushOnce())
    return this.#flushing
  }

  async #flushOnce(): Promise<void> {
    if (this.#counts.size === 0) return
    const counted = this.#counts
    this.#counts = new Map()
    const lines = [...counted].map(([key, count]): Line => ({ tenant_id: key.slice(0, 36), period: key.slice(36), metric: 'api_requests', count }))
    try {
      await this.#platform.query({ name: 'raise-usage', text: raise, values: [JSON.stringify(lines)] })
    } catch (error) {
      this.#log.warn({ err: error }, 'usage could not be written; it is kept for the next time')
      for (const [key, count] of counted) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
    }
  }
}
