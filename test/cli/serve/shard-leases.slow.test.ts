import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Leader } from '#cli/serve/leader.ts'
import { ShardLeases } from '#cli/serve/shard-leases.ts'
import { shardCount } from '#contract/shards.ts'
import { everyShard, OwnedShards } from '#control-plane/base/shards.ts'
import { EpochFence, OwnerFence } from '#control-plane/engine/verdicts/fence.ts'
import { eventually } from '#test/control-plane/serving.ts'
import { type Databases, openDatabases } from '#test/support/databases.ts'

const log = pino({ level: 'silent' })
let stores: Databases
let pool: pg.Pool
beforeAll(async () => {
  stores = await openDatabases('shards')
  pool = new pg.Pool({ connectionString: stores.platformUrl, max: 4 })
})
afterAll(() => pool?.end())

/** Which process owns each shard; fails where a second one begins to. */
class Division {
  readonly owners = new Map<number, string>()
  readonly members = new Map<string, ShardLeases>()
  faults: string[] = []
  /** Whom agents reach. */
  readonly reached = new Set<string>()
  /** Who was asked for something by an agent just now. */
  readonly asked = new Map<string, number>()
  #terms = 0

  async add(name: string, { opensInMs = 0, closesInMs = 0 } = {}): Promise<ShardLeases> {
    const member = new ShardLeases({
      url: stores.platformUrl,
      log,
      address: `http://${name}.example`,
      askedAt: () => this.asked.get(name) ?? null,
      lead: async shards => {
        await sleep(opensInMs)
        this.#terms++
        for (const shard of shards.numbers) {
          if (this.owners.has(shard)) this.faults.push(`${shard} of ${this.owners.get(shard)} and ${name}`)
          this.owners.set(shard, name)
        }
        const { reached } = this
        return {
          get reachedMsAgo() {
            return reached.has(name) ? 0 : null
          },
          whyNotJudging: () => null,
          stop: async () => {
            await sleep(closesInMs)
            for (const shard of shards.numbers) if (this.owners.get(shard) === name) this.owners.delete(shard)
          },
        }
      },
    })
    this.members.set(name, member)
    await member.start()
    return member
  }

  get terms(): number {
    return this.#terms
  }

  /** How many shards each owns, once all are owned by these. */
  async sharedBy(...names: string[]): Promise<number[]> {
    const counts = () => names.map(name => [...this.owners.values()].filter(owner => owner === name).length)
    await eventually(() => {
      const shares = counts()
      const isWhole = shares.reduce((sum, share) => sum + share, 0) === shardCount
      return isWhole && Math.max(...shares) - Math.min(...shares) <= 1 ? true : undefined
    }, 20_000)
    return counts().sort((a, b) => b - a)
  }

  async end(): Promise<void> {
    await Promise.all([...this.members.values()].map(member => member.stop()))
    expect(this.owners.size).toBe(0)
    expect(this.faults).toEqual([])
  }
}

describe('shards of ingest processes', () => {
  test('are shared evenly, given back by one that stops, and never owned by two', async () => {
    const division = new Division()
    await division.add('a')
    expect(await division.sharedBy('a')).toEqual([64])
    await division.add('b', { closesInMs: 50 })
    expect(await division.sharedBy('a', 'b')).toEqual([32, 32])
    await Promise.all([division.add('c', { opensInMs: 100 }), division.add('d')])
    expect(await division.sharedBy('a', 'b', 'c', 'd')).toEqual([16, 16, 16, 16])
    await division.members.get('b')!.stop()
    expect(await division.sharedBy('a', 'c', 'd')).toEqual([22, 21, 21])
    await division.end()
  }, 60_000)

  test('move within seconds from one whose connection ends', async () => {
    const division = new Division()
    await division.add('a')
    await division.add('b')
    await division.sharedBy('a', 'b')
    const before = division.terms
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'vedette-shards' and datname = current_database()
       order by backend_start`,
    )
    await pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
    // the one that lost its locks takes part again: the other had all in between, or they divide at once
    await eventually(() => (division.terms > before ? true : undefined), 10_000)
    expect(await division.sharedBy('a', 'b')).toEqual([32, 32])
    await division.end()
  }, 60_000)

  test('leave one that no agent reaches while another is reached, until agents ask it again', async () => {
    const division = new Division()
    division.reached.add('b')
    const unreached = await division.add('a')
    await division.add('b')
    await division.sharedBy('a', 'b')
    const began = performance.now()
    await eventually(() => ([...division.owners.values()].every(owner => owner === 'b') ? true : undefined), 40_000)
    expect(await division.sharedBy('b')).toEqual([64])
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(unreached.whyAside).toMatch(/no agent reaches this process/)
    // ready for the agents that show it that it is reached
    expect(unreached.whyNot).toBeNull()
    division.reached.add('a')
    division.asked.set('a', performance.now())
    await eventually(() => (unreached.whyAside === null ? true : undefined), 40_000)
    expect(await division.sharedBy('a', 'b')).toEqual([32, 32])
    await division.end()
    const { rows } = await pool.query('select * from ingest_members')
    expect(rows).toEqual([])
  }, 120_000)

  test('stay where they are while agents reach no process, and come back when the other is not reached either', async () => {
    const division = new Division()
    const [a, b] = [await division.add('a'), await division.add('b')]
    await division.sharedBy('a', 'b')
    const { terms } = division
    await sleep(25_000)
    expect([a.whyAside, b.whyAside, division.terms]).toEqual([null, null, terms])
    division.reached.add('b')
    await eventually(() => (a.whyAside !== null ? true : undefined), 20_000)
    division.reached.delete('b')
    await eventually(() => (a.whyAside === null ? true : undefined), 60_000)
    expect(await division.sharedBy('a', 'b')).toEqual([32, 32])
    await division.end()
  }, 150_000)

  test('are none while a process without an address decides alone', async () => {
    let isLeading = false
    const alone = new Leader({
      url: stores.platformUrl,
      log,
      lead: async () => {
        isLeading = true
        return {
          stop: async () => {
            isLeading = false
          },
        }
      },
    })
    await alone.start()
    expect(isLeading).toBe(true)
    const division = new Division()
    const member = await division.add('a')
    expect(member.whyNot).toMatch(/without INGEST_URL decides alone/)
    expect(division.owners.size).toBe(0)
    await alone.stop()
    expect(await division.sharedBy('a')).toEqual([64])
    const second = new Leader({ url: stores.platformUrl, log, lead: () => Promise.reject(new Error('both decide')) })
    await second.start()
    expect(second.whyNot).toMatch(/another process leads/)
    await second.stop()
    await division.end()
  }, 60_000)
})

describe('a fence', () => {
  const hold = async (fence: EpochFence | OwnerFence): Promise<boolean> => {
    const client = await pool.connect()
    try {
      return await fence.hold(client)
    } finally {
      client.release()
    }
  }
  const of = (...numbers: number[]) =>
    new OwnerFence(pool, { shards: new OwnedShards(numbers), url: 'http://ingest:8080' })

  test('ends the writes of each earlier owner of one of its shards, and of no other', async () => {
    const [first, second, third] = [of(1, 2), of(3, 4), of(2, 5)]
    await first.take()
    await second.take()
    expect([await hold(first), await hold(second)]).toEqual([true, true])
    await third.take()
    expect([await hold(first), await hold(second), await hold(third)]).toEqual([false, true, true])
    await third.release()
    expect(await hold(third)).toBe(false)
  })

  test('of one that decides alone and of owners end each other', async () => {
    const owner = of(...everyShard)
    await owner.take()
    const alone = new EpochFence(pool)
    await alone.take()
    expect([await hold(owner), await hold(alone)]).toEqual([false, true])
    const next = of(...everyShard)
    await next.take()
    expect([await hold(alone), await hold(next)]).toEqual([false, true])
  })

  test('waits for the transaction of the owner before', async () => {
    const before = of(7)
    await before.take()
    const client = await pool.connect()
    await client.query('begin')
    expect(await before.hold(client)).toBe(true)
    let isTaken = false
    const after = of(7)
    const taking = after.take().then(() => {
      isTaken = true
    })
    await sleep(200)
    expect(isTaken).toBe(false)
    await client.query('commit')
    client.release()
    await taking
    expect([await hold(before), await hold(after)]).toEqual([false, true])
  })
})
