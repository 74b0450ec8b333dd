import { shardCount } from '#contract/shards.ts'
import type { Spool } from './spool.ts'

/** A session, as far as its shards are concerned. */
export interface ShardOwner {
  /** Whether it may send the results of its shards. */
  readonly isOwning: boolean
  /** Returns to the spool what it has taken and not sent. Resolves when it has returned. */
  release(): Promise<void>
}

/**
 * Which session owns each shard: the one that named it last. The results of a shard go to another session only when the
 * one before has returned what it had taken, so that they stay in order.
 */
export class Ownership<Owner extends ShardOwner> {
  readonly #spool: Pick<Spool, 'assignShards'>
  readonly #owners: (Owner | undefined)[] = Array(shardCount).fill(undefined)
  /** Sessions that still have to return results of the shard. */
  readonly #returning: number[] = Array(shardCount).fill(0)

  constructor(spool: Pick<Spool, 'assignShards'>) {
    this.#spool = spool
  }

  /** The session that owns a shard, connected or not. */
  ownerOf(shard: number): Owner | undefined {
    return this.#owners[shard]
  }

  /** The session that takes the results of a shard now. */
  takerOf(shard: number): Owner | undefined {
    const owner = this.#owners[shard]
    return owner?.isOwning && this.#returning[shard] === 0 ? owner : undefined
  }

  /** A session owns exactly these shards from now on; undefined: all. */
  claim(owner: Owner, shards: readonly number[] | undefined) {
    const named = shards && new Set(shards)
    const lost = new Map<Owner, number[]>()
    for (const [shard, before] of this.#owners.entries()) {
      const isNamed = named?.has(shard) ?? true
      if (before && (isNamed ? before !== owner : before === owner))
        lost.set(before, [...(lost.get(before) ?? []), shard])
      if (isNamed) this.#owners[shard] = owner
      else if (before === owner) this.#owners[shard] = undefined
    }
    for (const [loser, of] of lost) this.#await(of, loser.release())
    this.apply()
  }

  /** A session is replaced by another agent's: it keeps its shards and sends nothing. */
  suspend(owner: Owner) {
    this.#await(this.#shardsOf(owner), owner.release())
    this.apply()
  }

  /** A session is closed, after what is still in progress. */
  leave(owner: Owner, closed: Promise<void>) {
    const shards = this.#shardsOf(owner)
    for (const shard of shards) this.#owners[shard] = undefined
    this.#await(shards, closed)
    this.apply()
  }

  /** Gives each shard's results in the spool to the session that takes them now. */
  apply() {
    this.#spool.assignShards(shard => this.takerOf(shard))
  }

  #shardsOf(owner: Owner): number[] {
    return [...this.#owners.keys()].filter(shard => this.#owners[shard] === owner)
  }

  #await(shards: readonly number[], returned: Promise<void>) {
    for (const shard of shards) this.#returning[shard]!++
    void returned.finally(() => {
      for (const shard of shards) this.#returning[shard]!--
      this.apply()
    })
  }
}
