import { z } from 'zod'
import type { ClickHouseClient } from './client.ts'
import type { Touched } from './ingest/ingest.ts'
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

export interface Rollups {
  /** Called by ingest; hours that are still open are ignored. */
  touched(hours: readonly Touched[]): void
  /** Closes the hours that are due and recomputes hours that received late results. */
  tick(): Promise<void>
  /**
   * Compares the last 48 hours with a recount, and days with their hours; repairs differences. Returns the number of
   * cells that differed.
   */
  reconcile(): Promise<number>
  start(): void
  stop(): Promise<void>
}

interface Span {
  from: number
  to: number
}

/** Keeps hours and days equal to the raw results, whatever order they arrive in. One process does this at a time. */
export function rollups({
  clickhouse,
  now,
  metrics,
  onError,
  tickMs = 5_000,
  reconcileMs = 300_000,
}: RollupOptions): Rollups {
  const dirty = { hour: new Map<number, Map<string, string>>(), day: new Map<number, Map<string, string>>() }
  const mutex = new Semaphore(1)
  let closedUntil: number | undefined
  let version = 0
  const timers = new Set<NodeJS.Timeout>()
  let isStopped = false

  const nextVersion = () => {
    version = Math.max(version + 1, Math.floor(now()))
    return version
  }

  const mark = (step: 'hour' | 'day', start: number, monitor: string, tenant: string) => {
    const monitors = dirty[step].get(start) ?? new Map<string, string>()
    monitors.set(monitor, tenant)
    dirty[step].set(start, monitors)
  }

  async function computeHours(span: Span, monitors?: Monitors) {
    await clickhouse.command({
      query: insertHours(monitors),
      query_params: { ...paramsOf(span, monitors), version: nextVersion() },
    })
  }

  async function computeDays(span: Span, monitors?: Monitors) {
    await clickhouse.command({
      query: insertDays(monitors),
      query_params: { ...paramsOf(span, monitors), version: nextVersion() },
    })
  }

  const dirtyCount = () =>
    [...dirty.hour.values(), ...dirty.day.values()].reduce((sum, monitors) => sum + monitors.size, 0)

  async function tick() {
    if (closedUntil === undefined) return // the first comparison determines what is closed
    const until = floorTo(hourMs, now() - graceMs)
    for (; closedUntil < until; closedUntil += hourMs) {
      dirty.hour.delete(closedUntil) // removed before it is read: results that arrive meanwhile mark it again
      await computeHours({ from: closedUntil, to: closedUntil + hourMs })
      const end = closedUntil + hourMs
      if (end % dayMs === 0) await computeDays({ from: end - dayMs, to: end })
    }
    await recompute('hour', hourMs, closedUntil, computeHours)
    await recompute('day', dayMs, floorTo(dayMs, closedUntil), computeDays)
    metrics?.progress((now() - closedUntil) / 1000, dirtyCount())
  }

  async function recompute(step: 'hour' | 'day', stepMs: number, closed: number, compute: typeof computeHours) {
    for (const [start, monitors] of [...dirty[step]]) {
      if (start >= closed) continue
      dirty[step].delete(start)
      try {
        await compute({ from: start, to: start + stepMs }, monitors.size > manyMonitors ? undefined : monitors)
      } catch (error) {
        for (const [monitor, tenant] of monitors) mark(step, start, monitor, tenant)
        throw error
      }
      if (step === 'hour') for (const [monitor, tenant] of monitors) mark('day', floorTo(dayMs, start), monitor, tenant)
    }
  }

  async function reconcile(): Promise<number> {
    await tick()
    const until = floorTo(hourMs, now() - graceMs)
    const from = closedUntil === undefined ? await firstUncertainHour(clickhouse, until) : until - 48 * hourMs
    let differing = 0
    for (let start = from; start < until; start += 6 * hourMs) {
      const span = { from: start, to: Math.min(until, start + 6 * hourMs) }
      for (const { tenant_id, monitor_id, start: hour } of await differingHours(clickhouse, asDates(span))) {
        if (dirty.hour.get(hour.getTime())?.has(monitor_id)) continue // late results arrived during the comparison
        differing++
        mark('hour', hour.getTime(), monitor_id, tenant_id)
      }
      closedUntil = Math.max(closedUntil ?? 0, span.to)
      await recompute('hour', hourMs, closedUntil, async (hours, monitors) => {
        await computeHours(hours, monitors)
        await clickhouse.command({
          query: emptyHours(monitors),
          query_params: { ...paramsOf(hours, monitors), version: nextVersion() },
        })
      })
    }
    for (const { tenant_id, monitor_id, start } of await differingDays(
      clickhouse,
      asDates({ from: floorTo(dayMs, from), to: floorTo(dayMs, until) }),
    )) {
      if (!dirty.day.get(start.getTime())?.has(monitor_id)) differing++
      mark('day', start.getTime(), monitor_id, tenant_id)
    }
    await recompute('day', dayMs, floorTo(dayMs, until), async (days, monitors) => {
      await computeDays(days, monitors)
      await clickhouse.command({
        query: emptyDays(monitors),
        query_params: { ...paramsOf(days, monitors), version: nextVersion() },
      })
    })
    metrics?.mismatch(differing)
    return differing
  }

  async function exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = await mutex.acquire()
    try {
      return await work()
    } finally {
      done()
    }
  }

  /** Repeats a task: with a longer pause after a long run, with a short one after a failure. */
  function repeat(work: () => Promise<unknown>, waitMs: number) {
    const run = async () => {
      const began = performance.now()
      const isDone = await exclusively(work).then(
        () => true,
        error => {
          onError?.(error)
          return false
        },
      )
      if (isStopped) return
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          void run()
        },
        Math.max(isDone ? waitMs : tickMs, 10 * (performance.now() - began)),
      )
      timers.add(timer)
    }
    void run()
  }

  return {
    touched(hours) {
      for (const { tenant, monitor, hour } of hours) mark('hour', hour, monitor, tenant)
    },
    tick: () => exclusively(tick),
    reconcile: () => exclusively(reconcile),
    start() {
      isStopped = false
      repeat(reconcile, reconcileMs)
      repeat(tick, tickMs)
    },
    async stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
      await exclusively(async () => {})
    },
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
 * Where the comparison starts after a restart: at the last hour closed before, even if that is weeks ago, and at least
 * 48 hours back.
 */
async function firstUncertainHour(clickhouse: ClickHouseClient, until: number): Promise<number> {
  const [found] = await newest(clickhouse, {})
  const known = (found?.closed ?? found?.first)?.getTime() ?? until
  return Math.min(until - 48 * hourMs, Math.max(floorTo(hourMs, known), until - 30 * dayMs))
}
