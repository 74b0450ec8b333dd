import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Guard } from '#egress/guard.ts'
import { SelfTest } from '#probe-agent/health.ts'

let selfTest: SelfTest
let tick: NodeJS.Timeout
/** The thread stands still, as a process that is stopped does. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

beforeEach(() => {
  selfTest = new SelfTest({ guard: new Guard(), anchors: [], resolverControlName: undefined })
  selfTest.start()
  tick = setInterval(() => undefined, 10) // an agent's own, which may be due before anything that measures
})
afterEach(() => {
  clearInterval(tick)
  selfTest.stop()
})

test('the self-check detects and remembers every block of the event loop', async () => {
  for (let round = 0; round < 10; round++) {
    await sleep(260 + round)
    const from = performance.now()
    standStill(500)
    await sleep(1)
    const atOnce = selfTest.lagSince(from)
    await sleep(260)
    for (const ms of [atOnce, selfTest.lagSince(from)]) {
      // a sample later or earlier: a quarter of a second is what it may be off
      expect(ms).toBeGreaterThan(240)
      expect(ms).toBeLessThan(performance.now() - from)
    }
  }
})

test('the self-check ignores time that passes without a block', async () => {
  const from = performance.now()
  let longest = 0
  for (let n = 0, last = from; n < 60; n++) {
    await sleep(10)
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  expect(selfTest.lagSince(from)).toBeLessThan(longest + 50)
})
