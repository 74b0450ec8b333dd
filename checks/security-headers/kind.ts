import { z } from 'zod'
import { headerName } from '#checks/http/settings.ts'
import { ipVersion, timeoutMs } from '#checks/settings.ts'
import { checkKind } from '#contract/check.ts'
import { type Grade, grades, gradesLost } from './table.ts'

const grade = z.enum(grades).meta({ id: 'HeaderGrade' })
const Comparison = z.object({ grade, score: z.int() })
export const weaknessSeverities = [
  'high',
  'syntax',
  'medium',
  'high_maybe',
  'strict_csp',
  'medium_maybe',
  'info',
] as const

export const securityHeaders = checkKind({
  name: 'security_headers',
  summary: 'The headers that protect visitors are there, graded by the rules of the MDN HTTP Observatory',
  offered: { website: 'possible' },
  every: { default: 3_600, min: 60 },
  severity: 'minor',
  settings: z.object({
    min_grade: grade
      .nullable()
      .default(null)
      .meta({ description: 'A worse grade is a warning. `null`: only a grade that drops is.' }),
    required: z
      .array(headerName.toLowerCase())
      .max(20)
      .default([])
      .meta({ description: 'Headers the answer must have, at most 20, whatever the grade.' }),
    detect_drops: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether a grade worse than the one before is a warning.' }),
    ip_version: ipVersion,
    timeout_ms: timeoutMs,
  }),
  backtestable: ['min_grade', 'detect_drops'],
  seen: z.object({
    /** The page that was judged. */
    url: z.string().max(500),
    status: z.int(),
    scoring: z.string().max(40).meta({ description: 'The rules the grade was given by, and their version.' }),
    grade,
    score: z.int().nonnegative(),
    findings: z
      .array(
        z.object({
          name: z.string().max(60),
          value: z.string().max(300).nullable(),
          result: z.string().max(80),
          score: z.int(),
          advice: z.string().max(200).nullable(),
        }),
      )
      .max(20),
    /** Weaknesses of the Content-Security-Policy, the worst first. */
    policy: z
      .array(
        z.object({ directive: z.string().max(60), severity: z.enum(weaknessSeverities), message: z.string().max(300) }),
      )
      .max(20),
    /** Required headers that are missing. */
    missing: z.array(z.string().max(100)).max(20),
    /** Whether both http and https were evaluated: only such results are compared. */
    settled: z.boolean(),
    /** The better grade before this one, while the change is recent. */
    dropped_from: Comparison.nullable().default(null),
  }),

  judge(seen, settings, context) {
    const event = 'warning.security_headers'
    if (seen.status >= 500)
      return { status: 'unknown', code: 'wrong_status', reason: `The site answered with status ${seen.status}.` }
    const missing = seen.missing.filter(name => settings.required.includes(name))
    const details = { grade: seen.grade, score: seen.score, missing }
    if (missing.length)
      return {
        status: 'warning',
        code: 'header_missing',
        reason: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
        event,
        depth: missing.length,
        details,
      }
    if (settings.min_grade !== null && gradesLost(settings.min_grade, seen.grade) > 0) {
      const reason = `The security headers are graded ${seen.grade}, worse than ${settings.min_grade}.`
      return {
        status: 'warning',
        code: 'grade_too_low',
        reason,
        event,
        depth: gradesLost(settings.min_grade, seen.grade),
        details,
      }
    }
    const before =
      settings.detect_drops && seen.settled ? (seen.dropped_from?.grade ?? gradeBefore(context.previous)) : null
    if (before === null || gradesLost(before, seen.grade) <= 0) return { status: 'up' }
    const reason = `The grade of the security headers dropped from ${before} to ${seen.grade}.`
    return {
      status: 'warning',
      code: 'grade_dropped',
      reason,
      event,
      depth: gradesLost(before, seen.grade),
      details: { ...details, previous_grade: before },
    }
  },
})

const Before = z.object({ grade, settled: z.literal(true) })

function gradeBefore(previous: unknown): Grade | null {
  return Before.safeParse(previous).data?.grade ?? null
}
