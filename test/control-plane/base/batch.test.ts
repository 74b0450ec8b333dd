import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Batch } from '#control-plane/base/batch.ts'

interface Item {
  by: string
  n: number
}

describe('a batch', () => {
  test('takes items of all keys in turn: thousands of one key do not delay another', async () => {
    const calls: Item[][] = []
    const batch = new Batch(
      async (items: readonly Item[]) => {
        calls.push([...items])
        await sleep(1)
        return items.map(({ by, n }) => `${by} ${n}`)
      },
      { largest: 100, keyOf: ({ by }) => by },
    )
    const many = Array.from({ length: 5_000 }, (_, n) => batch.add({ by: 'busy', n }))
    await sleep(10)
    const before = calls.length
    expect(await batch.add({ by: 'other', n: 1 })).toBe('other 1')
    expect(calls.findIndex(items => items.some(({ by }) => by === 'other'))).toBeLessThanOrEqual(before + 2)
    expect(await Promise.all(many)).toEqual(Array.from({ length: 5_000 }, (_, n) => `busy ${n}`))
    expect(Math.max(...calls.map(({ length }) => length))).toBe(100)
  })

  test('takes items in order of arrival where they have no key', async () => {
    const taken: number[] = []
    const batch = new Batch(
      async (items: readonly number[]) => {
        taken.push(...items)
        return items
      },
      { largest: 7 },
    )
    await Promise.all(Array.from({ length: 50 }, (_, n) => batch.add(n)))
    expect(taken).toEqual(Array.from({ length: 50 }, (_, n) => n))
  })

  test('processes an item that arrives however soon after another batch has ended', async () => {
    const batch = new Batch(async (items: readonly number[]) => items, { atOnce: 1 })
    for (let hops = 0; hops < 16; hops++) {
      await batch.add(hops)
      for (let hop = 0; hop < hops; hop++) await null
      expect(await Promise.race([batch.add(hops), sleep(1_000)]), `after ${hops} microtasks`).toBe(hops)
    }
  })

  test('runs no more calls at once than allowed, and is idle once all have ended', async () => {
    let [running, most, ended] = [0, 0, 0]
    const batch = new Batch(
      async (items: readonly number[]) => {
        most = Math.max(most, ++running)
        await sleep(2)
        running--
        ended += items.length
        return items
      },
      { atOnce: 1, largest: 10 },
    )
    await batch.idle()
    for (let n = 0; n < 100; n++) void batch.add(n)
    await batch.idle()
    expect({ most, ended }).toEqual({ most: 1, ended: 100 })
  })

  test('rejects the item at fault alone', async () => {
    const batch = new Batch(async (items: readonly number[]) => {
      if (items.includes(3)) throw new Error('three')
      return items
    })
    const results = await Promise.allSettled([1, 2, 3, 4].map(n => batch.add(n)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })
})
