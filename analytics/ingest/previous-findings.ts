import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { ClickHouseClient } from '#analytics/client.ts'
import { query } from '#analytics/query.ts'
import type { Recall } from './judge.ts'

interface Findings {
  due: number
  attempt: number
  seen: unknown
  /** As JSON, to compare them. */
  text: string
}

const lastSeen = query({
  params: z.object({ region: z.string(), kind: z.string() }),
  row: z.object({ check_id: z.uuid(), due_ms: z.int(), attempt: z.int(), seen: z.string() }),
  sql: `
    SELECT check_id, toUnixTimestamp64Milli(due) AS due_ms, attempt, seen
    FROM latest_results FINAL
    WHERE region = {region: String} AND kind = {kind: String} AND seen != ''
  `,
})

/** How long results wait for the first read of a kind in a region: a store that is away must not delay a verdict. */
const timeoutMs = 1_000
const retryMs = 10_000
/** Different findings kept of a check in a region: of results that may be judged again to be stored. */
const mostKept = 8

const isAfter = (due: number, attempt: number, other: { due: number; attempt: number }) =>
  due > other.due || (due === other.due && attempt > other.attempt)

/**
 * The previous findings of each region, only for kinds that compare. Read from the store once per kind and region, then
 * kept in memory. Earlier findings are kept too, as far as they differ: a result that is judged again, because it was
 * not stored, is judged the same. While the store does not answer, a result of which nothing is known has no previous
 * one.
 */
export class PreviousFindings {
  /** Oldest first. */
  readonly #seen = new Map<string, Findings[]>()
  readonly #loaded = new Set<string>()
  readonly #loading = new Map<string, Promise<void>>()
  /** No read begins before this moment of the monotonic clock, and none is waited for: the last one failed. */
  #isAway = false
  #retryAt = Number.NEGATIVE_INFINITY
  readonly #clickhouse: ClickHouseClient
  readonly #onError: (error: unknown) => void

  constructor(clickhouse: ClickHouseClient, onError: (error: unknown) => void = () => undefined) {
    this.#clickhouse = clickhouse
    this.#onError = onError
  }

  /** What a region found before; undefined if nothing is known of the time before a result. */
  of(region: string): Recall {
    return {
      recall: (check, due, attempt) =>
        this.#seen.get(keyOf(region, check))?.findLast(findings => isAfter(due, attempt, findings))?.seen,
    }
  }

  /**
   * Loads the findings stored before this process started, of all checks of a kind in a region. Resolves when they are
   * loaded, or soon; undefined: nothing is to be waited for.
   */
  load(region: string, kind: string): Promise<void> | undefined {
    const key = `${region} ${kind}`
    if (this.#loaded.has(key)) return undefined
    const isWaitedFor = !this.#isAway
    if (!this.#loading.has(key) && performance.now() >= this.#retryAt) this.#loading.set(key, this.#begin(key))
    const loading = this.#loading.get(key)
    return loading && isWaitedFor ? this.#within(loading) : undefined
  }

  async #within(loading: Promise<void>): Promise<void> {
    const over = new AbortController()
    const late = pause(timeoutMs, undefined, { signal: over.signal, ref: false }).then(
      () => {
        this.#isAway = true
      },
      () => undefined,
    )
    await Promise.race([loading, late])
    over.abort()
  }

  async #begin(key: string): Promise<void> {
    const [region = '', kind = ''] = key.split(' ')
    try {
      for (const { check_id, due_ms, attempt, seen } of await lastSeen(this.#clickhouse, { region, kind })) {
        const findings = readSeen(seen)
        if (findings !== undefined) this.record(region, check_id, due_ms, attempt, findings)
      }
      this.#loaded.add(key)
      this.#isAway = false
    } catch (error) {
      this.#isAway = true
      this.#retryAt = performance.now() + retryMs
      this.#onError(error)
    } finally {
      this.#loading.delete(key)
    }
  }

  record(region: string, check: string, due: number, attempt: number, seen: unknown): void {
    const key = keyOf(region, check)
    const known = this.#seen.get(key)
    const findings: Findings = { due, attempt, seen, text: JSON.stringify(seen) ?? '' }
    if (!known) return void this.#seen.set(key, [findings])
    const place = known.findLastIndex(earlier => !isAfter(earlier.due, earlier.attempt, findings)) + 1
    const before = known[place - 1]
    if (before?.text === findings.text) return
    if (known[place]?.text === findings.text) known[place] = findings
    else known.splice(place, 0, findings)
    if (known.length > mostKept) known.shift()
  }

  /** Removes a check that is no longer run. */
  forget(region: string, check: string): void {
    this.#seen.delete(keyOf(region, check))
  }
}

const keyOf = (region: string, check: string) => `${region} ${check}`

/** Unreadable findings are ignored: the next result has no previous one. */
function readSeen(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
