import { z } from 'zod'

/**
 * The three supported formats of a health report:
 *
 * - plain: `{ status, finished_at?, checks: [{ name, status, message? }] }`
 * - ohdear: `{ finishedAt, checkResults: [{ name, label?, status, notificationMessage?, shortSummary? }] }`
 * - spring: `{ status, components: { name: { status, details?, components? } } }`
 */
export const forms = ['plain', 'ohdear', 'spring'] as const
export const healths = ['ok', 'warning', 'failed', 'skipped'] as const
export type Health = (typeof healths)[number]

export interface PartHealth {
  name: string
  status: Health
  message: string | null
}

export interface Report {
  form: (typeof forms)[number]
  /** The status of the whole; null when only the parts have one. */
  status: Health | null
  finishedAt: Date | null
  parts: PartHealth[]
}

const statuses: Record<string, Health> = {
  ok: 'ok',
  up: 'ok',
  pass: 'ok',
  healthy: 'ok',
  warning: 'warning',
  warn: 'warning',
  degraded: 'warning',
  failed: 'failed',
  fail: 'failed',
  crashed: 'failed',
  down: 'failed',
  error: 'failed',
  unhealthy: 'failed',
  out_of_service: 'failed',
  unknown: 'warning',
  skipped: 'skipped',
}

const maxParts = 200
const maxDepth = 4

/** An unknown status counts as a warning. */
const healthOf = (value: string): Health => statuses[value.trim().toLowerCase()] ?? 'warning'

const status = z.string().max(100).transform(healthOf)
const text = z.string().nullish()
const moment = z
  .union([z.number(), z.string().max(40)])
  .nullish()
  .transform(toDate)

/** Parts beyond the limit are ignored. */
const someOf = <Part extends z.ZodType>(part: Part) =>
  z
    .array(z.unknown())
    .transform(list => list.slice(0, maxParts))
    .pipe(z.array(part))

const Plain = z.object({
  status: status.optional(),
  finished_at: moment,
  checks: someOf(z.object({ name: z.string(), status, message: text })),
})
const OhDear = z.object({
  finishedAt: moment,
  checkResults: someOf(
    z.object({ name: z.string(), label: text, status, notificationMessage: text, shortSummary: text }),
  ),
})
const Components = z.record(z.string(), z.unknown())
const Spring = z.object({ status, components: Components.optional() })
const Component = z.object({
  status,
  details: z.record(z.string(), z.unknown()).optional(),
  components: Components.optional(),
})

/** Null for any other format. */
export function readReport(json: unknown): Report | null {
  const ohdear = OhDear.safeParse(json).data
  if (ohdear) {
    const parts = ohdear.checkResults.map(each => ({
      name: short(each.label || each.name),
      status: each.status,
      message: shortOr(each.notificationMessage || each.shortSummary),
    }))
    return { form: 'ohdear', status: null, finishedAt: ohdear.finishedAt, parts }
  }
  const plain = Plain.safeParse(json).data
  if (plain) {
    const parts = plain.checks.map(each => ({
      name: short(each.name),
      status: each.status,
      message: shortOr(each.message),
    }))
    return { form: 'plain', status: plain.status ?? null, finishedAt: plain.finished_at, parts }
  }
  const spring = Spring.safeParse(json).data
  return spring
    ? {
        form: 'spring',
        status: spring.status,
        finishedAt: null,
        parts: partsOf(spring.components ?? {}, '', maxDepth).slice(0, maxParts),
      }
    : null
}

/** Nested components are named by their path. */
function partsOf(components: Record<string, unknown>, prefix: string, depth: number): PartHealth[] {
  return Object.entries(components)
    .slice(0, maxParts)
    .flatMap(([name, value]) => {
      const component = Component.safeParse(value).data
      if (!component) return []
      const part = { name: short(prefix + name), status: component.status, message: reasonIn(component.details) }
      return depth > 1 && component.components
        ? [part, ...partsOf(component.components, `${prefix}${name}.`, depth - 1)].slice(0, maxParts)
        : [part]
    })
}

/** Spring puts the reason under `error`, if anywhere. */
const reasonIn = (details: Record<string, unknown> | undefined) =>
  typeof details?.error === 'string' ? shortOr(details.error) : null

/** Seconds since 1970, or a date as text. */
function toDate(value: number | string | null | undefined): Date | null {
  if (value === null || value === undefined) return null
  const seconds = typeof value === 'number' ? value : /^\d{9,11}$/.test(value) ? Number(value) : undefined
  const date = new Date(seconds === undefined ? value : seconds * 1_000)
  return Number.isNaN(date.getTime()) || Math.abs(date.getUTCFullYear()) > 9_999 ? null : date
}

const short = (text: string) => text.slice(0, 100)
const shortOr = (text: string | null | undefined) => (text ? text.replace(/\p{Cc}+/gu, ' ').slice(0, 200) : null)
