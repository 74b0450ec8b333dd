import { z } from 'zod'
import type { ClickHouseClient } from '#analytics/client.ts'
import { query } from '#analytics/query.ts'

interface Remembered {
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
 * What each region saw last, for the kinds that ask for it and for no others. Read from the store once a kind and region, kept here
 * from then on. A batch writes to a draft of its own, which counts only once the batch is stored: sent again, it is judged the same.
 */
export class Memory {
  readonly #seen = new Map<string, Remembered>()
  readonly #loaded = new Map<string, Promise<void>>()
  readonly #clickhouse: ClickHouseClient

  constructor(clickhouse: ClickHouseClient) {
    this.#clickhouse = clickhouse
  }

  draft(region: string): Draft {
    return new Draft(region, this.#seen)
  }

  /** What was stored before this process began, of all checks of a kind in a region at once; undefined when that is done. */
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
      const remembered = readSeen(seen)
      if (remembered !== undefined && (!known || isAfter(due_ms, attempt, known)))
        this.#seen.set(key, { due: due_ms, attempt, seen: remembered })
    }
  }

  /** Forgets a check that is no longer looked at. */
  forget(region: string, check: string): void {
    this.#seen.delete(`${region} ${check}`)
  }

  keep(draft: Draft): void {
    for (const [key, look] of draft.changed) {
      const known = this.#seen.get(key)
      if (!known || isAfter(look.due, look.attempt, known)) this.#seen.set(key, look)
    }
  }
}

export class Draft {
  readonly changed = new Map<string, Remembered>()
  readonly #region: string
  readonly #seen: ReadonlyMap<string, Remembered>

  constructor(region: string, seen: ReadonlyMap<string, Remembered>) {
    this.#region = region
    this.#seen = seen
  }

  /** What was seen before this look; nothing for a look that is not newer than the last. */
  recall(check: string, due: number, attempt: number): unknown {
    const last = this.changed.get(this.#key(check)) ?? this.#seen.get(this.#key(check))
    return last && isAfter(due, attempt, last) ? last.seen : undefined
  }

  note(check: string, due: number, attempt: number, seen: unknown): void {
    const last = this.changed.get(this.#key(check)) ?? this.#seen.get(this.#key(check))
    if (!last || isAfter(due, attempt, last)) this.changed.set(this.#key(check), { due, attempt, seen })
  }

  #key(check: string) {
    return `${this.#region} ${check}`
  }
}

/** What cannot be read any more is not remembered: the next result is the first. */
function readSeen(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
