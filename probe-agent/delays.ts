import { delayBuckets, type Health } from '#contract/agent.ts'

/** Histogram of the delays of scheduled runs since the agent started. */
export class Delays {
  readonly #counts: number[] = Array(delayBuckets.length + 1).fill(0)
  #sumMs = 0

  record(ms: number): void {
    let bucket = 0
    while (bucket < delayBuckets.length && ms > delayBuckets[bucket]! * 1_000) bucket++
    this.#counts[bucket]!++
    this.#sumMs += ms
  }

  get figures(): Health['schedule_delay'] {
    return { counts: [...this.#counts], sum_s: Math.round(this.#sumMs) / 1_000 }
  }
}
