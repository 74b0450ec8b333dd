import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { inSlices } from '#control-plane/base/slices.ts'

/** Computes for longer than a slice in each step, and notes in which tick of the event loop each step began. */
function* longWork(steps: number, tick: () => number, began: number[]): Generator<undefined, number> {
  for (let step = 0; step < steps; step++) {
    began.push(tick())
    const endsAt = performance.now() + 5
    while (performance.now() < endsAt);
    yield
  }
  return steps
}

/** Counts ticks of the event loop until it is stopped. */
function countTicks() {
  let [ticks, isStopped] = [0, false]
  const counting = (async () => {
    for (; !isStopped; ticks++) await nextTick()
  })()
  const stop = async () => {
    isStopped = true
    await counting
  }
  return { now: () => ticks, stop }
}

describe('long work in slices', () => {
  test('answers what the work returns, and throws what it throws', async () => {
    await expect(inSlices(longWork(2, () => 0, []))).resolves.toBe(2)
    // biome-ignore lint/correctness/useYield: it throws before it could pause
    const failing = function* (): Generator<undefined, never> {
      throw new Error('refused')
    }
    await expect(inSlices(failing())).rejects.toThrow('refused')
  })

  test('the event loop goes on between two slices', async () => {
    const ticks = countTicks()
    const began: number[] = []
    await inSlices(longWork(10, ticks.now, began))
    await ticks.stop()
    expect(new Set(began).size).toBe(10)
  })

  test('ten works side by side have one slice in each tick of the event loop', async () => {
    const ticks = countTicks()
    const began: number[] = []
    await nextTick()
    await Promise.all(Array.from({ length: 10 }, () => inSlices(longWork(5, ticks.now, began))))
    await ticks.stop()
    const slicesOf = Map.groupBy(began, tick => tick)
    // all ten begin in the tick in which they are started
    const first = Math.min(...began)
    expect([...slicesOf].filter(([tick, slices]) => tick !== first && slices.length > 1)).toEqual([])
    expect(began).toHaveLength(50)
  })
})
