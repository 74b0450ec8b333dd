import { sql } from 'kysely'
import type { Pool } from 'pg'
import { isOwnedShardSql, type OwnedShards } from '#control-plane/base/shards.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { Eligibility } from './core.ts'
import type { Fence } from './fence.ts'

/** The checks of a shard that are asked from the same regions. */
export interface AskedGroup {
  shard: number
  /** In ascending order. */
  regions: readonly string[]
}

/** The group of a check, and since when it belongs to it. */
export interface Asked extends AskedGroup {
  since: number
}

type Eligibilities = ReadonlyMap<string, Eligibility>

/**
 * Times in which no region of a group measured. Written once for all of its checks, whose histories have nothing of it:
 * a fault of a region costs a row, however many checks are asked from it alone.
 */
export class RegionGaps {
  readonly #pool: Pool
  readonly #fence: Fence
  readonly #open = new Map<string, AskedGroup & { from: number }>()

  constructor(pool: Pool, fence: Fence) {
    this.#pool = pool
    this.#fence = fence
  }

  /** Reads those that have not ended. */
  async load(shards: OwnedShards): Promise<void> {
    const found = await rows(this.#pool)<Row<'region_gaps', 'shard' | 'regions'> & { from: number }>`
      select shard, regions, (extract(epoch from started_at) * 1000)::float8 as from from region_gaps
      where ended_at is null and ${isOwnedShardSql(sql.ref('shard'), shards.parameter)}`
    this.#open.clear()
    for (const row of found) this.#open.set(keyOf(row), row)
  }

  /** When the present gap of a group began; undefined: it has none. */
  openedAt(group: AskedGroup): number | undefined {
    return this.#open.get(keyOf(group))?.from
  }

  /**
   * Ends the gaps of which a region is eligible again, and begins those of groups without an eligible one. When it
   * rejects, nothing has changed: the histories of the checks have to say it.
   */
  async follow(groups: Iterable<Asked>, eligibilities: Eligibilities, now: number): Promise<void> {
    const ended = [...this.#open].filter(([, { regions }]) => awaySince(regions, eligibilities) === null)
    const begun = new Map<string, AskedGroup & { from: number }>()
    for (const { shard, regions, since } of groups) {
      const from = awaySince(regions, eligibilities)
      const key = keyOf({ shard, regions })
      if (from !== null && from >= since && from < now && !this.#open.has(key)) begun.set(key, { shard, regions, from })
    }
    if (ended.length + begun.size === 0) return
    await inTransaction(this.#pool, async client => {
      if (!(await this.#fence.hold(client))) throw new Error('Another process has begun to decide.')
      await rows(
        client,
        writeGaps(JSON.stringify(ended.map(([, gap]) => gap)), now, JSON.stringify([...begun.values()])),
      )
    })
    for (const [key] of ended) this.#open.delete(key)
    for (const [key, gap] of begun) this.#open.set(key, gap)
  }
}

const keyOf = ({ shard, regions }: AskedGroup) => `${shard} ${regions.join(' ')}`

/** Since when all of these regions have been ineligible; null: one is eligible. */
export function awaySince(regions: readonly string[], eligibilities: Eligibilities): number | null {
  let since = 0
  for (const region of regions) {
    const eligibility = eligibilities.get(region)
    if (eligibility?.why === null) return null
    since = Math.max(since, eligibility?.since ?? 0)
  }
  return since
}

// one that is still open here was never used: its beginning was written, and the answer lost
const writeGaps = prepared(
  'region-gaps',
  (ended: string, now: number, begun: string) => sql`
    with ended as (
      update region_gaps g set ended_at = greatest(g.started_at, to_timestamp(${now}::float8 / 1000.0))
      from json_to_recordset(${ended}::json) as r(shard int, regions text[])
      where g.shard = r.shard and g.regions = r.regions and g.ended_at is null
    )
    insert into region_gaps (shard, regions, started_at)
    select r.shard, r.regions, to_timestamp(r.from / 1000.0)
    from json_to_recordset(${begun}::json) as r(shard int, regions text[], "from" float8)
    on conflict (shard, regions) where ended_at is null do update set started_at = excluded.started_at`,
)
