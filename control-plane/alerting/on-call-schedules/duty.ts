import { addDays, addMinutes, instantIn, LocalClock, localMs, midnightOf, minutesOf, weekdayOf } from './local-clock.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export const handoffs = ['daily', 'weekly', 'custom'] as const

/**
 * When a rotation has duty: from `from` until `to` on each of `days`. One that ends no later than it begins ends the
 * next day.
 */
export interface Restriction {
  days: readonly (typeof weekdays)[number][]
  from: string
  to: string
}

export interface Rotation {
  id: string
  name: string
  /** People in the order of their turns. */
  users: readonly string[]
  handoff: (typeof handoffs)[number]
  /** The length of a turn by elapsed time; null where the clock on the wall decides. */
  shiftMinutes: number | null
  /** Local time in the zone of the schedule: the first person comes on duty, and all hand-offs are counted from it. */
  firstHandoffAt: string
  /** None: day and night. */
  restrictions: readonly Restriction[]
  startsAt: number | null
  endsAt: number | null
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
  timezone: string
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
  const clock = new LocalClock(schedule.timezone, from, to)
  const rotations = schedule.rotations.map(({ id }, index) => ({
    layer: { source: 'rotation' as const, id },
    shifts: shiftsOf(schedule.rotations[index]!, schedule.timezone, clock, { from, to }),
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
function shiftsOf(rotation: Rotation, timezone: string, clock: LocalClock, { from, to }: Interval): Shift[] {
  const first = localMs(rotation.firstHandoffAt)
  const firstAt = instantIn(timezone, first)
  const begin = Math.max(from, firstAt, rotation.startsAt ?? -Infinity)
  const end = Math.min(to, rotation.endsAt ?? Infinity)
  if (begin >= end || rotation.users.length === 0) return []
  const turns = turnsOf(rotation, { first, firstAt }, clock, { from: begin, to: end })
  if (rotation.restrictions.length === 0) return turns
  const windows = windowsOf(rotation.restrictions, clock, { from: begin, to: end })
  return cut(turns, windows)
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

function turnsOf(
  { users, handoff, shiftMinutes }: Rotation,
  { first, firstAt }: { first: number; firstAt: number },
  clock: LocalClock,
  { from, to }: Interval,
): Shift[] {
  const length = handoff === 'custom' ? (shiftMinutes ?? 60) * minuteMs : (handoff === 'weekly' ? 7 : 1) * dayMs
  const handoffAt = (turn: number) =>
    handoff === 'custom' ? firstAt + turn * length : clock.instantOf(first + turn * length)
  let turn = Math.floor((from - firstAt) / length)
  // by the clock on the wall, a turn may be some hours shorter or longer than its days
  while (turn > 0 && handoffAt(turn) > from) turn--
  while (handoffAt(turn + 1) <= from) turn++
  const turns: Shift[] = []
  for (let begin = from; begin < to; turn++) {
    const end = Math.min(handoffAt(turn + 1), to)
    const userId = users[turn % users.length]!
    const last = turns.at(-1)
    if (last?.userId === userId) last.to = end
    else turns.push({ from: begin, to: end, userId })
    begin = end
  }
  return turns
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
