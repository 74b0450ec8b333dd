import type { TFunction } from 'i18next'

const units = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const

/** An interval in words, such as "Every 5 minutes", in the largest unit that it is a whole number of. */
export function intervalWords(seconds: number, t: TFunction<'monitors'>): string {
  const [unit, length] = units.find(([, length]) => seconds % length === 0) ?? ['seconds', 1]
  return t(`every.${unit}`, { count: seconds / length })
}

const offered = [10, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400]

/** Intervals to choose from, in seconds: those that the plan allows, and the one at hand. */
export const intervalsFrom = (least: number, current: number): number[] =>
  [...new Set([...offered.filter(seconds => seconds >= least), current])].sort((a, b) => a - b)
