import { z } from 'zod'
import { storable } from '#contract/text.ts'
import { type Category, categories, lighthouse, type Metric } from './kind.ts'

/** The name of a category in Lighthouse. */
export const lighthouseName = (name: Category) => name.replace('_', '-')

const measuredBy: Record<Metric, string> = {
  first_contentful_paint_ms: 'first-contentful-paint',
  largest_contentful_paint_ms: 'largest-contentful-paint',
  total_blocking_time_ms: 'total-blocking-time',
  speed_index_ms: 'speed-index',
  time_to_first_byte_ms: 'server-response-time',
  cumulative_layout_shift: 'cumulative-layout-shift',
}

const maxWorst = 15
/** Milliseconds of possible savings that weigh as much as a point of a score. */
const msPerPoint = 100

const Audit = z.object({
  title: z.string().catch(''),
  score: z.number().nullable().catch(null),
  scoreDisplayMode: z.string().catch(''),
  numericValue: z.number().optional().catch(undefined),
  displayValue: z.string().optional().catch(undefined),
  metricSavings: z.record(z.string(), z.number()).optional().catch(undefined),
})

/** The part of Lighthouse’s report that is used. */
const Report = z.object({
  lighthouseVersion: z.string(),
  finalDisplayedUrl: z.string().catch(''),
  runtimeError: z.object({ code: z.string(), message: z.string() }).optional(),
  runWarnings: z.array(z.string()).catch([]),
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number(), group: z.string().optional() })),
    }),
  ),
  audits: z.record(z.string(), Audit),
})
type Report = z.output<typeof Report>

export const Found = lighthouse.seen.pick({
  url: true,
  scores: true,
  metrics: true,
  worst: true,
  notes: true,
  lighthouse: true,
  error: true,
})
export type Found = z.output<typeof Found>

/** The result of an audit that was not made. */
export const nothingFound = (url: string, error: Found['error']): Found => ({
  url: url.slice(0, 500),
  scores: { performance: null, accessibility: null, best_practices: null, seo: null },
  metrics: {
    first_contentful_paint_ms: null,
    largest_contentful_paint_ms: null,
    total_blocking_time_ms: null,
    speed_index_ms: null,
    time_to_first_byte_ms: null,
    cumulative_layout_shift: null,
  },
  worst: [],
  notes: [],
  lighthouse: '',
  error,
})

/** Reduces Lighthouse’s report to the stored fields. */
export function readReport(input: unknown): Found {
  const report = Report.parse(input)
  const { runtimeError } = report
  return {
    ...nothingFound(
      report.finalDisplayedUrl,
      runtimeError ? { code: runtimeError.code.slice(0, 60), message: plain(runtimeError.message, 300) } : null,
    ),
    ...(!runtimeError && { scores: scoresOf(report), metrics: metricsOf(report), worst: worstOf(report) }),
    notes: report.runWarnings.slice(0, 5).map(note => plain(note, 300)),
    lighthouse: report.lighthouseVersion.slice(0, 20),
  }
}

const percent = (score: number | null | undefined) =>
  typeof score === 'number' ? Math.round(Math.min(1, Math.max(0, score)) * 100) : null

function scoresOf(report: Report): Found['scores'] {
  const of = (name: Category) => percent(report.categories[lighthouseName(name)]?.score)
  return {
    performance: of('performance'),
    accessibility: of('accessibility'),
    best_practices: of('best_practices'),
    seo: of('seo'),
  }
}

function metricsOf({ audits }: Report): Found['metrics'] {
  const of = (name: Metric, digits: number) => {
    const value = audits[measuredBy[name]]?.numericValue
    return value === undefined || !Number.isFinite(value) ? null : Math.max(0, Number(value.toFixed(digits)))
  }
  return {
    first_contentful_paint_ms: of('first_contentful_paint_ms', 1),
    largest_contentful_paint_ms: of('largest_contentful_paint_ms', 1),
    total_blocking_time_ms: of('total_blocking_time_ms', 1),
    speed_index_ms: of('speed_index_ms', 1),
    time_to_first_byte_ms: of('time_to_first_byte_ms', 1),
    cumulative_layout_shift: of('cumulative_layout_shift', 4),
  }
}

/** The audits with the largest cost: points lost in their category, and time that could be saved. */
function worstOf({ audits, categories: shown }: Report): Found['worst'] {
  return categories
    .flatMap(category => {
      const { auditRefs = [] } = shown[lighthouseName(category)] ?? {}
      const whole = auditRefs.reduce((sum, { weight }) => sum + weight, 0)
      return auditRefs.flatMap(({ id, weight, group }) => {
        const audit = audits[id]
        if (!audit || audit.score === null || audit.score >= 0.9 || group === 'metrics' || group === 'hidden') return []
        const saves = Math.round(
          Object.entries(audit.metricSavings ?? {}).reduce(
            (sum, [name, value]) => sum + (name === 'CLS' ? 0 : Math.max(0, value)),
            0,
          ),
        )
        const cost = (whole > 0 ? (100 * weight * (1 - audit.score)) / whole : 0) + saves / msPerPoint
        const found = audit.displayValue ? plain(audit.displayValue, 200) : null
        return [
          {
            cost,
            kept: {
              id: id.slice(0, 80),
              category,
              title: plain(audit.title, 200),
              score: percent(audit.score) ?? 0,
              found,
              saves_ms: saves || null,
            },
          },
        ]
      })
    })
    .sort((a, b) => b.cost - a.cost)
    .slice(0, maxWorst)
    .map(({ kept }) => kept)
}

const plain = (text: string, most: number) => storable(text).slice(0, most)
