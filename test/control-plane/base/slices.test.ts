import { describe, expect, test } from 'vitest'
import { inSlices } from '#control-plane/base/slices.ts'

/** Work of some milliseconds, and what it is in the end. */
function* work(ms: number, result: string): Generator<undefined, string> {
  for (let n = 0; n < ms; n++) {
    const endsAt = performance.now() + 1
    while (performance.now() < endsAt);
    yield
  }
  return result
}

/** The longest time between two rounds of the event loop while something is done, in milliseconds. */
async function longestBlock(done: Promise<unknown>): Promise<number> {
  let [longest, lastAt] = [0, performance.now()]
  let isDone = false
  const round = () => {
    longest = Math.max(longest, performance.now() - lastAt)
    lastAt = performance.now()
    if (!isDone) setImmediate(round)
  }
  round()
  await done
  isDone = true
  return longest
}

describe('long work in slices', () => {
  test('lets the event loop go on in between', async () => {
    expect(await longestBlock(inSlices(work(200, 'x')))).toBeLessThan(50)
  })

  test('takes turns with other work: ten pieces side by side block the event loop no longer than one', async () => {
    const results = Promise.all(Array.from({ length: 10 }, (_, n) => inSlices(work(40, String(n)))))
    expect(await longestBlock(results)).toBeLessThan(80)
    expect(await results).toEqual(Array.from({ length: 10 }, (_, n) => String(n)))
  })

  test('fails with what the work throws', async () => {
    const failing = function* (): Generator<undefined, never> {
      yield* work(10, 'x')
      throw new Error('wrong')
    }
    await expect(inSlices(failing())).rejects.toThrow('wrong')
  })
})
