import type { Phases, RunFailure } from '#contract/check.ts'
import { failureOf } from '#egress/failures.ts'

export const plus = (sum: number | null, more: number | null) => (more === null ? sum : (sum ?? 0) + more)

/** The failure that an error means, with the durations measured before it. `start` is of the monotonic clock. */
export function withPhases(error: unknown, phases: Phases, start: number): RunFailure {
  const failure = failureOf(error)
  const { dns, connect } = failure.phases
  failure.phases = {
    ...phases,
    dns: plus(phases.dns, dns),
    connect: plus(phases.connect, connect),
    total: performance.now() - start,
  }
  return failure
}
