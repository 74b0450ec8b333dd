import { z } from 'zod'
import { checkKind, type Judgement } from '#contract/check.ts'

export const categories = ['performance', 'accessibility', 'best_practices', 'seo'] as const
export type Category = (typeof categories)[number]

/** The metrics of a page: their names for users, and their formats. */
export const metrics = {
  first_contentful_paint_ms: 'First Contentful Paint',
  largest_contentful_paint_ms: 'Largest Contentful Paint',
  total_blocking_time_ms: 'Total Blocking Time',
  speed_index_ms: 'Speed Index',
  time_to_first_byte_ms: 'Time to First Byte',
  cumulative_layout_shift: 'Cumulative Layout Shift',
} as const
export type Metric = keyof typeof metrics
export const metricNames = Object.keys(metrics) as [Metric, ...Metric[]]

const score = z.int().min(0).max(100)
const atLeast = score.nullable()
const ms = z.int().min(1).max(120_000).nullable().default(null)
const measured = z.number().nonnegative().nullable()

/** Lighthouse’s codes for faults of the page rather than of the run. */
const pageFaults = new Set([
  'NO_FCP',
  'NO_LCP',
  'NO_DCL',
  'PAGE_HUNG',
  'TARGET_CRASHED',
  'NOT_HTML',
  'NO_DOCUMENT_REQUEST',
  'TOO_MUCH_MEMORY',
  'TOO_MANY_BYTES',
])
const responseFaults = 'ERRORED_DOCUMENT_REQUEST'

export const lighthouse = checkKind({
  name: 'lighthouse',
  summary: 'A page loads fast and is well made, as Lighthouse sees it in a browser',
  every: { default: 86_400, min: 3_600 },
  severity: 'minor',
  feature: 'lighthouse_audits',
  isHeavy: true,
  settings: z.object({
    form_factor: z
      .enum(['mobile', 'desktop'])
      .meta({ id: 'FormFactor' })
      .default('mobile')
      .meta({ description: 'The device that is imitated, with a network and a processor to match.' }),
    categories: z
      .array(z.enum(categories).meta({ id: 'LighthouseCategory' }))
      .min(1)
      .max(categories.length)
      .refine(names => new Set(names).size === names.length, 'Names a category twice.')
      .default([...categories])
      .meta({ description: 'Audited categories. The metrics are part of `performance`.', uniqueItems: true }),
    min_scores: z
      .strictObject({
        performance: atLeast.default(50),
        accessibility: atLeast.default(null),
        best_practices: atLeast.default(null),
        seo: atLeast.default(null),
      })
      .prefault({})
      .meta({ description: 'A score below this, of 100, is a warning. `null`: never.' }),
    max_metrics: z
      .strictObject({
        first_contentful_paint_ms: ms,
        largest_contentful_paint_ms: ms,
        total_blocking_time_ms: ms,
        speed_index_ms: ms,
        time_to_first_byte_ms: ms,
        cumulative_layout_shift: z.number().min(0.001).max(10).nullable().default(null),
      })
      .prefault({})
      .meta({ description: 'A metric above this is a warning. `null`: never.' }),
    audit_seconds: z
      .int()
      .min(15)
      .max(180)
      .default(90)
      .meta({ description: 'Seconds after which the audit is given up; its wait for others does not count.' }),
  }),
  backtestable: ['min_scores', 'max_metrics'],
  runTimeoutMs: ({ audit_seconds }) => audit_seconds * 1_000,
  seen: z.object({
    /** The final URL of the page. */
    url: z.string().max(500),
    form_factor: z.enum(['mobile', 'desktop']),
    scores: z
      .object({ performance: atLeast, accessibility: atLeast, best_practices: atLeast, seo: atLeast })
      .meta({ description: 'Of 100. `null`: not audited, or not measurable.' }),
    metrics: z.object({
      first_contentful_paint_ms: measured,
      largest_contentful_paint_ms: measured,
      total_blocking_time_ms: measured,
      speed_index_ms: measured,
      time_to_first_byte_ms: measured,
      cumulative_layout_shift: measured,
    }),
    worst: z
      .array(
        z.object({
          id: z.string().max(80),
          category: z.enum(categories),
          title: z.string().max(200),
          score,
          /** A short description of what was found. */
          found: z.string().max(200).nullable(),
          saves_ms: z.int().nonnegative().nullable(),
        }),
      )
      .max(15)
      .meta({ description: 'What costs most, first.' }),
    notes: z.array(z.string().max(300)).max(5).meta({ description: 'Warnings of Lighthouse about its own run.' }),
    bytes: z.int().nonnegative(),
    blocked: z
      .int()
      .nonnegative()
      .meta({ description: 'Connections to places that are not public, which were not made.' }),
    browser: z.string().max(80),
    lighthouse: z.string().max(20),
    /** Why there are no scores. */
    error: z.object({ code: z.string().max(60), message: z.string().max(300) }).nullable(),
  }),

  judge(seen, settings) {
    if (seen.error) return judgeError(seen.error)
    const low = categories.filter(name => isOver(settings.min_scores[name], seen.scores[name]))
    const high = metricNames.filter(name => isOver(seen.metrics[name], settings.max_metrics[name]))
    if (low.length + high.length === 0) return { status: 'up' }
    const reasons = [
      ...low.map(name => `${text[name]} is ${seen.scores[name]} of 100, below ${settings.min_scores[name]}`),
      ...high.map(name => {
        const [value, limit] = [seen.metrics[name], settings.max_metrics[name]]
        return `${metrics[name]} is ${shown(name, value)}, more than ${shown(name, limit)}`
      }),
    ]
    return {
      status: 'warning',
      code: low.length > 0 ? 'score_too_low' : 'metric_too_high',
      reason: `${reasons.join('; ')}.`,
      event: 'warning.degraded_performance',
      depth: reasons.length,
      details: {
        form_factor: seen.form_factor,
        scores: seen.scores,
        metrics: seen.metrics,
        exceeded: [...low, ...high],
      },
    }
  },

  responseMs: seen => seen.metrics.largest_contentful_paint_ms,
})

const text: Record<Category, string> = {
  performance: 'Performance',
  accessibility: 'Accessibility',
  best_practices: 'Best practices',
  seo: 'SEO',
}

const isOver = (value: number | null, limit: number | null) => value !== null && limit !== null && value > limit

const shown = (name: Metric, value: number | null) =>
  name === 'cumulative_layout_shift' ? `${value}` : `${Math.round(value ?? 0)} ms`

function judgeError({ code, message }: { code: string; message: string }): Judgement {
  const reason = `The page could not be audited: ${message}`
  if (code === responseFaults) return { status: 'unknown', code: 'wrong_status', reason }
  return pageFaults.has(code)
    ? { status: 'warning', code: 'audit_failed', reason }
    : { status: 'unknown', code: 'audit_failed', reason }
}
