const dayMs = 86_400_000

/** Format of times in responses: ISO 8601, UTC, six digits (a `Date` has three). */
export function stamp(date: Date): string
export function stamp(date: Date | null | undefined): string | null
export function stamp(date: Date | null | undefined): string | null {
  return date ? date.toISOString().replace('Z', '000Z') : null
}

export const daysAfter = (date: Date, days: number) => new Date(date.getTime() + days * dayMs)

/** Whole days left until `end`, never negative. */
export const wholeDaysUntil = (end: Date, now: Date) => Math.max(0, Math.floor((end.getTime() - now.getTime()) / dayMs))

/** Every duration in seconds that the service states is cut off alike: what has not passed in full does not count. */
export const wholeSeconds = (ms: number): number => Math.floor(ms / 1_000)
