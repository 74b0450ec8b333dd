import { z } from 'zod'
import type { ClickHouseClient } from './client.ts'
import type { Touched } from './ingest/ingest.ts'
import { storedDays } from './ingest/rows.ts'
import { Semaphore } from './ingest/semaphore.ts'
import { moment, query } from './query.ts'
import {
  differingDays,
  differingHours,
  emptyDays,
  emptyHours,
  insertDays,
  insertHours,
  type Monitors,
} from './recount.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Whole hours before this time are read from roll-ups, later ones from raw results. The hour in between is time to
 * close it.
 */
export const closedBefore = (now: Date) => new Date(floorTo(hourMs, now.getTime()) - hourMs)

/** An hour is closed this long after its end: by then its results have arrived, unless an agent was disconnected. */
const graceMs = 60_000
/** With more monitors than this in one hour, the whole hour is computed. */
const manyMonitors = 1_000

const floorTo = (step: number, time: number) => Math.floor(time / step) * step

export interface RollupMetrics {
  /** Cells in which roll-up and recount differed at the last comparison. */
  mismatch(cells: number): void
  /** Seconds since the end of the newest closed hour, and number of monitors' hours waiting to be recomputed. */
  progress(closedForS: number, dirty: number): void
}

export interface RollupOptions {
  clickhouse: ClickHouseClient
  /** Milliseconds of the server's clock. */
  now: () => number
  metrics?: RollupMetrics
  onError?: (error: unknown) => void
  tickMs?: number
  reconcileMs?: number
}

const defaultTickMs = 5_000

/** Text of a statement that computes hours or days: of these monitors, or of all. */
type Statement = (monitors?: Monitors) => string

interface Span {
  from: number
  to: number
}

type Step = 'hour' | 'day'
const stepMs = { hour: hourMs, day: dayMs }

/** Keeps hours and days equal to the raw results, whatever order they arrive in. One process does this at a time. */
export class Rollups {
  readonly #options: RollupOptions
  /** Monitors, with their tenants, of which an hour or a day is to be computed again, by its start. */
  readonly #dirty = { hour: new Map<number, Map<string, string>>(), day: new Map<number, Map<string, string>>() }
  readonly #mutex = new Semaphore(1)
  readonly #timers = new Set<NodeJS.Timeout>()
  #closedUntil: number | undefined
  #version = 0
  #isStopped = false

  constructor(options: RollupOptions) {
    this.#options = options
  }

  /** Called by ingest; hours that are still open are ignored. */
  touched(hours: readonly Touched[]): void {
    for (const { tenant, monitor, hour } of hours) this.#mark('hour', hour, monitor, tenant)
  }

  /** Closes the hours that are due and recomputes hours that received late results. */
  tick(): Promise<void> {
    return this.#exclusively(() => this.#tick())
  }

  /**
   * Compares the last 48 hours with a recount, and days with their hours; repairs differences. Returns the number of
   * cells that differed.
   */
  reconcile(): Promise<number> {
    return this.#exclusively(() => this.#reconcile())
  }

  start(): void {
    const { tickMs = defaultTickMs, reconcileMs = 300_000 } = this.#options
    this.#isStopped = false
    this.#repeat(() => this.#reconcile(), reconcileMs)
    this.#repeat(() => this.#tick(), tickMs)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#exclusively(async () => {})
  }

  async #tick(): Promise<void> {
    if (this.#closedUntil === undefined) return // the first comparison determines what is closed
    const { now, metrics } = this.#options
    const until = floorTo(hourMs, now() - graceMs)
    for (; this.#closedUntil < until; this.#closedUntil += hourMs) {
      const start = this.#closedUntil
      const end = start + hourMs
      this.#dirty.hour.delete(start) // removed before it is read: results that arrive meanwhile mark it again
      await this.#compute(insertHours, { from: start, to: end })
      if (end % dayMs === 0) await this.#compute(insertDays, { from: end - dayMs, to: end })
    }
    await this.#recompute('hour', this.#closedUntil, [insertHours])
    await this.#recompute('day', floorTo(dayMs, this.#closedUntil), [insertDays])
    metrics?.progress((now() - this.#closedUntil) / 1000, this.#dirtyCount())
  }

  async #reconcile(): Promise<number> {
    const { clickhouse, now, metrics } = this.#options
    await this.#tick()
    const until = floorTo(hourMs, now() - graceMs)
    const from = this.#closedUntil === undefined ? await firstUncertainHour(clickhouse, until) : until - 48 * hourMs
    let differing = 0
    for (let start = from; start < until; start += 6 * hourMs) {
      const span = { from: start, to: Math.min(until, start + 6 * hourMs) }
      for (const { tenant_id, monitor_id, start: hour } of await differingHours(clickhouse, asDates(span))) {
        if (this.#dirty.hour.get(hour.getTime())?.has(monitor_id)) continue // late results arrived during the comparison
        differing++
        this.#mark('hour', hour.getTime(), monitor_id, tenant_id)
      }
      this.#closedUntil = Math.max(this.#closedUntil ?? 0, span.to)
      await this.#recompute('hour', this.#closedUntil, [insertHours, emptyHours])
    }
    const days = { from: floorTo(dayMs, from), to: floorTo(dayMs, until) }
    for (const { tenant_id, monitor_id, start } of await differingDays(clickhouse, asDates(days))) {
      if (!this.#dirty.day.get(start.getTime())?.has(monitor_id)) differing++
      this.#mark('day', start.getTime(), monitor_id, tenant_id)
    }
    await this.#recompute('day', days.to, [insertDays, emptyDays])
    metrics?.mismatch(differing)
    return differing
  }

  /** Computes the marked hours or days before `closed`; a marked hour marks its day. */
  async #recompute(step: Step, closed: number, statements: readonly Statement[]): Promise<void> {
    for (const [start, monitors] of [...this.#dirty[step]]) {
      if (start >= closed) continue
      this.#dirty[step].delete(start)
      try {
        const only = monitors.size > manyMonitors ? undefined : monitors
        for (const statement of statements)
          await this.#compute(statement, { from: start, to: start + stepMs[step] }, only)
      } catch (error) {
        for (const [monitor, tenant] of monitors) this.#mark(step, start, monitor, tenant)
        throw error
      }
      if (step === 'hour')
        for (const [monitor, tenant] of monitors) this.#mark('day', floorTo(dayMs, start), monitor, tenant)
    }
  }

  async #compute(statement: Statement, span: Span, monitors?: Monitors): Promise<void> {
    const { clickhouse, now } = this.#options
    this.#version = Math.max(this.#version + 1, Math.floor(now()))
    await clickhouse.command({
      query: statement(monitors),
      query_params: { ...paramsOf(span, monitors), version: this.#version },
    })
  }

  #mark(step: Step, start: number, monitor: string, tenant: string): void {
    const monitors = this.#dirty[step].get(start) ?? new Map<string, string>()
    monitors.set(monitor, tenant)
    this.#dirty[step].set(start, monitors)
  }

  #dirtyCount(): number {
    return [...this.#dirty.hour.values(), ...this.#dirty.day.values()].reduce((sum, { size }) => sum + size, 0)
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.#mutex.acquire()
    try {
      return await work()
    } finally {
      done()
    }
  }

  /** Repeats a task: with a longer pause after a long run, with a short one after a failure. */
  #repeat(work: () => Promise<unknown>, waitMs: number): void {
    const { onError, tickMs = defaultTickMs } = this.#options
    const run = async () => {
      const began = performance.now()
      let wait = waitMs
      await this.#exclusively(work).catch(error => {
        onError?.(error)
        wait = tickMs
      })
      if (this.#isStopped) return
      const pauseMs = Math.max(wait, 10 * (performance.now() - began))
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        void run()
      }, pauseMs)
      this.#timers.add(timer)
    }
    void run()
  }
}

const asDates = ({ from, to }: Span) => ({ from: new Date(from), to: new Date(to) })

const paramsOf = (span: Span, monitors: Monitors | undefined) => ({
  ...asDates(span),
  ...(monitors && { tenants: [...new Set(monitors.values())], monitors: [...monitors.keys()] }),
})

const newest = query({
  params: z.object({}),
  row: z.object({ closed: moment.nullable(), first: moment.nullable() }),
  sql: `
    SELECT
      (SELECT if(count() = 0, NULL, max(hour)) FROM results_by_hour) AS closed,
      (SELECT if(count() = 0, NULL, toDateTime(min(due), 'UTC')) FROM check_results) AS first
  `,
})

/**
 * Where the comparison starts after a restart: at the last hour closed before, even if that is days ago, and at least
 * 48 hours back. Never before a time from which results may be gone: their hours would be emptied.
 */
async function firstUncertainHour(clickhouse: ClickHouseClient, until: number): Promise<number> {
  const [found] = await newest(clickhouse, {})
  const known = (found?.closed ?? found?.first)?.getTime() ?? until
  return Math.min(until - 48 * hourMs, Math.max(floorTo(hourMs, known), until - (storedDays.least - 1) * dayMs))
}
