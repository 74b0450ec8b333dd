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
/** Bounds of what is said to be left out: a calendar shows more of them than take place, the service does not. */
const mostLeftOut = 60
const leftOutMs = 150
/** Bounds of the search: a rule that never matches ends it after some milliseconds. */
const bounds = { maxIterations: 1_000, maxCandidateEvaluations: 20_000 }
const allowedParts =
  'Must have the parts FREQ, INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYMONTH, BYSETPOS and ' +
  'WKST, each once at most.'
const untilInUtc = 'UNTIL must be in UTC, such as 20261203T020000Z; a local end is set by the field `until`.'
const parts =
  /^(FREQ|INTERVAL|COUNT|UNTIL|BYDAY|BYMONTHDAY|BYYEARDAY|BYWEEKNO|BYMONTH|BYSETPOS|WKST)=([A-Z0-9,+-]{1,200})$/

/** What is over of a window: the start for which its last occurrence was planned, and when that one ended. */
export interface Over {
  /** Null: no start is used up. */
  plannedAt: Date | null
  endedAt: Date
}

export interface Next {
  occurrence: Occurrence | null
  /** Starts of the rule that do not take place, as what is over covers or has used them. */
  leftOut: Date[]
}

/**
 * The first occurrence that starts at a moment or later, or null.
 *
 * A start that the clocks skip is an hour later when it is the first one, and left out when the rule repeats it; of a
 * start that happens twice the first counts (RFC 5545, 3.3.5 and 3.3.10). The duration is elapsed time.
 */
export function nextOccurrence(schedule: Schedule, from: Date): Occurrence | null {
  const start = firstStart(schedule)
  if (schedule.rrule === null) return start.epochMilliseconds >= from.getTime() ? occurrenceAt(schedule, start) : null
  const next = seriesOf(schedule, schedule.rrule).next(from)
  if (next === null || (schedule.until !== null && isAfter(next, schedule.until))) return null
  return occurrenceAt(schedule, next)
}

/**
 * The next occurrence of a window: not ended yet, and none that is over. The day of the start that was planned last is
 * used up, whether the occurrence began early, was stopped by hand or has another time of day since.
 * `hasChanged`: the schedule was another one then, so that what is left out may begin anywhere on that day.
 */
export function nextAfter(schedule: Schedule, over: Over | null, now: Date, hasChanged: boolean): Next {
  const notEnded = now.getTime() - lengthMs(schedule) + 1
  if (over === null) return { occurrence: nextOccurrence(schedule, new Date(notEnded)), leftOut: [] }
  const { plannedAt, endedAt } = over
  const usedUntil = plannedAt === null ? notEnded : dayOf(schedule, plannedAt, 1)
  const from = new Date(Math.max(notEnded, endedAt.getTime(), usedUntil))
  const leftOut: Date[] = []
  const leftOutFrom =
    plannedAt === null ? notEnded : hasChanged ? dayOf(schedule, plannedAt, 0) : plannedAt.getTime() + 1
  let occurrence = nextOccurrence(schedule, new Date(leftOutFrom))
  for (const until = performance.now() + leftOutMs; occurrence !== null && occurrence.startsAt < from; ) {
    leftOut.push(occurrence.startsAt)
    const isEnough = leftOut.length === mostLeftOut || performance.now() > until
    occurrence = nextOccurrence(schedule, isEnough ? from : new Date(occurrence.startsAt.getTime() + 1))
  }
  return { occurrence, leftOut }
}

/**
 * The start that is used up, when the schedule of a window changes: the same day and time by the clocks of another
 * zone. Null: a new first start that lies ahead counts, unless an early start has used up its day.
 */
export function usedAfterChange(before: Schedule, after: Schedule, { plannedAt, endedAt }: Over): Date | null {
  if (plannedAt === null) return null
  const isAhead = after.starts_at !== before.starts_at && firstStart(after).epochMilliseconds > endedAt.getTime()
  if (isAhead && plannedAt <= endedAt) return null
  if (zoneNamed(before.timezone) === null) return plannedAt
  const local = zonedIn(before.timezone, plannedAt).toPlainDateTime()
  return new Date(local.toZonedDateTime(after.timezone).epochMilliseconds)
}

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
    // a rule with COUNT is walked to its end, so that it can always be computed later
    const isCounted = /(^|;)COUNT=/.test(schedule.rrule)
    const starts = seriesOf(schedule, schedule.rrule).first(isCounted ? mostOccurrences : 20)
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
  if (!/^\d{8}T\d{6}Z$/.test(value('UNTIL') ?? '20261203T020000Z')) return untilInUtc
  const count = value('COUNT') ?? '1'
  if (!/^[1-9]\d{0,2}$/.test(count) || Number(count) > mostOccurrences)
    return `COUNT must be a number from 1 to ${mostOccurrences}.`
  return null
}

/**
 * The starts of a rule. It is computed on the clock's face, without a zone, so that a first start that the clocks skip
 * moves alone; each start becomes a moment afterwards.
 */
function seriesOf(schedule: Schedule, rrule: string) {
  const { timezone } = schedule
  const first = Temporal.PlainDateTime.from(schedule.starts_at)
  const rule = new RRuleTemporal({
    rruleString: rrule.replace(/UNTIL=(\d{8}T\d{6}Z)/, (_, until: string) => `UNTIL=${faceOfUntil(until, timezone)}`),
    dtstart: first.toZonedDateTime('UTC'),
    temporal: Temporal,
    strict: true,
    cache: false,
    ...bounds,
  })
  const moved = firstStart(schedule)
  const skippedBy = first.until(moved.toPlainDateTime())
  /** Null: the clocks skip it. */
  const momentOf = (face: Temporal.ZonedDateTime) => {
    const local = face.toPlainDateTime()
    const moment = local.toZonedDateTime(timezone)
    return local.equals(first) || moment.toPlainDateTime().equals(local) ? moment : null
  }
  return {
    next(from: Date): Temporal.ZonedDateTime | null {
      const faceOfFrom = zonedIn(timezone, from).toPlainDateTime().subtract(skippedBy).toZonedDateTime('UTC')
      for (let face = rule.next(faceOfFrom, true); face !== null; face = rule.next(face, false)) {
        const moment = momentOf(face)
        if (moment !== null && moment.epochMilliseconds >= from.getTime()) return moment
      }
      return null
    },
    first: (count: number): Temporal.ZonedDateTime[] =>
      rule
        .all((_, index) => index < count)
        .map(momentOf)
        .filter(moment => moment !== null),
  }
}

/** UNTIL of a rule, a moment, as the clocks of a zone show it. */
const faceOfUntil = (until: string, timezone: string) =>
  `${Temporal.Instant.from(until).toZonedDateTimeISO(timezone).toPlainDateTime().toString().replace(/[-:]/g, '')}Z`

const firstStart = ({ starts_at, timezone }: Schedule) =>
  Temporal.PlainDateTime.from(starts_at).toZonedDateTime(timezone)

const zonedIn = (timezone: string, moment: Date) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timezone)

/** The first moment of the day on which the clocks show a moment, or so many days later. */
const dayOf = ({ timezone }: Schedule, moment: Date, days: number) =>
  zonedIn(timezone, moment).toPlainDate().add({ days }).toZonedDateTime(timezone).epochMilliseconds

const isAfter = (moment: Temporal.ZonedDateTime, local: string) =>
  Temporal.PlainDateTime.compare(moment.toPlainDateTime(), Temporal.PlainDateTime.from(local)) > 0

const lengthMs = ({ duration_minutes }: Schedule) => duration_minutes * minuteMs
const gapMs = (one: Temporal.ZonedDateTime, other: Temporal.ZonedDateTime) =>
  other.epochMilliseconds - one.epochMilliseconds

function occurrenceAt(schedule: Schedule, start: Temporal.ZonedDateTime): Occurrence {
  const startsAt = new Date(start.epochMilliseconds)
  return { startsAt, endsAt: new Date(startsAt.getTime() + lengthMs(schedule)) }
}
