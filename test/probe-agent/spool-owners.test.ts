import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { shardCount } from '#contract/shards.ts'
import type { Batch, Owner, Spool } from '#probe-agent/spool.ts'
import { type Disk, realDisk } from '#probe-agent/spool-disk.ts'
import { newDir, open, removeDirs } from './spools.ts'

afterEach(removeDirs)

const line = (seq: number, shard: number | undefined, check = `c${seq % 50}`) =>
  JSON.stringify({ seq, shard, check, kind: 'uptime', due: 1_000 * seq, attempt: 0, note: 'ä'.repeat(50) })
const parse = (text: string) => JSON.parse(text) as { seq: number; shard?: number; check: string }

/** Appends results of these shards and returns their sequence numbers. */
function fill(spool: Spool, shards: readonly number[], isUrgent = false): number[] {
  return shards.map(shard => {
    const seq = spool.nextSeq()
    spool.append(seq, line(seq, shard), isUrgent, shard)
    return seq
  })
}

const seqsOf = (batch: Batch | undefined) => batch?.lines.map(text => parse(text).seq) ?? []
const until = async (condition: () => boolean, ms = 5_000) => {
  for (const end = performance.now() + ms; !condition(); await sleep(5))
    if (performance.now() > end) throw new Error('waited in vain')
}

async function drain(spool: Spool, owner?: Owner): Promise<number[]> {
  const seqs: number[] = []
  for (;;) {
    const batch: Batch | undefined =
      spool.takeFresh(1_000, 1_000_000, owner) ??
      (await spool.takeBacklog(1_000, 1_000_000, owner)) ??
      (await spool.takeToStore(1_000, 1_000_000, owner))
    if (!batch) return seqs
    seqs.push(...seqsOf(batch))
    spool.acknowledge(batch)
  }
}

const [first, second] = [{ name: 'first' }, { name: 'second' }]
const byParity = (shard: number) => (shard % 2 ? second : first)

describe('a spool with owners', () => {
  test('yields to each the fresh results of its shards, in order', async () => {
    const spool = await open(await newDir())
    spool.assignShards(byParity)
    const seqs = fill(
      spool,
      Array.from({ length: 200 }, (_, n) => n % shardCount),
    )
    await until(() => spool.freshCount(first) === 100 && spool.freshCount(second) === 100)
    expect(spool.hasFresh()).toBe(false)
    expect(await drain(spool, first)).toEqual(seqs.filter((_, n) => n % 2 === 0))
    expect(await drain(spool, second)).toEqual(seqs.filter((_, n) => n % 2 === 1))
    expect([spool.spooled, spool.memoryBytes]).toEqual([0, 0])
    await spool.close()
  })

  test('wakes the owner of an urgent result alone', async () => {
    const woken: unknown[] = []
    const spool = await open(await newDir(), { onReady: (isUrgent, owner) => isUrgent && woken.push(owner) })
    spool.assignShards(byParity)
    fill(spool, [0, 2, 4])
    fill(spool, [5], true)
    fill(spool, [6, 7])
    await until(() => spool.freshCount(first) === 4 && spool.freshCount(second) === 2)
    expect(woken).toEqual([second])
    await spool.close()
  })

  test('moves fresh results with their shards, and puts those that return before newer ones', async () => {
    const spool = await open(await newDir())
    const seqs = fill(spool, [1, 2, 1, 2, 1, 2])
    await until(() => spool.freshCount() === 6)
    spool.assignShards(() => first)
    expect([spool.freshCount(), spool.freshCount(first)]).toEqual([0, 6])
    const taken = spool.takeFresh(3, 1_000_000, first)!
    spool.assignShards(byParity)
    expect(spool.freshCount(first) + spool.freshCount(second)).toBe(3)
    spool.putBack(taken)
    expect(await drain(spool, first)).toEqual([seqs[1], seqs[3], seqs[5]])
    expect(await drain(spool, second)).toEqual([seqs[0], seqs[2], seqs[4]])
    expect([spool.spooled, spool.memoryBytes]).toEqual([0, 0])
    await spool.close()
  })

  test('reads for each owner its own part of the backlog, whatever the other does', async () => {
    const dir = await newDir()
    const before = await open(dir)
    const seqs = fill(
      before,
      Array.from({ length: 3_000 }, (_, n) => n % shardCount),
    )
    await before.close()
    const spool = await open(dir)
    spool.assignShards(byParity)
    const waiting = await spool.takeBacklog(100, 1_000_000, first)
    expect(await drain(spool, second)).toEqual(seqs.filter((_, n) => n % 2 === 1))
    expect([spool.hasBacklog(first), spool.hasBacklog(second), spool.spooled]).toEqual([true, false, 1_500])
    spool.putBack(waiting!)
    spool.assignShards(() => second)
    expect(await drain(spool, second)).toEqual(seqs.filter((_, n) => n % 2 === 0))
    expect([spool.spooled, spool.corrupt]).toEqual([0, 0])
    await spool.close()
    expect(await readdir(dir)).toEqual([])
  })

  test('leaves the memory of an owner its share while another takes nothing', async () => {
    const spool = await open(await newDir(), { freshBytes: 40_000 })
    spool.assignShards(byParity)
    for (let round = 0; round < 40; round++) {
      fill(spool, Array(50).fill(0))
      const own = fill(spool, Array(10).fill(1))
      await spool.flush()
      const batch = spool.takeFresh(100, 1_000_000, second)
      expect(seqsOf(batch)).toEqual(own)
      spool.acknowledge(batch!)
    }
    expect(spool.memoryBytes).toBeLessThan(45_000)
    expect((await drain(spool, first)).length).toBe(2_000)
    await spool.close()
  })

  test('finds the owner of results without a shard by their check', async () => {
    const dir = await newDir()
    const before = await open(dir)
    for (let n = 0; n < 300; n++) {
      const seq = before.nextSeq()
      before.append(seq, line(seq, undefined, `c${seq % 3}`), false)
    }
    await before.close()
    const owners = new Map<string, Owner>([['c0', first]])
    const spool = await open(dir, { ownerOfCheck: check => owners.get(check) })
    expect(spool.newestDue('c1')).toBe(298_000)
    spool.assignShards(() => second)
    expect((await drain(spool, first)).every(seq => seq % 3 === 0)).toBe(true)
    expect(await drain(spool, second)).toEqual([])
    owners.set('c1', second)
    expect((await drain(spool, second)).length).toBe(100)
    owners.set('c2', first)
    expect((await drain(spool, first)).length).toBe(100)
    expect(spool.spooled).toBe(0)
    await spool.close()
  })

  test('loses no result and yields none twice, in any mix of appends, moves, takes, returns and acknowledgements', async () => {
    const all = [undefined, first, second]
    const count = (most: number) => fc.integer({ min: 1, max: most })
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ do: fc.constant('fill' as const), count: count(150), seed: fc.nat() }) },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('move' as const), count: count(shardCount), seed: fc.nat() }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constantFrom('fresh' as const, 'backlog' as const, 'toStore' as const),
          count: count(200),
          seed: fc.nat(),
        }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constantFrom('acknowledge' as const, 'return' as const, 'split' as const, 'decide' as const),
          count: count(3),
          seed: fc.nat(),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), count: count(8), seed: fc.nat() }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constantFrom('failing' as const, 'roomy' as const),
          count: count(1),
          seed: fc.nat(),
        }),
      },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 80 }),
        fc.constantFrom(0, 10_000, 100_000),
        fc.constantFrom(120_000, 2_000_000),
        fc.boolean(),
        async (steps, freshBytes, maxBytes, isReopened) => {
          const dir = await newDir()
          let isFailing = false
          const spool = await open(dir, { disk: unsteady(() => isFailing), freshBytes, maxBytes, retryMs: 3 })
          const owners: (Owner | undefined)[] = Array(shardCount).fill(undefined)
          const appended: number[] = []
          const delivered: number[] = []
          const taken: Batch[] = []
          const acknowledge = (batch: Batch) => {
            delivered.push(...seqsOf(batch))
            spool.acknowledge(batch)
          }
          const take = (batch: Batch | undefined, owner: Owner | undefined) => {
            if (!batch) return
            const seqs = seqsOf(batch)
            expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
            for (const text of batch.lines) expect(owners[parse(text).shard!]).toBe(owner)
            taken.push(batch)
          }
          for (const { do: what, count, seed } of steps) {
            const owner = all[seed % all.length]
            if (what === 'fill')
              appended.push(
                ...fill(
                  spool,
                  Array.from({ length: count }, (_, n) => (seed + n * n) % shardCount),
                ),
              )
            else if (what === 'move') {
              for (let n = 0; n < count; n++) owners[(seed + n) % shardCount] = owner
              spool.assignShards(shard => owners[shard])
            } else if (what === 'fresh') take(spool.takeFresh(count, 20_000, owner), owner)
            else if (what === 'backlog' || what === 'toStore') {
              const reading =
                what === 'backlog' ? spool.takeBacklog(count, 20_000, owner) : spool.takeToStore(count, 20_000, owner)
              // the shards may move while it reads
              if (seed % 2) {
                for (let n = 0; n < count; n++) owners[(seed + n) % shardCount] = all[n % all.length]
                spool.assignShards(shard => owners[shard])
              }
              take(await reading, owner)
            } else if (what === 'acknowledge') taken.splice(0, count).forEach(acknowledge)
            else if (what === 'decide') for (const batch of taken.splice(0, count)) spool.keepToStore(batch)
            else if (what === 'return') for (const batch of taken.splice(0, count)) spool.putBack(batch)
            else if (what === 'split')
              for (const batch of taken.splice(0, count)) {
                const [head, tail] = halves(batch)
                acknowledge(head)
                if (tail) spool.putBack(tail)
              }
            else if (what === 'wait') await sleep(count)
            else isFailing = what === 'failing'
            expect(spool.spooled + spool.dropped + delivered.length).toBe(appended.length)
          }
          isFailing = false
          await spool.flush()
          await until(() => !spool.isDegraded)
          for (const batch of taken.splice(0)) spool.putBack(batch)
          spool.assignShards(() => first)
          if (isReopened) {
            await spool.close()
            const again = await open(dir)
            again.assignShards(byParity)
            const drained = [...(await drain(again, second)), ...(await drain(again, first))]
            expect(new Set(drained).size).toBe(drained.length)
            // what was acknowledged of a segment that is still needed comes again
            expect(new Set([...delivered, ...drained]).size).toBeGreaterThanOrEqual(appended.length - spool.dropped)
            expect([again.spooled, again.corrupt, again.memoryBytes]).toEqual([0, 0, 0])
            await again.close()
          } else {
            delivered.push(...(await drain(spool, first)))
            expect(new Set(delivered).size).toBe(delivered.length)
            expect(delivered.length + spool.dropped).toBe(appended.length)
            expect([spool.spooled, spool.corrupt, spool.memoryBytes]).toEqual([0, 0, 0])
            await spool.close()
          }
          expect(await readdir(dir)).toEqual([])
        },
      ),
      { numRuns: 200 },
    )
  }, 120_000)
})

function halves(batch: Batch): [Batch, Batch | undefined] {
  const middle = Math.ceil(batch.lines.length / 2)
  const part = (from: number, to: number): Batch => ({
    ...batch,
    lines: batch.lines.slice(from, to),
    entries: batch.entries.slice(from, to),
  })
  return [part(0, middle), middle < batch.lines.length ? part(middle, batch.lines.length) : undefined]
}

function unsteady(isFailing: () => boolean): Disk {
  return {
    ...realDisk,
    async read(path) {
      const data = await realDisk.read(path)
      await sleep(1)
      return data
    },
    async create(path) {
      const file = await realDisk.create(path)
      return {
        async write(data, from, at) {
          if (isFailing()) throw Object.assign(new Error('i/o error'), { code: 'EIO' })
          return file.write(data, from, at)
        },
        sync: () => file.sync(),
        close: () => file.close(),
      }
    },
  }
}
