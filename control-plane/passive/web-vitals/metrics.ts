/** Where good ends and poor begins, as Google publishes it (web.dev/vitals). Milliseconds; CLS has no unit. */
export const thresholds = {
  LCP: { good: 2_500, poor: 4_000, most: 600_000 },
  INP: { good: 200, poor: 500, most: 600_000 },
  CLS: { good: 0.1, poor: 0.25, most: 100 },
  FCP: { good: 1_800, poor: 3_000, most: 600_000 },
  TTFB: { good: 800, poor: 1_800, most: 600_000 },
} as const
export type Metric = keyof typeof thresholds
export const metrics = Object.keys(thresholds) as [Metric, ...Metric[]]

export const ratings = ['good', 'needs_improvement', 'poor'] as const
export type Rating = (typeof ratings)[number]

/** A value on the border has the better rating. */
export function rate(metric: Metric, value: number): Rating {
  const { good, poor } = thresholds[metric]
  return value <= good ? 'good' : value <= poor ? 'needs_improvement' : 'poor'
}

/** Buckets count whole numbers: milliseconds, and thousandths of CLS. */
export const scaleOf = (metric: Metric) => (metric === 'CLS' ? 1_000 : 1)
