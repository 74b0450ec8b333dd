import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { Loop } from '#control-plane/base/loop.ts'

const silent = { warn: () => undefined }

test('a wake-up during a round makes one more round, and rounds never overlap', async () => {
  let [running, most, rounds] = [0, 0, 0]
  const round = async () => {
    most = Math.max(most, ++running)
    await sleep(20)
    running--
    rounds++
  }
  const loop = new Loop({ everyMs: 60_000, round, log: silent, failure: 'test failure' }).start()
  await sleep(5)
  for (let n = 0; n < 5; n++) loop.wake()
  await vi.waitUntil(() => rounds === 2)
  await sleep(60)
  expect({ rounds, most }).toEqual({ rounds: 2, most: 1 })
  await loop.stop()
})

test('a stop waits for the running round, and no round starts afterwards', async () => {
  let [begun, ended] = [0, 0]
  const round = async () => {
    begun++
    await sleep(30)
    ended++
  }
  const loop = new Loop({ everyMs: 1, round, log: silent, failure: 'test failure' }).start()
  await vi.waitUntil(() => begun > 0)
  await loop.stop()
  const at = begun
  expect(ended).toBe(at)
  loop.wake()
  loop.wakeIn(1)
  await sleep(30)
  expect(begun).toBe(at)
})

test('failed rounds are repeated with growing pauses, and logged at the 1st, 2nd, 4th and 8th failure', async () => {
  const logged: unknown[] = []
  const log = { warn: (fields: object, message: string) => logged.push({ ...fields, message }) }
  const error = new Error('refused')
  const times: number[] = []
  const round = async () => {
    times.push(performance.now())
    if (times.length <= 8) throw error
  }
  const loop = new Loop({ everyMs: 1, round, log: log as never, failure: 'test failure' }).start()
  await vi.waitUntil(() => times.length > 8)
  await loop.stop()
  expect(logged).toEqual([1, 2, 4, 8].map(failures => ({ err: error, failures, message: 'test failure' })))
  expect(times[8]! - times[7]!).toBeGreaterThan(100)
})

test('a notice, or a connection that is back, starts a round at once', async () => {
  const tasks: Record<string, () => void> = {}
  const listener = {
    on: (notice: string, task: () => void) => {
      tasks[notice] = task
      return () => delete tasks[notice]
    },
    onMissed: (task: () => void) => {
      tasks.missed = task
      return () => delete tasks.missed
    },
  }
  let rounds = 0
  const round = async () => {
    rounds++
  }
  const options = { everyMs: 60_000, round, log: silent, failure: 'test failure' }
  const loop = new Loop({ ...options, wake: { listener: listener as never, notice: 'work' } }).start({ atOnce: false })
  await sleep(10)
  expect(rounds).toBe(0)
  tasks.work?.()
  await vi.waitUntil(() => rounds === 1)
  tasks.missed?.()
  await vi.waitUntil(() => rounds === 2)
  await loop.stop()
  expect(tasks).toEqual({})
})
