import fc from 'fast-check'
import type { Duty, Override, Rotation, Rule, Schedule } from '#control-plane/alerting/on-call-schedules/duty.ts'
import { changeRule } from '#control-plane/alerting/on-call-schedules/versions.ts'
import { handoffs, weekdays } from '#control-plane/db/model/shapes.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** A zone and a change of its offset, around which schedules are compared minute by minute. */
export interface Change {
  timezone: string
  /** Midnight in UTC of the day of the change. */
  day: string
}

export const changes: readonly Change[] = [
  { timezone: 'Europe/Berlin', day: '2026-03-29' },
  { timezone: 'Europe/Berlin', day: '2026-10-25' },
  { timezone: 'America/New_York', day: '2026-03-08' },
  { timezone: 'America/New_York', day: '2026-11-01' },
  // half an hour
  { timezone: 'Australia/Lord_Howe', day: '2026-04-04' },
  { timezone: 'Australia/Lord_Howe', day: '2026-10-03' },
  // at midnight
  { timezone: 'America/Santiago', day: '2026-04-05' },
  { timezone: 'America/Santiago', day: '2026-09-06' },
  { timezone: 'Africa/Cairo', day: '2026-04-24' },
  { timezone: 'Africa/Cairo', day: '2026-10-29' },
]

const beforeDays = 24
const afterDays = 4

/** What a clock on the wall shows in each minute; it is never put back: it waits until the time goes on. */
export class NaiveClock {
  readonly begin: number
  readonly end: number
  readonly #readings: number[] = []

  constructor({ timezone, day }: Change) {
    this.begin = Date.parse(day) - beforeDays * dayMs
    this.end = Date.parse(day) + afterDays * dayMs
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    let latest = -Infinity
    for (let at = this.begin; at < this.end; at += minuteMs) {
      const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
      const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts
      latest = Math.max(latest, Date.UTC(year, month - 1, day, hour, minute))
      this.#readings.push(latest)
    }
  }

  read = (at: number): number => this.#readings[(at - this.begin) / minuteMs] ?? Number.NaN
  firstAt = (local: number): number => this.begin + this.#readings.findIndex(reading => reading >= local) * minuteMs
}

const minutesIn = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

type Answer = Pick<Duty, 'userId' | 'layer'>
type AtMinute<Result> = (at: number, reading: number) => Result

/** Whether restrictions allow duty while the clock shows a time. */
function allowing(restrictions: Rule['restrictions']): (reading: number) => boolean {
  const known = restrictions.map(({ days, from, to }) => ({
    // as JavaScript counts the days of a week, from Sunday on
    isNamed: Array.from({ length: 7 }, (_, day) => days.includes(weekdays[(day + 6) % 7]!)),
    begin: minutesIn(from),
    end: minutesIn(to),
  }))
  return reading => {
    const day = Math.floor(reading / dayMs)
    const today = (day + 4) % 7
    const minute = (reading - day * dayMs) / minuteMs
    return known.some(({ isNamed, begin, end }) =>
      begin < end
        ? isNamed[today] && minute >= begin && minute < end
        : (isNamed[today] && minute >= begin) || (isNamed[(today + 6) % 7] && minute < end),
    )
  }
}

function onDuty({ versions }: Rotation, clock: NaiveClock): AtMinute<string | null> {
  const { users, handoff, shiftMinutes, restrictions, startsAt, endsAt, firstHandoffAt } = versions[0]!
  const first = Date.parse(`${firstHandoffAt}Z`)
  const firstAt = clock.firstAt(first)
  const isAllowed = allowing(restrictions)
  return (at, reading) => {
    if (reading < first || at < (startsAt ?? -Infinity) || at >= (endsAt ?? Infinity)) return null
    if (users.length === 0 || (restrictions.length > 0 && !isAllowed(reading))) return null
    const turns =
      handoff === 'custom'
        ? (at - firstAt) / ((shiftMinutes ?? 0) * minuteMs)
        : (reading - first) / (handoff === 'daily' ? dayMs : 7 * dayMs)
    return users[Math.floor(turns) % users.length]!
  }
}

/** Who is on call in the minute that begins at an instant: the rules written a second time, as simply as possible. */
export function naiveModel({ rotations, overrides }: Schedule, clock: NaiveClock): (at: number) => Answer {
  const layers = rotations.map(rotation => ({
    layer: { source: 'rotation' as const, id: rotation.id },
    userAt: onDuty(rotation, clock),
  }))
  return at => {
    const reading = clock.read(at)
    let answer: Answer = { userId: null, layer: null }
    for (const { layer, userAt } of layers) {
      const userId = userAt(at, reading)
      if (userId === null) continue
      answer = { userId, layer }
      break
    }
    for (const { id, userId, replacesUserId, startsAt, endsAt } of overrides)
      if (startsAt <= at && at < endsAt && (replacesUserId === null || replacesUserId === answer.userId))
        answer = { userId, layer: { source: 'override', id } }
    return answer
  }
}

const people = ['ann', 'ben', 'cid', 'dan', 'eve']

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 10, 15, 30, 45))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
/** Often a time of the night, in which clocks change. */
const nightTime = fc.oneof(
  time,
  fc.constantFrom('00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00', '03:30'),
)

const rotationOf = (id: string, rule: Rule): Rotation => {
  const versions = changeRule([], rule, 0, () => true)
  return { id, name: id, users: rule.users, versions }
}

/** A schedule with hand-offs, restrictions and overrides around a change of the offset. */
export function aSchedule({ timezone, day }: Change): fc.Arbitrary<Schedule> {
  const change = Date.parse(day)
  const instant = fc.integer({ min: -3 * 1_440, max: 3 * 1_440 }).map(minutes => change + minutes * minuteMs)
  const rule: fc.Arbitrary<Rule> = fc.record({
    timezone: fc.constant(timezone),
    users: fc.shuffledSubarray(people, { minLength: 0 }),
    handoff: fc.constantFrom(...handoffs),
    shiftMinutes: fc.integer({ min: 60, max: 3_000 }),
    firstHandoffAt: fc
      .tuple(fc.integer({ min: -20, max: 2 }), nightTime)
      .map(([days, at]) => `${new Date(change + days * dayMs).toISOString().slice(0, 10)}T${at}`),
    restrictions: fc.array(
      fc.record({ days: fc.subarray([...weekdays], { minLength: 1 }), from: nightTime, to: nightTime }),
      { maxLength: 3 },
    ),
    startsAt: fc.option(instant, { freq: 3 }),
    endsAt: fc.option(instant, { freq: 3 }),
  })
  const override: fc.Arbitrary<Omit<Override, 'id'>> = fc
    .tuple(
      instant,
      fc.integer({ min: 1, max: 4_000 }),
      fc.constantFrom(...people),
      fc.option(fc.constantFrom(...people)),
    )
    .map(([startsAt, minutes, userId, replacesUserId]) => ({
      userId,
      replacesUserId,
      policyId: null,
      startsAt,
      endsAt: startsAt + minutes * minuteMs,
    }))
  return fc.record({
    rotations: fc
      .array(rule, { minLength: 1, maxLength: 3 })
      .map(list => list.map((given, index) => rotationOf(`rotation ${index}`, given))),
    overrides: fc
      .array(override, { maxLength: 3 })
      .map(list => list.map((given, index) => ({ ...given, id: `override ${index}` }))),
  })
}
