import { Temporal } from 'temporal-polyfill'
import type { Interval } from './judged-time.ts'

/** A day of a time zone. */
export interface DayWindow extends Interval {
  /** YYYY-MM-DD */
  date: string
}

const windowsOf = new Map<string, DayWindow[]>()

/**
 * The last so many days of a time zone, oldest first; the last one ends now. Days with a DST change last 23 or 25
 * hours.
 */
export function lastDays(count: number, timezone: string, nowMs: number): DayWindow[] {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timezone).toPlainDate()
  const key = `${timezone} ${count} ${today}`
  let windows = windowsOf.get(key)
  if (!windows) {
    // 365 days take a while to compute; the pages of an installation share few zones
    if (windowsOf.size > 500) windowsOf.clear()
    const starts = Array.from({ length: count + 1 }, (_, index) => today.subtract({ days: count - 1 - index }))
    const moments = starts.map(date => date.toZonedDateTime(timezone).epochMilliseconds)
    windows = starts.slice(0, -1).map((date, n) => ({ date: `${date}`, from: moments[n]!, to: moments[n + 1]! }))
    windowsOf.set(key, windows)
  }
  return windows.map((window, n) => (n === count - 1 ? { ...window, to: Math.max(window.from, nowMs) } : window))
}
