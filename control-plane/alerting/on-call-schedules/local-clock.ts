import { Temporal } from 'temporal-polyfill'

const dayMs = 86_400_000
const minuteMs = 60_000

/**
 * A local date and time as a number: the milliseconds that it would be in UTC. Whole days and minutes can be added to
 * it.
 */
export type LocalMs = number

/** Between two changes of its offset a clock runs evenly. */
interface Segment {
  from: number
  offset: number
}

/** Reads a local date and time such as `2026-03-29T02:30`. */
export const localMs = (text: string): LocalMs => Date.parse(`${text}Z`)
export const localText = (local: LocalMs): string => new Date(local).toISOString().slice(0, 16)

/** 0 is Monday. */
export const weekdayOf = (local: LocalMs): number => (Math.floor(local / dayMs) + 3) % 7
export const midnightOf = (local: LocalMs): LocalMs => local - (local % dayMs)

/**
 * The clock of a time zone from `from` to `to` and a few days before and after. It reads the changes of the offset
 * once, so that conversions are additions.
 */
export class LocalClock {
  readonly #segments: readonly Segment[]

  constructor(timezone: string, from: number, to: number) {
    const begin = from - 3 * dayMs
    const end = to + 3 * dayMs
    const segments: Segment[] = []
    let at = Temporal.Instant.fromEpochMilliseconds(begin).toZonedDateTimeISO(timezone)
    for (;;) {
      segments.push({ from: at.epochMilliseconds, offset: at.offsetNanoseconds / 1_000_000 })
      const next = at.getTimeZoneTransition('next')
      if (next === null || next.epochMilliseconds > end) break
      at = next
    }
    this.#segments = segments
  }

  /** What the clock shows at an instant. */
  read(at: number): LocalMs {
    return at + this.#segmentAt(at).offset
  }

  /**
   * The first instant at which the clock shows a local time or a later one. A time that the clock skips is the moment
   * of the jump; of a time that the clock shows twice it is the first.
   */
  instantOf(local: LocalMs): number {
    const segments = this.#segments
    for (const [index, { from, offset }] of segments.entries()) {
      const end = segments[index + 1]?.from ?? Infinity
      if (local < end + offset) return index === 0 ? local - offset : Math.max(from, local - offset)
    }
    throw new Error('The last segment of a clock has no end.')
  }

  #segmentAt(at: number): Segment {
    return this.#segments.findLast(({ from }) => from <= at) ?? this.#segments[0]!
  }
}

/** The same for one local time, whenever it is. */
export const instantIn = (timezone: string, local: LocalMs): number =>
  new LocalClock(timezone, local, local).instantOf(local)

/** `09:30` as minutes since midnight. */
export function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

export const addDays = (local: LocalMs, days: number): LocalMs => local + days * dayMs
export const addMinutes = (local: LocalMs, minutes: number): LocalMs => local + minutes * minuteMs
