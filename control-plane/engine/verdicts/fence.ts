import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { OwnedShards } from '#control-plane/base/shards.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, prepared, type Row, rows } from '#control-plane/db/queries.ts'

/** Another process decides on the same checks: this one must write nothing more. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}

/** Lets only the process that decides on checks write their verdicts. */
export interface Fence {
  /**
   * From now on no earlier process may write. Waits for its transaction, so that reads afterwards see all of it.
   */
  take(): Promise<void>
  /** Keeps others from taking until the end of the transaction. False: another process has taken. */
  hold(client: PoolClient): Promise<boolean>
  /** The process decides no more. */
  release(): Promise<void>
}

const nextEpoch = sql<Row<'epochs', 'epoch'>>`
  insert into epochs as stored (name, epoch) values ('verdicts', 1)
  on conflict (name) do update set epoch = stored.epoch + 1 returning epoch`
const holdEpoch = prepared(
  'verdicts-epoch',
  (epoch: string) => sql`select 1 from epochs where name = 'verdicts' and epoch = ${epoch} for share`,
)
const holdOwner = prepared(
  'verdicts-owner',
  (id: string) => sql`select 1 from ingest_owners where id = ${id} for share`,
)

/** Of a process that decides on all checks: it takes the next epoch, and writes while its epoch is the newest. */
export class EpochFence implements Fence {
  readonly #pool: Pool
  #epoch = ''

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async take(): Promise<void> {
    this.#epoch = await inTransaction(this.#pool, async client => {
      const [row] = await rows(client, nextEpoch)
      await rows(client)`delete from ingest_owners`
      return row!.epoch
    })
  }

  async hold(client: PoolClient): Promise<boolean> {
    return (await affected(client, holdEpoch(this.#epoch))) === 1
  }

  async release(): Promise<void> {}
}

/**
 * Of one of several processes: it writes while its row is there. A process that takes any of its shards deletes that
 * row, which is right for all of them: who loses one shard without giving it back has lost its connection, and all.
 */
export class OwnerFence implements Fence {
  readonly id = randomUUID()
  readonly #pool: Pool
  readonly #shards: OwnedShards
  readonly #url: string

  constructor(pool: Pool, { shards, url }: { shards: OwnedShards; url: string }) {
    this.#pool = pool
    this.#shards = shards
    this.#url = url
  }

  async take(): Promise<void> {
    await inTransaction(this.#pool, async client => {
      // ends a process that decided on all checks
      await rows(client, nextEpoch)
      await rows(client)`delete from ingest_owners where shards && ${this.#shards.numbers}::int[]`
      await rows(client)`
        insert into ingest_owners (id, url, shards) values (${this.id}, ${this.#url}, ${this.#shards.numbers})`
    })
  }

  async hold(client: PoolClient): Promise<boolean> {
    return (await affected(client, holdOwner(this.id))) === 1
  }

  async release(): Promise<void> {
    await rows(this.#pool)`delete from ingest_owners where id = ${this.id}`
  }
}
