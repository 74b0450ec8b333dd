import { type Occurrence, occurrenceAfter, occurrenceNotEnded, refuseSchedule, type Schedule } from './occurrences.ts'

type Asked =
  /** Whether a schedule is accepted, and its occurrences that have not ended at a moment, at most so many. */
  | { what: 'vet'; schedule: Schedule; at: Date; count: number }
  /** The occurrence after one that was planned for `startedAt` and ended at `endedAt`. */
  | { what: 'after'; schedule: Schedule; startedAt: Date; endedAt: Date }

interface Found {
  /** Why the schedule is refused, by field. */
  errors: Record<string, string[]>
  occurrences: Occurrence[]
}

/** Computes a recurrence rule. A program: customers write rules, and some take seconds. */
export function run(asked: Asked): Found {
  const { schedule } = asked
  if (asked.what === 'after') {
    const next = occurrenceAfter(schedule, asked.startedAt, asked.endedAt)
    return { errors: {}, occurrences: next === null ? [] : [next] }
  }
  const errors = refuseSchedule(schedule)
  if (Object.keys(errors).length > 0) return { errors, occurrences: [] }
  const occurrences: Occurrence[] = []
  for (
    let next = occurrenceNotEnded(schedule, asked.at);
    next !== null && occurrences.length < asked.count;
    next = occurrenceAfter(schedule, next.startsAt, next.endsAt)
  )
    occurrences.push(next)
  return { errors, occurrences }
}
