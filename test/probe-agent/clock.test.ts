import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ServerClock } from '#probe-agent/clock.ts'

function rig(serverStart = 1_700_000_000_000, wallError = 0) {
  const state = { mono: 1_000, wallError, serverOffset: serverStart - 1_000 }
  const server = () => state.mono + state.serverOffset
  const clock = new ServerClock(
    () => state.mono,
    () => server() + state.wallError,
  )
  /** One question to the server; its answer is made somewhere between request and response. */
  const ask = (there: number, back: number) => {
    const askedAt = state.mono
    state.mono += there
    const word = server()
    state.mono += back
    clock.sync(word, state.mono, askedAt)
  }
  return { state, server, clock, ask }
}

describe("the server's clock", () => {
  test('is accurate to half the round trip, whatever the wall clock', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -86_400_000, max: 86_400_000 }),
        fc.array(
          fc.tuple(
            fc.integer({ min: 0, max: 500 }),
            fc.integer({ min: 0, max: 500 }),
            fc.integer({ min: 0, max: 10_000 }),
          ),
          { minLength: 1 },
        ),
        (wallError, words) => {
          const { clock, ask, server, state } = rig(undefined, wallError)
          let best = Infinity
          for (const [there, back, pause] of words) {
            ask(there, back)
            best = Math.min(best, (there + back) / 2)
            expect(Math.abs(clock.now() - server())).toBeLessThanOrEqual((there + back) / 2 + 0.01)
            expect(Math.abs(clock.skewMs - wallError)).toBeLessThanOrEqual((there + back) / 2 + 0.01)
            state.mono += pause
          }
          expect(best).toBeLessThan(Infinity)
        },
      ),
    )
  })

  test('ignores steps of the wall clock', () => {
    const { clock, ask, server, state } = rig()
    ask(5, 5)
    for (const step of [-120_000, 3_600_000, 2_678_400_000, -86_400_000]) {
      state.wallError = step
      state.mono += 1_000
      expect(Math.abs(clock.now() - server())).toBeLessThanOrEqual(5)
      expect(Math.abs(clock.skewMs - step)).toBeLessThanOrEqual(5)
    }
  })

  test("follows steps of the server's clock, and reports them", () => {
    const { clock, ask, server, state } = rig()
    ask(5, 5)
    state.serverOffset += 60_000
    ask(20, 20)
    expect(Math.abs(clock.now() - server())).toBeLessThanOrEqual(40)
    expect(clock.driftMs).toBeGreaterThan(59_000)
    ask(3, 3)
    expect(Math.abs(clock.now() - server())).toBeLessThanOrEqual(3)
  })

  test('only moves forward by an unsolicited timestamp', () => {
    const { clock, ask, server, state } = rig()
    ask(5, 5)
    const before = clock.now()
    clock.sync(server() - 30_000, state.mono)
    expect(clock.now()).toBe(before)
    clock.sync(server() + 30_000, state.mono)
    expect(clock.now()).toBeGreaterThan(before + 29_000)
  })
})
