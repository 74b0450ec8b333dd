import { setImmediate as nextTurn } from 'node:timers/promises'

/** Short: other requests go through the event loop several times and may wait for a slice each time. */
const sliceMs = 4

let lastPause: Promise<unknown> = Promise.resolve()

/**
 * Does long work in slices, so that the event loop handles other work in between. The work is a generator that yields
 * wherever it may pause. Several works at once alternate: the event loop waits for one slice at a time.
 */
export async function inSlices<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const endsAt = performance.now() + sliceMs
    do {
      const step = work.next()
      if (step.done) return step.value
    } while (performance.now() < endsAt)
    lastPause = lastPause.then(() => nextTurn())
    await lastPause
  }
}
