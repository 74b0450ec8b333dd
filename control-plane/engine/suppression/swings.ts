import type { SuppressionRules } from './rules.ts'

/**
 * Something that moved on a check, and for how many changes it counts: an outage is two when it came back by itself,
 * else one, and so is a warning that came or went.
 */
export interface Swing {
  at: number
  changes: number
}

/** Since when a check has moved so often that its monitor flaps; null: it does not. */
export function flapsSince(
  swings: readonly Swing[],
  { changes, withinS }: SuppressionRules['flapping'],
  now: number,
): number | null {
  const recent = swings.filter(({ at }) => at > now - withinS * 1_000)
  const sum = recent.reduce((sum, swing) => sum + swing.changes, 0)
  return recent.length > 0 && sum >= changes
    ? recent.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY)
    : null
}

export const outageSwing = (at: number, cameBack: boolean): Swing => ({ at, changes: cameBack ? 2 : 1 })
