import { LRUCache } from 'lru-cache'
import { BadExpression, type CronExpression, type Day, readExpression } from './expression.ts'

export type Schedule = { kind: 'simple'; periodMs: number } | { kind: 'cron'; expression: string; timezone: string }

export const maxExpressionChars = 128
/** In fifty years each 29 February has been each day of the week. */
const horizonDays = 50 * 366

/** Why an expression is invalid, or null. */
export function refuseExpression(expression: string, timezone: string, now: Date): string | null {
  if (expression.trim().length > maxExpressionChars) return `At most ${maxExpressionChars} characters.`
  try {
    const next = cronAfter({ expression, timezone }, now.getTime())
    return next === null ? 'This expression never comes due.' : null
  } catch (error) {
    if (error instanceof BadExpression) return error.message
    throw error
  }
}

/** The name of a zone in the time zone database, or null if it is unknown. */
export function zoneNamed(name: string): string | null {
  // Intl accepts offsets such as +01:00, which have no daylight saving time
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone === '' ? null : name
  } catch {
    return null
  }
}

/**
 * The next due time after a given time, in milliseconds; null when there is none. Changes of the clock by less than
 * three hours are heeded as by cron: when it goes forward, the times that it skips are due right after the change; when
 * it goes back, the times that it repeats are due once. An expression whose minute or hour begins with a star is due by
 * the clock: not in an hour that is skipped, twice in one that is repeated.
 */
export function nextAfter(schedule: Schedule, atMs: number): number | null {
  return schedule.kind === 'simple' ? atMs + schedule.periodMs : recall(schedule, atMs).next
}

/** The sender's clock may be slightly ahead: a ping just before a due time counts for it. */
const earlyMs = 60_000

/** When the next ping is due after a ping at the given time. */
export function dueAfterPing(schedule: Schedule, atMs: number): number | null {
  if (schedule.kind === 'simple') return atMs + schedule.periodMs
  const known = recall(schedule, atMs)
  if (known.next === null || known.next - atMs > earlyMs) return known.next
  known.second ??= cronAfter(schedule, known.next) ?? undefined
  return known.second !== undefined && known.next - atMs <= (known.second - known.next) / 4 ? known.second : known.next
}

function recall(schedule: Extract<Schedule, { kind: 'cron' }>, atMs: number): Known {
  const key = `${schedule.timezone} ${schedule.expression}`
  const known = memo.get(key)
  // no due time lies between a time and its next due time
  if (known && known.from <= atMs && (known.next === null || atMs < known.next)) return known
  const found: Known = { from: atMs, next: cronAfter(schedule, atMs) }
  if (memo.size >= memoAtMost) memo.clear()
  memo.set(key, found)
  return found
}

/** The next due times, at most `count`. */
export function upcoming(schedule: Schedule, afterMs: number, count: number): number[] {
  const found: number[] = []
  for (let at: number | null = afterMs; found.length < count; ) {
    at = schedule.kind === 'simple' ? at + schedule.periodMs : cronAfter(schedule, at)
    if (at === null) break
    found.push(at)
  }
  return found
}

interface Known {
  from: number
  next: number | null
  second?: number | undefined
}

const memo = new Map<string, Known>()
const memoAtMost = 20_000

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** No clock is further from UTC than fourteen hours. */
const furthestMs = 14 * hourMs
const heededMs = 3 * hourMs

/** The first due time after a time. Days are counted as in UTC, and shifted by the offset of the zone. */
function cronAfter({ expression, timezone }: { expression: string; timezone: string }, atMs: number): number | null {
  const cron = readExpression(expression)
  const first = Math.floor((atMs - furthestMs) / dayMs)
  let best: number | null = null
  for (let day = first; day <= first + horizonDays; day++) {
    const midnight = day * dayMs
    // a clock that goes back over midnight shows times of the day before after those of this day
    if (best !== null && midnight - furthestMs > best) break
    const date = dayOf(midnight)
    if (!cron.months.has(date.month)) day += date.lastDay - date.day
    else if (cron.isDue(date)) best = earliest(best, firstOn(midnight, cron, timezone, atMs))
  }
  return best
}

const earliest = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b))

function dayOf(midnight: number): Day {
  const date = new Date(midnight)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1]
  return {
    month,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    lastDay: new Date(Date.UTC(year, month, 0)).getUTCDate(),
  }
}

/** The first time after `afterMs` that is due on a day. `midnight`: its beginning, if its clock were UTC. */
function firstOn(midnight: number, cron: CronExpression, timezone: string, afterMs: number): number | null {
  const begin = midnight - furthestMs
  const end = midnight + dayMs + furthestMs
  if (end <= afterMs) return null
  const before = offsetAt(begin, timezone)
  const after = offsetAt(end, timezone)
  let best: number | null = null
  const change = before === after ? undefined : changeBetween(begin, end, timezone, before)
  for (const hour of cron.hours) {
    const local = midnight + hour * hourMs
    if (local + hourMs - Math.min(before, after) + heededMs <= afterMs) continue
    for (const minute of cron.minutes) {
      const shown = local + minute * minuteMs
      const times = change === undefined ? [shown - before] : aroundChange(shown, { change, before, after }, cron)
      for (const time of times) if (time > afterMs && (best === null || time < best)) best = time
    }
    if (best !== null && change === undefined) return best
  }
  return best
}

/** When a clock that changes on this day shows a time and a job of that time is due. */
function aroundChange(
  shown: number,
  { change, before, after }: { change: number; before: number; after: number },
  { runsByClock }: CronExpression,
): number[] {
  const isHeeded = !runsByClock && Math.abs(after - before) < heededMs
  const times = [shown - before].filter(time => time < change)
  if (shown - after >= change && !(isHeeded && times.length > 0)) times.push(shown - after)
  return times.length === 0 && isHeeded ? [change] : times
}

/** The moment from which a clock has another offset, to the minute. A clock changes once in such a time. */
function changeBetween(begin: number, end: number, timezone: string, before: number): number {
  let [low, high] = [begin / minuteMs, end / minuteMs]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * minuteMs, timezone) === before) low = middle
    else high = middle
  }
  return high * minuteMs
}

/** Bounded: the same zone can be written with any mix of letter cases. */
const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

/** How far the clock of a zone is ahead of UTC, in milliseconds. */
function offsetAt(atMs: number, timezone: string): number {
  if (timezone === 'UTC') return 0
  let clock = clocks.get(timezone)
  if (!clock) {
    // as 2026-03-29 02:30:00
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
    clocks.set(timezone, clock)
  }
  return Date.parse(`${clock.format(atMs).replace(' ', 'T')}Z`) - Math.floor(atMs / 1_000) * 1_000
}
