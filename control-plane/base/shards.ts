import { type Expression, type RawBuilder, sql } from 'kysely'
import { shardCount, shardOf } from '#contract/shards.ts'

/** The shards that this process owns. They stay the same for as long as what decides on them is open. */
export class OwnedShards {
  /** In ascending order. */
  readonly numbers: readonly number[]
  /** Parameter of `isOwnedSql`; null: all shards. */
  readonly parameter: readonly number[] | null
  /** Whether this process also has the duties that are not divided: it owns shard 0. */
  readonly isFirst: boolean
  readonly #owned: ReadonlySet<number>

  constructor(numbers: readonly number[]) {
    this.numbers = numbers.toSorted((a, b) => a - b)
    this.#owned = new Set(numbers)
    this.parameter = this.isAll ? null : this.numbers
    this.isFirst = this.#owned.has(0)
  }

  get isAll(): boolean {
    return this.#owned.size === shardCount
  }

  owns(tenant: string): boolean {
    return this.isAll || this.#owned.has(shardOf(tenant))
  }
}

export const everyShard = [...Array(shardCount).keys()]
export const allShards = new OwnedShards(everyShard)

type Shards = readonly number[] | Expression<unknown> | null

/**
 * Whether the tenant's shard, as `shardOf` says, is owned. `tenant`: the column with its id; a row of no tenant belongs
 * to the owner of shard 0. `shards`: `OwnedShards.parameter`.
 */
export const isOwnedSql = (tenant: string, shards: Shards): RawBuilder<boolean> =>
  isOwnedShardSql(sql`coalesce(get_byte(uuid_send(${sql.ref(tenant)}), 15) % ${sql.lit(shardCount)}, 0)`, shards)

/** Whether a shard is owned. `shards` as above. */
export const isOwnedShardSql = (shard: Expression<unknown>, shards: Shards): RawBuilder<boolean> =>
  sql`(${shards}::int[] is null or ${shard} = any(${shards}::int[]))`
