import { expect } from 'vitest'

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** `npm run faults` asks more often and allows less. */
export const timingRounds = (otherwise: number) => Number(process.env.TIMING_ROUNDS ?? otherwise)
const isGoal = process.env.TIMING_GOAL !== undefined
/** What two medians may differ by: a tenth; as a goal a twentieth, and of tokens a hundredth. */
export const allowed = (goal: number) => (isGoal ? goal : 0.1)

/**
 * The clock of what an attempt takes, in milliseconds: the processor time of this process, in which the API runs and
 * hashes too, so that what others do to the machine does not count. As a goal, on a machine with nothing else to do,
 * the time that passes.
 */
export function clockMs(): number {
  if (isGoal) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

export interface Timed {
  ms: number
  status: number
  /** Of the answer, without what differs by design. */
  bytes: string
}

/** An answer's text without the id that every request has of its own. */
export const withoutId = (text: string) => text.replace(/"request_id":"[^"]+"/, '')

type Ask = (round: number) => Promise<Timed>

/**
 * The least difference of medians found in a few tries: noise differs from try to try, a leak does not. Asked in turns,
 * so that whatever else the machine does touches both alike; `round` never comes twice. All answers must be the same.
 */
export async function leastDifference(
  name: string,
  rounds: number,
  [one, other]: readonly [Ask, Ask],
  goal = 0.05,
): Promise<number> {
  const answers = new Set<string>()
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 8 && least > (isGoal ? goal / 2 : 0.05); attempt++) {
    const times: [number[], number[]] = [[], []]
    for (let round = attempt * rounds; round < (attempt + 1) * rounds; round++)
      for (const side of round % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
        const { ms, status, bytes } = await (side === 0 ? one : other)(round)
        times[side].push(ms)
        answers.add(`${status} ${bytes}`)
      }
    const [a, b] = [median(times[0]), median(times[1])]
    least = Math.min(least, Math.abs(a - b) / Math.max(a, b))
    console.log(`${name}: medians of ${rounds}: ${a.toFixed(2)} ms and ${b.toFixed(2)} ms`)
  }
  expect([...answers]).toHaveLength(1)
  console.log(`timing of ${name}: ${(least * 100).toFixed(2)} % apart, the same bytes`)
  return least
}
