import { z } from 'zod'
import { auth, requestHeaders, verifyTls } from '#checks/http/settings.ts'
import { degradedAfterMs, ipVersion, judgeSpeed, timeoutMs } from '#checks/settings.ts'
import { checkKind } from '#contract/check.ts'
import { forms, healths } from './forms.ts'

export const applicationHealth = checkKind({
  name: 'application_health',
  summary: 'The application reports that it and its parts are healthy',
  isReachability: true,
  every: { default: 60, min: 10 },
  severity: 'major',
  settings: z.object({
    path: z
      .string()
      .max(1_000)
      .regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'Must be a path such as /health.')
      .nullable()
      .default(null)
      .meta({ description: 'Path of the health report. `null`: the address of the monitor.' }),
    headers: requestHeaders,
    auth,
    failed_is: z
      .enum(['down', 'warning'])
      .meta({ id: 'FailedIs' })
      .default('down')
      .meta({ description: 'What a part that failed means for the monitor.' }),
    ignored: z
      .array(z.string().max(100))
      .max(50)
      .default([])
      .meta({ description: 'Names of parts that do not matter.' }),
    max_age_minutes: z
      .int()
      .min(1)
      .max(1_440)
      .default(10)
      .meta({ description: 'A report older than this by its own time is a warning.' }),
    verify_tls: verifyTls,
    ip_version: ipVersion,
    timeout_ms: timeoutMs,
    degraded_after_ms: degradedAfterMs,
  }),
  backtestable: ['failed_is', 'ignored', 'max_age_minutes', 'degraded_after_ms'],
  seen: z.object({
    http_status: z.int(),
    /** Null when the answer is not a health report. */
    form: z.enum(forms).nullable(),
    status: z.enum(healths).nullable(),
    finished_at: z.iso.datetime().nullable(),
    /** Degraded parts first; the first fifty. */
    checks: z
      .array(z.object({ name: z.string().max(100), status: z.enum(healths), message: z.string().max(200).nullable() }))
      .max(50),
    total: z.int().nonnegative(),
  }),

  judge(seen, settings, { at, phases }) {
    const event = 'warning.application_health'
    if (seen.form === null) {
      if (seen.http_status >= 300)
        return {
          status: 'down',
          code: 'wrong_status',
          reason: `The application answered with status ${seen.http_status}.`,
        }
      return {
        status: 'down',
        code: 'no_health_report',
        reason: 'The answer is no report of health in any form that is known.',
      }
    }
    const parts = seen.checks.filter(({ name }) => !settings.ignored.includes(name))
    const [failed, degraded] = [
      parts.filter(({ status }) => status === 'failed'),
      parts.filter(({ status }) => status === 'warning'),
    ]
    const details = { failed: failed.map(({ name }) => name), warnings: degraded.map(({ name }) => name) }
    // the overall status counts only if no part explains it: an ignored part may be the reason
    const isExplained = (status: 'failed' | 'warning') =>
      seen.status === status && !seen.checks.some(each => each.status === 'failed' || each.status === status)
    if (failed.length > 0 || isExplained('failed')) {
      const reason = failed.length > 0 ? describe(failed) : 'The application reports that it has failed.'
      return { status: settings.failed_is, code: 'unhealthy', reason, event, depth: failed.length || 1, details }
    }
    const finished = seen.finished_at === null ? null : new Date(seen.finished_at)
    const ageMinutes = finished ? (at.getTime() - finished.getTime()) / 60_000 : 0
    if (ageMinutes > settings.max_age_minutes)
      return {
        status: 'warning',
        code: 'stale',
        reason: `The report is ${Math.floor(ageMinutes)} minutes old.`,
        event,
        details,
      }
    if (degraded.length > 0 || isExplained('warning'))
      return {
        status: 'warning',
        code: 'degraded',
        reason: degraded.length > 0 ? describe(degraded) : 'The application reports that it is unwell.',
        event,
        depth: degraded.length || 1,
        details,
      }
    return judgeSpeed(phases.total, settings.degraded_after_ms)
  },
})

function describe(parts: readonly { name: string; message: string | null }[]): string {
  const [first] = parts
  const what = first ? (first.message ? `${first.name}: ${first.message}` : `${first.name} is not well`) : ''
  const text = parts.length > 1 ? `${what.replace(/\.$/, '')}, and ${parts.length - 1} more` : what
  return text.endsWith('.') ? text : `${text}.`
}
