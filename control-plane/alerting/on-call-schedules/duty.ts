import { type handoffs, type Restriction, weekdays } from '#control-plane/db/model/shapes.ts'
import { addDays, addMinutes, instantIn, LocalClock, localMs, midnightOf, minutesOf, weekdayOf } from './local-clock.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

/** What decides who has duty in a rotation. */
export interface Rule {
  /** Local times are those of this zone. */
  timezone: string
  /** People in the order of their turns. */
  users: readonly string[]
  handoff: (typeof handoffs)[number]
  /** The length of a turn by elapsed time; null where the clock on the wall decides. */
  shiftMinutes: number | null
  /** Local time in the zone: no person has duty before it, and all hand-offs are counted from it. */
  firstHandoffAt: string
  /** None: day and night. */
  restrictions: readonly Restriction[]
  startsAt: number | null
  endsAt: number | null
}

/** A rule from one moment until the next version begins. */
export interface Version extends Rule {
  /** In milliseconds since 1970; -Infinity: from the beginning. */
  from: number
  /** The number of a turn, counted from the first hand-off, and the place in `users` of the person who has it. */
  turn: number
  first: number
}

export interface Rotation {
  id: string
  name: string
  /** People who are named in it now. */
  users: readonly string[]
  /** By their beginning. What has begun stays, whatever is changed later. */
  versions: readonly Version[]
}

export interface Override {
  id: string
  userId: string
  /** Only while this person would be on duty; null: every person, and gaps. */
  replacesUserId: string | null
  /** Counts only where this escalation policy calls; null: always. */
  policyId: string | null
  startsAt: number
  endsAt: number
}

export interface Schedule {
  /** By order: the first that has a person on duty decides. */
  rotations: readonly Rotation[]
  /** By age: of several at one time the newest decides. */
  overrides: readonly Override[]
}

/** Which layer of a schedule put a person on duty. */
export interface Layer {
  source: 'rotation' | 'override'
  id: string
}

/** An interval in which one person is on call by one layer, or a gap. */
export interface Duty {
  from: number
  to: number
  userId: string | null
  layer: Layer | null
}

interface Shift {
  from: number
  to: number
  userId: string
}

interface Interval {
  from: number
  to: number
}

/**
 * Who is on call from `from` to `to`, by which layer: intervals without a gap between them, each as long as it can be.
 * Everything that says who is on call reads it here.
 */
export function dutiesOf(schedule: Schedule, from: number, to: number): Duty[] {
  if (from >= to) return []
  const clocks = new Map<string, LocalClock>()
  const clockOf = (timezone: string): LocalClock => {
    const clock = clocks.get(timezone) ?? new LocalClock(timezone, from, to)
    clocks.set(timezone, clock)
    return clock
  }
  const rotations = schedule.rotations.map(rotation => ({
    layer: { source: 'rotation' as const, id: rotation.id },
    shifts: shiftsOf(rotation, clockOf, { from, to }),
    next: 0,
  }))
  const overrides = schedule.overrides.filter(({ startsAt, endsAt }) => startsAt < to && endsAt > from)
  const edges = new Set([from, to])
  for (const { shifts } of rotations)
    for (const shift of shifts) {
      edges.add(shift.from)
      edges.add(shift.to)
    }
  for (const { startsAt, endsAt } of overrides) {
    edges.add(Math.max(from, startsAt))
    edges.add(Math.min(to, endsAt))
  }
  const sorted = [...edges].toSorted((a, b) => a - b)
  const duties: Duty[] = []
  for (const [index, at] of sorted.slice(0, -1).entries()) {
    let userId: string | null = null
    let layer: Layer | null = null
    for (const rotation of rotations) {
      while ((rotation.shifts[rotation.next]?.to ?? Infinity) <= at) rotation.next++
      const shift = rotation.shifts[rotation.next]
      if (layer !== null || shift === undefined || shift.from > at) continue
      userId = shift.userId
      layer = rotation.layer
    }
    for (const override of overrides) {
      if (override.startsAt > at || override.endsAt <= at) continue
      if (override.replacesUserId !== null && override.replacesUserId !== userId) continue
      userId = override.userId
      layer = { source: 'override', id: override.id }
    }
    append(duties, { from: at, to: sorted[index + 1]!, userId, layer })
  }
  return duties
}

function append(duties: Duty[], duty: Duty): void {
  const last = duties.at(-1)
  if (last && last.userId === duty.userId && last.layer?.id === duty.layer?.id) last.to = duty.to
  else duties.push(duty)
}

/** How far ahead the end of a duty and the next person are searched. */
export const horizonDays = 90

export interface OnCall {
  duty: Duty
  /** null: nothing changes within the horizon. */
  until: number | null
  /** The next duty of another person; null: there is none within the horizon. */
  next: Duty | null
}

/** Who is on call at an instant, by which layer, until when, and who is next. */
export function onCallAt(schedule: Schedule, at: number): OnCall {
  for (const days of [2, 14, horizonDays]) {
    const end = at + days * dayMs
    const duties = dutiesOf(schedule, at, end)
    const duty = duties[0]!
    const next = duties.find(({ userId }) => userId !== null && userId !== duty.userId) ?? null
    if (next === null && days < horizonDays) continue
    return { duty, until: duty.to < end ? duty.to : null, next }
  }
  throw new Error('The last horizon always answers.')
}

/** When each person of a rotation has duty within an interval, in order. */
function shiftsOf({ versions }: Rotation, clockOf: (timezone: string) => LocalClock, { from, to }: Interval): Shift[] {
  return versions.flatMap((version, index) => {
    const begin = Math.max(from, version.from)
    const end = Math.min(to, versions[index + 1]?.from ?? Infinity)
    return begin < end ? shiftsBy(version, clockOf(version.timezone), { from: begin, to: end }) : []
  })
}

function shiftsBy(version: Version, clock: LocalClock, { from, to }: Interval): Shift[] {
  const turns = new Turns(version, clock)
  const begin = Math.max(from, turns.firstAt, version.startsAt ?? -Infinity)
  const end = Math.min(to, version.endsAt ?? Infinity)
  if (begin >= end || version.users.length === 0) return []
  const shifts = turnsOf(version, turns, { from: begin, to: end })
  if (version.restrictions.length === 0) return shifts
  return cut(shifts, windowsOf(version.restrictions, clock, { from: begin, to: end }))
}

/** The parts of turns that lie in windows; both are in order. */
function cut(turns: readonly Shift[], windows: readonly Interval[]): Shift[] {
  const parts: Shift[] = []
  let first = 0
  for (const { from, to, userId } of turns) {
    while ((windows[first]?.to ?? Infinity) <= from) first++
    for (let index = first; (windows[index]?.from ?? Infinity) < to; index++) {
      const window = windows[index]!
      parts.push({ from: Math.max(window.from, from), to: Math.min(window.to, to), userId })
    }
  }
  return parts
}

/** The turns of a rule: numbers, counted from its first hand-off, and when each begins. */
export class Turns {
  readonly firstAt: number
  /** In milliseconds; by the clock on the wall, a turn may be some hours shorter or longer. */
  readonly length: number
  readonly #first: number
  readonly #isElapsed: boolean
  readonly #clock: LocalClock

  constructor({ timezone, handoff, shiftMinutes, firstHandoffAt }: Rule, clock: LocalClock) {
    this.#first = localMs(firstHandoffAt)
    this.firstAt = instantIn(timezone, this.#first)
    this.#isElapsed = handoff === 'custom'
    this.length = this.#isElapsed ? (shiftMinutes ?? 60) * minuteMs : (handoff === 'weekly' ? 7 : 1) * dayMs
    this.#clock = clock
  }

  beginOf(turn: number): number {
    if (this.#isElapsed) return this.firstAt + turn * this.length
    return this.#clock.instantOf(this.#first + turn * this.length)
  }

  /** The turn at an instant that is not before the first hand-off. */
  at(instant: number): number {
    let turn = Math.floor((instant - this.firstAt) / this.length)
    while (turn > 0 && this.beginOf(turn) > instant) turn--
    while (this.beginOf(turn + 1) <= instant) turn++
    return turn
  }
}

/** Who has a turn of a version with people. A turn that a version begins within belongs to its first person. */
export const personOf = ({ users, turn: begun, first }: Version, turn: number): string =>
  users[(first + Math.max(0, turn - begun)) % users.length]!

function turnsOf(version: Version, turns: Turns, { from, to }: Interval): Shift[] {
  const shifts: Shift[] = []
  let begin = from
  for (let turn = turns.at(from); begin < to; turn++) {
    const end = Math.min(turns.beginOf(turn + 1), to)
    const userId = personOf(version, turn)
    const last = shifts.at(-1)
    if (last?.userId === userId) last.to = end
    else shifts.push({ from: begin, to: end, userId })
    begin = end
  }
  return shifts
}

/** The intervals in which restrictions allow duty, in order, none touching another. */
function windowsOf(restrictions: readonly Restriction[], clock: LocalClock, { from, to }: Interval): Interval[] {
  const windows: Interval[] = []
  const last = midnightOf(clock.read(to))
  for (let day = addDays(midnightOf(clock.read(from)), -2); day <= last; day = addDays(day, 1)) {
    const name = weekdays[weekdayOf(day)]!
    for (const restriction of restrictions) {
      if (!restriction.days.includes(name)) continue
      const [begins, ends] = [minutesOf(restriction.from), minutesOf(restriction.to)]
      const begin = clock.instantOf(addMinutes(day, begins))
      const end = clock.instantOf(addMinutes(addDays(day, ends <= begins ? 1 : 0), ends))
      if (begin < end && begin < to && end > from) windows.push({ from: Math.max(begin, from), to: Math.min(end, to) })
    }
  }
  const joined: Interval[] = []
  for (const window of windows.toSorted((a, b) => a.from - b.from)) {
    const before = joined.at(-1)
    if (before && window.from <= before.to) before.to = Math.max(before.to, window.to)
    else joined.push({ ...window })
  }
  return joined
}
