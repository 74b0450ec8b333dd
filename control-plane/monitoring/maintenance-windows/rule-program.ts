import { type Next, nextAfter, type Over, refuseSchedule, type Schedule } from './occurrences.ts'

interface Asked {
  schedule: Schedule
  /** What is over of the window; null: nothing. */
  over: Over | null
  now: Date
  /** At most so many occurrences, the next one first. */
  count: number
  /** Whether the schedule is not stored yet: it is validated, and what is over took place by another one. */
  isNew: boolean
}

interface Found {
  /** Why the schedule is refused, by field. */
  errors: Record<string, string[]>
  occurrences: NonNullable<Next['occurrence']>[]
  leftOut: Next['leftOut']
}

/** Computes a recurrence rule. A program: customers write rules, and some take seconds. */
export function run({ schedule, over, now, count, isNew }: Asked): Found {
  const errors = isNew ? refuseSchedule(schedule) : {}
  if (Object.keys(errors).length > 0) return { errors, occurrences: [], leftOut: [] }
  const { occurrence, leftOut } = nextAfter(schedule, over, now, isNew)
  const occurrences: Found['occurrences'] = []
  for (
    let next = occurrence;
    next !== null && occurrences.push(next) < count;
    next = nextAfter(schedule, { plannedAt: next.startsAt, endedAt: next.endsAt }, now, false).occurrence
  );
  return { errors, occurrences, leftOut }
}
