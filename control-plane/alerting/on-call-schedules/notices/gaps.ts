/** An interval in which no person is on call, in milliseconds since 1970. */
export interface Gap {
  from: number
  to: number
}

/**
 * Gaps that were not warned of. A gap that overlaps or touches one that was is the same gap: its end moves as the days
 * ahead do, and its begin passes.
 */
export const newGaps = (gaps: readonly Gap[], warned: readonly Gap[]): Gap[] =>
  gaps.filter(gap => !warned.some(known => known.from <= gap.to && gap.from <= known.to))
