import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { zoneNamed } from '#checks/cron/schedule.ts'

/** When a window takes place, as the wall clock of a zone shows it. */
export interface Schedule {
  /** Local time without an offset: `2026-11-29T02:00:00`. */
  starts_at: string
  timezone: string
  duration_minutes: number
  /** A recurrence rule of RFC 5545; null: once. */
  rrule: string | null
  /** Local time; an occurrence that starts after it does not take place. */
  until: string | null
}

export interface Occurrence {
  startsAt: Date
  endsAt: Date
}

const minuteMs = 60_000
const mostOccurrences = 500
/** Bounds of the search: a rule that never matches ends it after some milliseconds. */
const bounds = { maxIterations: 1_000, maxCandidateEvaluations: 20_000 }
const allowedParts =
  'Must have the parts FREQ, INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYMONTH, BYSETPOS and ' +
  'WKST, each once at most.'
const parts =
  /^(FREQ|INTERVAL|COUNT|UNTIL|BYDAY|BYMONTHDAY|BYYEARDAY|BYWEEKNO|BYMONTH|BYSETPOS|WKST)=([A-Z0-9,+-]{1,200})$/

/**
 * The first occurrence that starts at a moment or later, or null.
 *
 * A start that the clocks skip is an hour later when it is the first one, and left out when the rule repeats it; of a
 * start that happens twice the first counts (RFC 5545, 3.3.5 and 3.3.10). The duration is elapsed time.
 */
export function nextOccurrence(schedule: Schedule, from: Date): Occurrence | null {
  const start = firstStart(schedule)
  if (schedule.rrule === null) return start.epochMilliseconds >= from.getTime() ? occurrenceAt(schedule, start) : null
  const next = ruleOf(schedule, schedule.rrule).next(from, true)
  if (next === null || (schedule.until !== null && isAfter(next, schedule.until))) return null
  return occurrenceAt(schedule, next)
}

/** The occurrence that has not ended at a moment: it may have begun. */
export const occurrenceNotEnded = (schedule: Schedule, at: Date): Occurrence | null =>
  nextOccurrence(schedule, new Date(at.getTime() - schedule.duration_minutes * minuteMs + 1))

/** The occurrence that follows one that was planned for `startedAt` and ended at `endedAt`: they never overlap. */
export const occurrenceAfter = (schedule: Schedule, startedAt: Date, endedAt: Date): Occurrence | null =>
  schedule.rrule === null
    ? null
    : nextOccurrence(schedule, new Date(Math.max(startedAt.getTime() + 1, endedAt.getTime())))

/** Why a schedule is refused, by field; empty: it is accepted. */
export function refuseSchedule(schedule: Schedule): Record<string, string[]> {
  if (zoneNamed(schedule.timezone) === null) return { timezone: ['There is no time zone of this name.'] }
  if (schedule.rrule === null)
    return schedule.until === null ? {} : { until: ['Only a window with an `rrule` has an end of its recurrence.'] }
  if (schedule.until !== null && schedule.until < schedule.starts_at)
    return { until: ['Must not be before `starts_at`.'] }
  if (schedule.until !== null && /(^|;)(COUNT|UNTIL)=/.test(schedule.rrule))
    return { until: ['The rule has an end of its own: COUNT or UNTIL.'] }
  const why = refuseRule(schedule.rrule)
  if (why !== null) return { rrule: [why] }
  try {
    const rule = ruleOf(schedule, schedule.rrule)
    // a rule with COUNT is walked to its end, so that it can always be computed later
    const isCounted = /(^|;)COUNT=/.test(schedule.rrule)
    const starts = rule.all((_, index) => index < (isCounted ? mostOccurrences : 20))
    if (starts.length === 0) return { rrule: ['This rule has no occurrence.'] }
    if (starts.some((start, index) => index > 0 && gapMs(starts[index - 1]!, start) < lengthMs(schedule)))
      return { duration_minutes: ['Must not be longer than the time from one occurrence to the next.'] }
    return {}
  } catch {
    return { rrule: ['This is no recurrence rule that can be computed.'] }
  }
}

function refuseRule(rule: string): string | null {
  const given = rule.split(';').map(part => parts.exec(part))
  const names = given.map(match => match?.[1])
  if (names.includes(undefined) || new Set(names).size !== names.length) return allowedParts
  const value = (name: string) => given.find(match => match?.[1] === name)?.[2]
  if (!/^(DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(value('FREQ') ?? ''))
    return 'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY.'
  if (!/^[1-9]\d{0,2}$/.test(value('INTERVAL') ?? '1')) return 'INTERVAL must be a number from 1 to 999.'
  const count = value('COUNT') ?? '1'
  if (!/^[1-9]\d{0,2}$/.test(count) || Number(count) > mostOccurrences)
    return `COUNT must be a number from 1 to ${mostOccurrences}.`
  return null
}

const ruleOf = (schedule: Schedule, rruleString: string) =>
  new RRuleTemporal({
    rruleString,
    dtstart: firstStart(schedule),
    temporal: Temporal,
    strict: true,
    cache: false,
    ...bounds,
  })

const firstStart = ({ starts_at, timezone }: Schedule) =>
  Temporal.PlainDateTime.from(starts_at).toZonedDateTime(timezone)

const isAfter = (moment: Temporal.ZonedDateTime, local: string) =>
  Temporal.PlainDateTime.compare(moment.toPlainDateTime(), Temporal.PlainDateTime.from(local)) > 0

const lengthMs = ({ duration_minutes }: Schedule) => duration_minutes * minuteMs
const gapMs = (one: Temporal.ZonedDateTime, other: Temporal.ZonedDateTime) =>
  other.epochMilliseconds - one.epochMilliseconds

function occurrenceAt(schedule: Schedule, start: Temporal.ZonedDateTime): Occurrence {
  const startsAt = new Date(start.epochMilliseconds)
  return { startsAt, endsAt: new Date(startsAt.getTime() + lengthMs(schedule)) }
}
