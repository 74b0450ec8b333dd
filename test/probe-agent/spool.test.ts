import { randomUUID } from 'node:crypto'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Batch, Spool } from '#probe-agent/spool.ts'
import { type Disk, realDisk } from '#probe-agent/spool-disk.ts'
import { headerBytes } from '#probe-agent/spool-record.ts'
import { newDir, open, removeDirs } from './spools.ts'

afterEach(removeDirs)

const line = (seq: number, pad = 100) =>
  JSON.stringify({
    seq,
    check: `c${seq % 50}`,
    kind: 'uptime',
    due: 1_000 * seq,
    attempt: 0,
    note: 'ä'.repeat(pad / 2),
  })
/** Writes results and returns their sequence numbers. */
function fill(spool: Spool, count: number, pad?: number): number[] {
  return Array.from({ length: count }, () => {
    const seq = spool.nextSeq()
    spool.append(seq, line(seq, pad), false)
    return seq
  })
}
const seqOf = (text: string) => (JSON.parse(text) as { seq: number }).seq
const until = async (condition: () => boolean, ms = 5_000) => {
  for (const end = performance.now() + ms; !condition(); await sleep(5))
    if (performance.now() > end) throw new Error('waited in vain')
}

async function drain(spool: Spool): Promise<number[]> {
  const seqs: number[] = []
  for (;;) {
    const batch: Batch | undefined = spool.takeFresh(1_000, 1_000_000) ?? (await spool.takeBacklog(1_000, 1_000_000))
    if (!batch) return seqs
    for (const [index, text] of batch.lines.entries()) {
      expect(seqOf(text)).toBe(batch.entries[index]?.seq)
      seqs.push(seqOf(text))
    }
    spool.acknowledge(batch)
  }
}
const files = async (dir: string) => (await readdir(dir)).sort()

describe('an unreadable segment of an earlier boot', () => {
  const broken = (names: Set<string>): Disk => ({
    ...realDisk,
    read: async path => {
      if ([...names].some(name => path.endsWith(name)))
        throw Object.assign(new Error('input/output error'), { code: 'EIO' })
      return realDisk.read(path)
    },
  })
  async function aBoot(dir: string, count = 20) {
    const spool = await open(dir)
    fill(spool, count)
    await spool.close()
  }

  test('is counted, reported and set aside; the next boot delivers it if it can read it', async () => {
    const dir = await newDir()
    await aBoot(dir)
    const [name = ''] = await files(dir)
    const reported: unknown[] = []
    const second = await open(dir, {
      disk: broken(new Set([name])),
      onUnreadable: ({ name, isGone }) => reported.push([name, isGone]),
    })
    expect([second.unreadable, second.spooled, second.isDegraded]).toEqual([1, 0, false])
    expect(reported).toEqual([[name, false]])
    expect(await files(dir)).toEqual([`${name}.unreadable`])
    await second.close()

    const third = await open(dir)
    expect([third.unreadable, third.spooled]).toEqual([0, 20])
    expect(await drain(third)).toHaveLength(20)
    await third.close()
    expect(await files(dir)).toEqual([])
  })

  test('is removed when the next boot cannot read it either', async () => {
    const dir = await newDir()
    await aBoot(dir)
    const disk = broken(new Set(await files(dir)))
    await (await open(dir, { disk })).close()
    const reported: boolean[] = []
    const third = await open(dir, { disk, onUnreadable: ({ isGone }) => reported.push(isGone) })
    expect([third.unreadable, reported, await files(dir)]).toEqual([1, [true], []])
    await third.close()
  })

  test('is one of at most eight that are set aside; the others are removed', async () => {
    const dir = await newDir()
    for (let boot = 0; boot < 10; boot++) await aBoot(dir, 1)
    expect(await files(dir)).toHaveLength(10)
    const spool = await open(dir, { disk: broken(new Set(await files(dir))) })
    expect(spool.unreadable).toBe(10)
    expect((await files(dir)).filter(name => name.endsWith('.unreadable'))).toHaveLength(8)
    expect(await files(dir)).toHaveLength(8)
    await spool.close()
  })
})

describe('the spool', () => {
  test('yields results in order and removes them after the acknowledgement', async () => {
    const dir = await newDir()
    const spool = await open(dir)
    const seqs = fill(spool, 500)
    await until(() => spool.freshCount() === 500)
    expect(await drain(spool)).toEqual(seqs)
    expect(spool.spooled).toBe(0)
    expect(spool.memoryBytes).toBe(0)
    await spool.close()
    expect(await files(dir)).toEqual([])
  })

  test('offers no result that is not on disk yet', async () => {
    const dir = await newDir()
    let synced = 0
    const spool = await open(dir, {
      disk: spy({ onSync: () => synced++ }),
      onReady: () => expect(synced).toBeGreaterThan(0),
    })
    fill(spool, 3)
    expect(spool.hasFresh()).toBe(false)
    await until(() => spool.freshCount() === 3)
    await spool.close()
  })

  test('yields unacknowledged results after a restart, under their original boot', async () => {
    const dir = await newDir()
    const boot = randomUUID()
    const first = await open(dir, { boot })
    const seqs = fill(first, 300)
    await until(() => first.freshCount() === 300)
    const batch = first.takeFresh(100, 1_000_000)
    expect(batch?.lines.length).toBe(100)
    await first.close()

    const second = await open(dir)
    expect(second.spooled).toBe(300)
    expect(second.newestDue('c49')).toBe(299_000)
    const again = await second.takeBacklog(1_000, 1_000_000)
    expect(again?.boot).toBe(boot)
    expect(again?.lines.map(seqOf)).toEqual(seqs)
    second.acknowledge(again!)
    await second.close()
    expect(await files(dir)).toEqual([])
  })

  test('stores nothing on disk that is readable without the key', async () => {
    const dir = await newDir()
    const spool = await open(dir)
    fill(spool, 50)
    await until(() => spool.freshCount() === 50)
    await spool.close()
    for (const name of await files(dir)) {
      const bytes = await readFile(join(dir, name))
      expect(bytes.includes('uptime')).toBe(false)
      expect(bytes.length).toBeGreaterThan(5_000)
    }
  })

  test('bounds its memory: durable results are read back from disk, each once', async () => {
    const dir = await newDir()
    const spool = await open(dir, { freshBytes: 50_000 })
    const seqs: number[] = []
    for (let round = 0; round < 50; round++) {
      seqs.push(...fill(spool, 100))
      await sleep(2)
    }
    await spool.flush()
    await until(() => spool.memoryBytes <= 50_000)
    expect(spool.spooled).toBe(5_000)
    const drained = await drain(spool)
    expect(drained.sort((a, b) => a - b)).toEqual(seqs)
    expect(spool.dropped).toBe(0)
    await spool.close()
    expect(await files(dir)).toEqual([])
  })

  test('yields each result once when read during writes', async () => {
    const dir = await newDir()
    const spool = await open(dir, { freshBytes: 5_000, maxBytes: 2_000_000, disk: spy({ readMs: 2 }) })
    const sent: number[] = []
    const seqs: number[] = []
    let isFilling = true
    const reading = (async () => {
      while (isFilling || spool.spooled > 0) {
        const batch = (await spool.takeBacklog(37, 100_000)) ?? spool.takeFresh(11, 100_000)
        if (batch) {
          sent.push(...batch.lines.map(seqOf))
          if (sent.length % 3 === 0) await sleep(1)
          spool.acknowledge(batch)
        } else await sleep(1)
      }
    })()
    for (let round = 0; round < 400; round++) {
      seqs.push(...fill(spool, 25))
      if (round % 3 === 0) await sleep(1)
    }
    isFilling = false
    await reading
    expect(sent.sort((a, b) => a - b)).toEqual(seqs)
    expect([spool.corrupt, spool.dropped, spool.spooled, spool.memoryBytes]).toEqual([0, 0, 0, 0])
    await spool.close()
    expect(await files(dir)).toEqual([])
  })

  test('delivers every result once or counts it as dropped, in any mix of operations', async () => {
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ do: fc.constant('fill' as const), count: fc.integer({ min: 1, max: 200 }) }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constantFrom('fresh' as const, 'backlog' as const, 'toStore' as const),
          count: fc.integer({ min: 1, max: 300 }),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constantFrom('acknowledge' as const, 'decide' as const),
          count: fc.integer({ min: 0, max: 3 }),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), count: fc.integer({ min: 0, max: 8 }) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constantFrom('full' as const, 'roomy' as const, 'failing' as const),
          count: fc.constant(0),
        }),
      },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 60 }),
        fc.constantFrom(0, 20_000, 200_000),
        async (steps, freshBytes) => {
          const dir = await newDir()
          let mood: 'roomy' | 'full' | 'failing' = 'roomy'
          const disk = spy({
            onWrite: length => {
              if (mood === 'failing') throw Object.assign(new Error('i/o error'), { code: 'EIO' })
              return mood === 'full' && spool.diskBytes + length > 150_000 ? 0 : length
            },
            readMs: 2,
          })
          const spool = await open(dir, { disk, freshBytes, memoryBytes: 150_000, maxBytes: 500_000, retryMs: 3 })
          const taken: number[] = []
          const delivered: number[] = []
          const decided = new Set<number>()
          const unacknowledged: Batch[] = []
          const acknowledge = (batch: Batch | undefined) => {
            if (!batch) return
            const seqs = batch.lines.map(seqOf)
            // what was decided on is never sent to be decided on again
            expect(seqs.filter(seq => decided.has(seq) !== batch.isDecided)).toEqual([])
            delivered.push(...seqs)
            spool.acknowledge(batch)
          }
          let backlog = Promise.resolve()
          for (const { do: what, count } of steps) {
            if (what === 'fill') taken.push(...fill(spool, count))
            else if (what === 'fresh') {
              const batch = spool.takeFresh(count, 30_000)
              if (batch) unacknowledged.push(batch)
            } else if (what === 'backlog' || what === 'toStore')
              backlog = backlog.then(async () => {
                const batch = await (what === 'backlog'
                  ? spool.takeBacklog(count, 30_000)
                  : spool.takeToStore(count, 30_000))
                if (batch) unacknowledged.push(batch)
              })
            else if (what === 'decide')
              for (const batch of unacknowledged.splice(0, count)) {
                for (const text of batch.lines) decided.add(seqOf(text))
                spool.keepToStore(batch)
              }
            else if (what === 'acknowledge') for (const batch of unacknowledged.splice(0, count)) acknowledge(batch)
            else if (what === 'wait') await sleep(count)
            else mood = what
          }
          mood = 'roomy'
          await backlog
          await spool.flush()
          await until(() => !spool.isDegraded)
          unacknowledged.forEach(acknowledge)
          while (spool.spooled > 0) {
            const before = spool.spooled
            acknowledge(
              spool.takeFresh(1_000, 1_000_000) ??
                (await spool.takeBacklog(1_000, 1_000_000)) ??
                (await spool.takeToStore(1_000, 1_000_000)),
            )
            if (spool.spooled === before) throw new Error(`${before} results are spooled and not to be had`)
          }
          expect(new Set(delivered).size).toBe(delivered.length)
          expect(delivered.length + spool.dropped).toBe(taken.length)
          expect([spool.corrupt, spool.memoryBytes, spool.waitingSince]).toEqual([0, 0, undefined])
          await spool.close()
          expect(await files(dir)).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  }, 60_000)

  test('drops the oldest results beyond its bound, counts them exactly, and keeps the newest', async () => {
    const dir = await newDir()
    // what is written together is packed together: a slow disk makes them small
    const spool = await open(dir, { maxBytes: 400_000, freshBytes: 0 })
    const seqs: number[] = []
    for (let round = 0; round < 60; round++) {
      seqs.push(...fill(spool, 100, 400))
      await sleep(3)
    }
    await until(() => spool.memoryBytes === 0)
    expect(spool.diskBytes).toBeLessThanOrEqual(400_000)
    expect(spool.dropped).toBeGreaterThan(1_000)
    expect(spool.spooled + spool.dropped).toBe(6_000)
    const drained = await drain(spool)
    expect(drained).toEqual(seqs.slice(-drained.length))
    expect(drained.length).toBe(6_000 - spool.dropped)
    await spool.close()
  })

  test('truncates a partial record at the end and delivers those before it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 40 * 150 }), async cut => {
        const dir = await newDir()
        const spool = await open(dir)
        const seqs = fill(spool, 40)
        await until(() => spool.freshCount() === 40)
        await spool.close()
        const [name = ''] = await files(dir)
        const path = join(dir, name)
        const size = (await readFile(path)).length
        const left = Math.max(0, size - cut)
        await truncate(path, left)
        const again = await open(dir)
        const ends = endsOf(40)
        const whole = ends.filter(end => end <= left).length
        expect(await drain(again)).toEqual(seqs.slice(0, whole))
        expect(again.corrupt).toBe(0)
        expect(again.truncated).toBe(left === (ends[whole - 1] ?? 0) ? 0 : 1)
        await again.close()
      }),
      { numRuns: 40 },
    )
  })

  test('loses exactly the records with flipped bytes, and counts each', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 255 })), {
          minLength: 1,
          maxLength: 12,
        }),
        async flips => {
          const dir = await newDir()
          const spool = await open(dir)
          const seqs = fill(spool, 60)
          await until(() => spool.freshCount() === 60)
          await spool.close()
          const [name = ''] = await files(dir)
          const path = join(dir, name)
          const sound = await readFile(path)
          const bytes = Buffer.from(sound)
          for (const [where, mask] of flips) bytes[Math.floor(where * bytes.length)]! ^= mask
          await writeFile(path, bytes)

          const ends = endsOf(60)
          const hit = new Set<number>()
          // The two unused bytes of a record's head mean nothing.
          for (let at = 0, record = 0; at < bytes.length; at++) {
            while (at >= ends[record]!) record++
            const start = ends[record - 1] ?? 0
            if (bytes[at] !== sound[at] && at - start !== 2 && at - start !== 3) hit.add(record + 1)
          }
          const again = await open(dir)
          expect(await drain(again)).toEqual(seqs.filter(seq => !hit.has(seq)))
          // A damaged length in the very last record cannot be distinguished from a tail that was cut off.
          expect([hit.size, hit.size - 1]).toContain(again.corrupt)
          expect(again.corrupt + again.truncated).toBeGreaterThanOrEqual(hit.size > 0 ? 1 : 0)
          await again.close()
        },
      ),
      { numRuns: 60 },
    )
  })

  test('skips and counts records that are damaged while they wait', async () => {
    const dir = await newDir()
    const first = await open(dir)
    fill(first, 60)
    await until(() => first.freshCount() === 60)
    await first.close()
    const again = await open(dir)
    const [name = ''] = await files(dir)
    const bytes = await readFile(join(dir, name))
    bytes[endsOf(60)[9]! + 20]! ^= 0xff
    await writeFile(join(dir, name), bytes)
    const drained = await drain(again)
    expect(drained.length).toBe(59)
    expect(drained).not.toContain(11)
    expect(again.corrupt).toBe(1)
    expect(again.spooled).toBe(0)
    await again.close()
    expect(await files(dir)).toEqual([])
  })

  test('completes a short write, and leaves no partial record after a failed one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('ok', 'short', 'zero', 'EIO', 'sync'), { minLength: 1, maxLength: 40 }),
        async moods => {
          const dir = await newDir()
          const script = [...moods]
          const disk = spy({
            onWrite: length => {
              const mood = script.shift()
              if (mood === 'short') return Math.ceil(length / 2)
              if (mood === 'zero') return 0
              if (mood === 'EIO') throw Object.assign(new Error('i/o error'), { code: 'EIO' })
              return length
            },
            onSync: () => {
              if (script[0] === 'sync') {
                script.shift()
                throw Object.assign(new Error('i/o error'), { code: 'EIO' })
              }
            },
          })
          const spool = await open(dir, { disk, retryMs: 5 })
          const seqs: number[] = []
          for (let round = 0; round < 10; round++) {
            seqs.push(...fill(spool, 5))
            await sleep(2)
          }
          await until(() => spool.freshCount() === 50)
          // from here on the disk is well: what a sick one refuses while the spool closes is lost, and counted
          script.length = 0
          await until(() => !spool.isDegraded)
          await spool.close()
          const again = await open(dir)
          const drained = await drain(again)
          // A full disk costs the oldest, counted; what was not dropped is there, once, and nothing is corrupt.
          expect(drained.length + spool.dropped).toBe(seqs.length)
          expect(new Set(drained).size).toBe(drained.length)
          if (!moods.includes('zero')) expect(spool.dropped).toBe(0)
          expect(again.corrupt).toBe(0)
          await again.close()
        },
      ),
      { numRuns: 25 },
    )
  })

  test('delays no result and bounds its memory when the disk does not respond', async () => {
    const dir = await newDir()
    const alarms: string[] = []
    let release = () => {}
    let isStuck = false
    const disk: Disk = {
      ...realDisk,
      async create(path) {
        const file = await realDisk.create(path)
        return {
          ...file,
          async write(data, from, at) {
            if (isStuck) await new Promise<void>(resolve => (release = resolve))
            return file.write(data, from, at)
          },
        }
      },
    }
    const spool = await open(dir, {
      disk,
      stallMs: 500,
      memoryBytes: 50_000,
      onDegraded: () => alarms.push('degraded'),
      onRecovered: () => alarms.push('well'),
    })
    fill(spool, 20)
    await until(() => spool.freshCount() === 20)
    isStuck = true
    fill(spool, 20)
    await until(() => spool.freshCount() === 40)
    for (let round = 0; round < 20; round++) {
      fill(spool, 50)
      await sleep(1)
    }
    expect(spool.memoryBytes).toBeLessThan(60_000)
    expect(spool.spooled + spool.dropped).toBe(1_040)
    await until(() => spool.isDegraded)
    isStuck = false
    release()
    await until(() => !spool.isDegraded)
    await spool.flush()
    expect(alarms).toEqual(['degraded', 'well'])
    expect((await drain(spool)).length).toBe(1_040 - spool.dropped)
    await spool.close()
    expect(await files(dir)).toEqual([])
  })

  test('continues from memory on a degraded disk, bounded and counted, and writes the results once it recovers', async () => {
    const dir = await newDir()
    let isIll = false
    const alarms: string[] = []
    const disk = spy({
      onWrite: length => {
        if (isIll) throw Object.assign(new Error('i/o error'), { code: 'EIO' })
        return length
      },
    })
    const spool = await open(dir, {
      disk,
      retryMs: 20,
      memoryBytes: 100_000,
      onDegraded: () => alarms.push('degraded'),
      onRecovered: () => alarms.push('well'),
    })
    fill(spool, 100)
    await until(() => spool.freshCount() === 100)
    isIll = true
    for (let round = 0; round < 20; round++) {
      fill(spool, 50)
      await sleep(2)
    }
    expect(spool.isDegraded).toBe(true)
    expect(spool.memoryBytes).toBeLessThanOrEqual(110_000)
    expect(spool.dropped).toBeGreaterThan(0)
    expect(spool.spooled + spool.dropped).toBe(1_100)
    const part = spool.takeFresh(200, 1_000_000)!
    spool.acknowledge(part)
    const acknowledged = part.lines.length
    isIll = false
    await until(() => !spool.isDegraded)
    expect(alarms).toEqual(['degraded', 'well'])
    await spool.close()
    const again = await open(dir)
    const drained = await drain(again)
    const lost = 1_100 - spool.dropped - acknowledged
    // Acknowledged ones of the segment that is still needed come again; the server knows them.
    expect(drained.length).toBeGreaterThanOrEqual(lost)
    expect(drained.slice(-5)).toEqual([1_096, 1_097, 1_098, 1_099, 1_100])
    await again.close()
  })
})

/** Where each of the records written by `fill` ends. */
function endsOf(count: number): number[] {
  let end = 0
  return Array.from({ length: count }, (_, index) => {
    end += headerBytes + Buffer.byteLength(line(index + 1))
    return end
  })
}

function spy({
  onWrite = length => length,
  onSync = () => {},
  readMs = 0,
}: {
  onWrite?: (length: number) => number
  onSync?: () => void
  readMs?: number
}): Disk {
  return {
    ...realDisk,
    async read(path) {
      const data = await realDisk.read(path)
      if (readMs) await sleep(readMs)
      return data
    },
    async create(path) {
      const file = await realDisk.create(path)
      return {
        async write(data, from, at) {
          const count = onWrite(data.length - from)
          return count > 0 ? file.write(data.subarray(0, from + count), from, at) : count
        },
        async sync() {
          onSync()
          await file.sync()
        },
        close: () => file.close(),
      }
    },
  }
}
