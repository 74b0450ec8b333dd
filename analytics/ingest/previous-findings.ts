import { z } from 'zod'
import type { ClickHouseClient } from '#analytics/client.ts'
import { query } from '#analytics/query.ts'

interface Findings {
  due: number
  attempt: number
  seen: unknown
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

const done = Promise.resolve()

const isAfter = (due: number, attempt: number, other: { due: number; attempt: number }) =>
  due > other.due || (due === other.due && attempt > other.attempt)

/**
 * The previous findings of each region, only for kinds that compare. Read from the store once per kind and region, then
 * kept in memory. A batch writes to a draft, which is applied once the batch is stored: a batch that is sent again is
 * judged the same.
 */
export class PreviousFindings {
  readonly #seen = new Map<string, Findings>()
  readonly #loaded = new Map<string, Promise<void>>()
  readonly #clickhouse: ClickHouseClient

  constructor(clickhouse: ClickHouseClient) {
    this.#clickhouse = clickhouse
  }

  draft(region: string): Draft {
    return new Draft(region, this.#seen)
  }

  /**
   * Loads the findings stored before this process started, of all checks of a kind in a region; undefined once loaded.
   */
  load(region: string, kind: string): Promise<void> | undefined {
    const key = `${region} ${kind}`
    if (this.#loaded.get(key) === done) return undefined
    const loading = this.#loaded.get(key) ?? this.#load(region, kind)
    this.#loaded.set(key, loading)
    return loading.then(
      () => void this.#loaded.set(key, done),
      error => {
        this.#loaded.delete(key)
        throw error
      },
    )
  }

  async #load(region: string, kind: string) {
    for (const { check_id, due_ms, attempt, seen } of await lastSeen(this.#clickhouse, { region, kind })) {
      const key = `${region} ${check_id}`
      const known = this.#seen.get(key)
      const findings = readSeen(seen)
      if (findings !== undefined && (!known || isAfter(due_ms, attempt, known)))
        this.#seen.set(key, { due: due_ms, attempt, seen: findings })
    }
  }

  /** Removes a check that is no longer run. */
  forget(region: string, check: string): void {
    this.#seen.delete(`${region} ${check}`)
  }

  apply(draft: Draft): void {
    for (const [key, findings] of draft.changed) {
      const known = this.#seen.get(key)
      if (!known || isAfter(findings.due, findings.attempt, known)) this.#seen.set(key, findings)
    }
  }
}

export class Draft {
  readonly changed = new Map<string, Findings>()
  readonly #region: string
  readonly #seen: ReadonlyMap<string, Findings>

  constructor(region: string, seen: ReadonlyMap<string, Findings>) {
    this.#region = region
    this.#seen = seen
  }

  /** The findings before this result; undefined if the result is not newer than the last one. */
  recall(check: string, due: number, attempt: number): unknown {
    const last = this.changed.get(this.#key(check)) ?? this.#seen.get(this.#key(check))
    return last && isAfter(due, attempt, last) ? last.seen : undefined
  }

  record(check: string, due: number, attempt: number, seen: unknown): void {
    const last = this.changed.get(this.#key(check)) ?? this.#seen.get(this.#key(check))
    if (!last || isAfter(due, attempt, last)) this.changed.set(this.#key(check), { due, attempt, seen })
  }

  #key(check: string) {
    return `${this.#region} ${check}`
  }
}

/** Unreadable findings are ignored: the next result has no previous one. */
function readSeen(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
