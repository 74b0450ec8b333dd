import { Cron } from 'croner'
import { LRUCache } from 'lru-cache'

export type Schedule = { kind: 'simple'; periodMs: number } | { kind: 'cron'; expression: string; timezone: string }

export const maxExpressionChars = 128
const horizonMs = 5 * 366 * 86_400_000
const nicknames = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'])

/** Why an expression is invalid, or null. */
export function refuseExpression(expression: string, timezone: string, now: Date): string | null {
  const text = expression.trim()
  if (text.length > maxExpressionChars) return `At most ${maxExpressionChars} characters.`
  if (!nicknames.has(text.toLowerCase()) && text.split(/\s+/).length !== 5)
    return 'A cron expression has five fields: minute, hour, day of month, month, day of week.'
  try {
    if (!cronOf(text, timezone, now.getTime()).nextRun(now)) return 'This expression never comes due within five years.'
  } catch {
    return 'This is no cron expression.'
  }
  return null
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
 * The next due time after a given time, in milliseconds; null when there is none. When clocks go forward, a skipped
 * time is due right after the change; when they go back, a fixed hour is due once and every other hour twice: the same
 * as cron.
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

const cronOf = (expression: string, timezone: string, fromMs: number) =>
  new Cron(expression.trim(), { timezone, paused: true, stopAt: new Date(fromMs + horizonMs) })

function cronAfter({ expression, timezone }: Extract<Schedule, { kind: 'cron' }>, atMs: number): number | null {
  const cron = cronOf(expression, timezone, atMs)
  const hour = expression.trim().split(/\s+/)[1] ?? '*'
  const isFixedHour = !hour.startsWith('*') && hour !== '?'
  let next = cron.nextRun(new Date(atMs))
  for (let tries = 0; next && isFixedHour && isSecondPass(next.getTime(), timezone) && tries < 60; tries++)
    next = cron.nextRun(next)
  return next ? next.getTime() : null
}

const hourMs = 3_600_000

/** Whether clocks went back less than an hour ago, so that this time of day occurs for the second time. */
const isSecondPass = (atMs: number, timezone: string) =>
  timezone !== 'UTC' && wallClock(atMs, timezone) === wallClock(atMs - hourMs, timezone)

/** Bounded: the same zone can be written with any mix of letter cases. */
const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

function wallClock(atMs: number, timezone: string): string {
  let clock = clocks.get(timezone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en', {
      timeZone: timezone,
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    })
    clocks.set(timezone, clock)
  }
  return clock.format(atMs)
}
