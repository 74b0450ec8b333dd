import { expect, test } from 'vitest'
import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'

test('a concurrency limit runs two calls, lets three wait in order, and refuses the sixth with 503', async () => {
  const bounded = new ConcurrencyLimit({ atOnce: 2, waiting: 3 })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const run = (n: number) =>
    bounded.run(async () => {
      begun.push(n)
      await new Promise<void>(resolve => ends.push(resolve))
      return n
    })
  const running = [1, 2, 3, 4, 5].map(run)
  await expect(run(6)).rejects.toMatchObject({ status: 503 })
  expect(begun).toEqual([1, 2])
  for (let n = 0; n < 5; n++) {
    ends.shift()?.()
    await running[n]
    await Promise.resolve()
  }
  expect(begun).toEqual([1, 2, 3, 4, 5])
  expect(await Promise.all(running)).toEqual([1, 2, 3, 4, 5])
})

test('a call that fails passes its place on', async () => {
  const bounded = new ConcurrencyLimit({ atOnce: 1, waiting: 1 })
  const failing = bounded.run(() => Promise.reject(new Error('failed')))
  const next = bounded.run(async () => 'done')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
  expect(await bounded.run(async () => 'again')).toBe('again')
})

test('keys take turns, one key has its own bounds, and its excess is refused with 429', async () => {
  const bounded = new ConcurrencyLimit({ atOnce: 2, waiting: 10, atOnceOfKey: 1, waitingOfKey: 2 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (name: string) =>
    bounded.run(async () => {
      begun.push(name)
      await new Promise<void>(resolve => ends.push(resolve))
    }, name[0])
  const running = ['a1', 'a2', 'a3'].map(run)
  await expect(run('a4')).rejects.toMatchObject({ status: 429 })
  running.push(run('b1'), run('b2'))
  expect(begun).toEqual(['a1', 'b1'])
  for (let n = 0; n < 5; n++) {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  await Promise.all(running)
  expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
})
