import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FairQueue, FairSlots, Shares } from '#contract/fair-queue.ts'

const keys = ['a', 'b', 'c', 'd']
const key = fc.constantFrom(...keys)

describe('shares of slots', () => {
  test('give one key half of the slots, two keys a third each, and a new key always one', () => {
    const takeAll = (shares: Shares, name: string) => {
      while (shares.mayTake(name)) shares.take(name)
      return shares.inUseBy(name)
    }
    const one = new Shares(100)
    expect(takeAll(one, 'a')).toBe(50)
    expect(takeAll(one, 'b')).toBe(25)
    expect(one.mayTake('c')).toBe(true)

    const two = new Shares(90)
    for (let turn = 0; turn < 90; turn++) for (const name of ['a', 'b']) if (two.mayTake(name)) two.take(name)
    expect([two.inUseBy('a'), two.inUseBy('b'), two.free]).toEqual([30, 30, 30])
  })

  test('give out slots even if there are few', () => {
    const one = new Shares(1)
    expect(one.mayTake('a')).toBe(true)
    one.take('a')
    expect(one.mayTake('b')).toBe(false)
    const two = new Shares(2)
    two.take('a')
    expect([two.mayTake('a'), two.mayTake('b')]).toEqual([false, true])
  })

  test('refuse a key only when it uses at least as many slots as any key that is admitted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.tuple(key, fc.boolean()), { maxLength: 200 }),
        (places, moves) => {
          const shares = new Shares(places)
          for (const [name, takes] of moves) {
            if (takes && shares.mayTake(name)) shares.take(name)
            else if (!takes && shares.inUseBy(name) > 0) shares.release(name)
            expect(shares.total).toBeLessThanOrEqual(places)
            expect(shares.total).toBe(keys.reduce((sum, each) => sum + shares.inUseBy(each), 0))
            for (const kept of keys.filter(each => !shares.mayTake(each)))
              for (const other of keys.filter(each => shares.mayTake(each)))
                expect(shares.inUseBy(kept)).toBeGreaterThan(shares.inUseBy(other))
          }
        },
      ),
    )
  })
})

describe('a fair queue', () => {
  const takeSome = <Item>(queue: FairQueue<Item>, most: number, mayTake?: (name: string) => boolean) => {
    const taken: Item[] = []
    if (most > 0)
      for (const item of queue.take(mayTake)) {
        taken.push(item)
        if (taken.length === most) break
      }
    return taken
  }

  test('takes keys in turn, however many items one of them has', () => {
    const queue = new FairQueue<string>()
    for (let n = 0; n < 1_000; n++) queue.push('hog', `hog ${n}`)
    queue.push('b', 'b 0')
    expect(takeSome(queue, 2)).toEqual(['hog 0', 'b 0'])
    for (let n = 1; n < 3; n++) queue.push('b', `b ${n}`)
    queue.push('c', 'c 0')
    expect(
      takeSome(queue, 5)
        .filter(item => !item.startsWith('hog'))
        .sort(),
    ).toEqual(['b 1', 'b 2', 'c 0'])
  })

  test('does not prefer a key that is added again at once', () => {
    const queue = new FairQueue<string>()
    for (let n = 0; n < 10; n++) queue.push('steady', 'steady')
    const taken: string[] = []
    for (let n = 0; n < 10; n++) {
      queue.push('quick', 'quick')
      taken.push(...takeSome(queue, 1))
    }
    expect(taken.filter(item => item === 'steady').length).toBeGreaterThanOrEqual(5)
  })

  test('gives no credit to a key that was skipped for long', () => {
    const queue = new FairQueue<string>()
    for (let n = 0; n < 200; n++) for (const name of ['kept', 'other']) queue.push(name, name)
    takeSome(queue, 100, name => name !== 'kept')
    const taken = takeSome(queue, 20)
    expect(taken.filter(item => item === 'kept').length).toBeLessThanOrEqual(11)
  })

  test('drops withdrawn items without cost, and keeps the order of items of one key', () => {
    const gone = new Set([1, 2])
    const queue = new FairQueue<number>(item => gone.has(item))
    for (const [item, order] of [
      [3, 30],
      [1, 10],
      [2, 20],
      [0, 5],
    ] as const)
      queue.push('a', item, order)
    queue.push('b', 9)
    expect(takeSome(queue, 3)).toEqual([0, 9, 3])
    expect(queue.isEmpty).toBe(true)
  })

  test('yields every item once and serves two waiting keys equally, in any mix of operations', () => {
    const move = fc.oneof(
      fc.record({ push: key, count: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ take: fc.integer({ min: 1, max: 20 }) }),
    )
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), moves => {
        const queue = new FairQueue<{ name: string; n: number }>()
        const waiting = new Map(keys.map(name => [name, 0]))
        /** Taken of each key since both of a pair have waited without a break. */
        const since = new Map<string, Map<string, number>>()
        const pairs = keys.flatMap(one => keys.filter(other => other > one).map(other => [one, other] as const))
        let n = 0
        const seen = new Set<number>()
        const note = (taken?: string) => {
          for (const [one, other] of pairs) {
            const pair = `${one} ${other}`
            const both = waiting.get(one)! > 0 && waiting.get(other)! > 0
            const counts = since.get(pair)
            if (counts && taken !== undefined && (taken === one || taken === other)) {
              counts.set(taken, (counts.get(taken) ?? 0) + 1)
              expect(Math.abs((counts.get(one) ?? 0) - (counts.get(other) ?? 0)), pair).toBeLessThanOrEqual(2)
            }
            if (!both) since.delete(pair)
            else if (!counts) since.set(pair, new Map())
          }
        }
        for (const each of moves) {
          if ('push' in each) {
            for (let count = 0; count < each.count; count++) queue.push(each.push, { name: each.push, n: n++ })
            waiting.set(each.push, waiting.get(each.push)! + each.count)
            note()
          } else
            for (const { name, n: number } of takeSome(queue, each.take)) {
              expect(seen.has(number)).toBe(false)
              seen.add(number)
              waiting.set(name, waiting.get(name)! - 1)
              note(name)
            }
        }
        for (const { n: number } of queue.take()) seen.add(number)
        expect(seen.size).toBe(n)
      }),
    )
  })

  test('forgets keys that have no items', () => {
    const queue = new FairQueue<number>()
    const before = process.memoryUsage().heapUsed
    for (let n = 0; n < 200_000; n++) {
      queue.push(`key ${n}`, n)
      takeSome(queue, 1)
    }
    expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(60)
  })
})

describe('fair slots', () => {
  test('go to waiting keys in fair order, and are released once', async () => {
    const slots = new FairSlots(2)
    const first = slots.tryTake('hog')
    expect([first !== undefined, slots.tryTake('hog')]).toEqual([true, undefined])
    const order: string[] = []
    const wait = (name: string) =>
      slots.take(name).then(release => {
        order.push(name)
        return release
      })
    const waiting = [wait('hog'), wait('hog'), wait('b')]
    const b = await waiting[2]!
    expect([order, slots.waiting, slots.countOf('hog')]).toEqual([['b'], 2, 3])
    first?.()
    first?.()
    const again = await waiting[0]!
    b()
    expect(slots.waiting).toBe(1)
    again()
    ;(await waiting[1]!)()
    expect([slots.waiting, slots.countOf('hog'), order]).toEqual([0, 0, ['b', 'hog', 'hog']])
  })

  test('are not reserved for a caller that aborts its wait', async () => {
    const slots = new FairSlots(1)
    const release = slots.tryTake('a')
    const controller = new AbortController()
    const waiting = slots.take('b', controller.signal)
    controller.abort(new Error('given up'))
    await expect(waiting).rejects.toThrow('given up')
    expect(slots.waiting).toBe(0)
    await expect(slots.take('b', controller.signal)).rejects.toThrow('given up')
    release?.()
    expect(slots.tryTake('c')).toBeDefined()
  })
})
