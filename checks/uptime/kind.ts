import { z } from 'zod'
import { auth, requestHeaders, verifyTls } from '#checks/http/settings.ts'
import { degradedAfterMs, ipVersion, judgeSpeed, timeoutMs } from '#checks/settings.ts'
import { checkKind } from '#contract/check.ts'
import { Assertion } from './assertions.ts'

const statusRange = z
  .union([
    z.int().min(100).max(599),
    z.string().regex(/^[1-5]\d\d(-[1-5]\d\d)?$/, 'Must be a status such as 200, or a range such as 200-299.'),
  ])
  .meta({ description: 'A status, or a range of them such as `200-299`.' })
const statusRanges = z.array(statusRange).max(20)
/** The default of `warning_status` before 503 was down. Checks stored then have it in their settings. */
export const formerWarningStatus = ['429', '503']
const keyword = z.string().min(1).max(500).nullable().default(null)

export const uptime = checkKind({
  name: 'uptime',
  summary: 'A web address answers as it should',
  isReachability: true,
  uptimeRank: 1,
  offered: { website: 'default' },
  every: { default: 60, min: 1 },
  severity: 'critical',
  settings: z.object({
    method: z
      .enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      .default('GET')
      .meta({ description: 'Request method.' }),
    headers: requestHeaders,
    body: z.string().max(65_536).nullable().default(null).meta({ description: 'Request body.' }),
    expected_status: statusRanges.min(1).default(['200-299']).meta({ description: 'Statuses that are up.' }),
    warning_status: statusRanges
      .default(['429'])
      .meta({ description: 'Statuses that are a warning instead of down, unless expected.' }),
    keyword_present: keyword.meta({ description: 'Text that must be in the body (its first megabyte).' }),
    keyword_absent: keyword.meta({ description: 'Text that must not be in the body (its first megabyte).' }),
    assertions: z
      .array(Assertion)
      .max(20)
      .default([])
      .meta({ description: 'What else must hold of the answer, at most 20.' }),
    follow_redirects: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether to go where redirects lead; else they are the answer.' }),
    max_redirects: z.int().min(0).max(20).default(5).meta({ description: 'Redirects followed before the run fails.' }),
    allow_downgrade: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether a redirect may lead from https to http.' }),
    verify_tls: verifyTls,
    ip_version: ipVersion,
    auth,
    timeout_ms: timeoutMs,
    degraded_after_ms: degradedAfterMs,
  }),
  backtestable: ['expected_status', 'warning_status', 'degraded_after_ms'],
  seen: z.object({
    status: z.int().min(100).max(999),
    /** Redirects followed before this response. */
    redirects: z.int().nonnegative(),
    /** Bytes of the encoded body. */
    bytes: z.int().nonnegative(),
    /** The body was longer than what was read. */
    truncated: z.boolean(),
    content_type: z.string().max(100).nullable(),
    /** Whether each keyword is in the body; null when not configured. */
    found_present: z.boolean().nullable(),
    found_absent: z.boolean().nullable(),
    /** Assertions that do not hold. */
    failed: z.array(z.object({ index: z.int(), actual: z.string().max(200) })).max(20),
  }),

  judge(seen, settings, { phases }) {
    if (!isExpected(seen.status, settings)) {
      const finding = { code: 'wrong_status', reason: `The site answered with status ${seen.status}.` }
      return isAmong(seen.status, settings.warning_status)
        ? { status: 'warning', ...finding, event: 'warning.degraded_performance' }
        : { status: 'down', ...finding }
    }
    if (settings.keyword_present !== null && seen.found_present === false)
      return {
        status: 'down',
        code: 'keyword_missing',
        reason: `The keyword is not in the ${seen.truncated ? 'first megabyte of the ' : ''}answer.`,
      }
    if (settings.keyword_absent !== null && seen.found_absent === true)
      return { status: 'down', code: 'keyword_found', reason: 'The unwanted keyword is in the answer.' }
    for (const { index, actual } of seen.failed) {
      const assertion = settings.assertions[index]
      if (assertion)
        return {
          status: 'down',
          code: 'assertion_failed',
          reason: `Expected ${describe(assertion)}, but it is ${actual ? `"${cut(actual)}"` : 'empty'}.`,
        }
    }
    return judgeSpeed(phases.total, settings.degraded_after_ms)
  },
})

/** Whether a status is up. */
export const isExpected = (status: number, settings: { expected_status: readonly (number | string)[] }) =>
  isAmong(status, settings.expected_status)

/** A range is its first three digits and its last three, `200` as well as `200-299`. */
const isAmong = (status: number, ranges: readonly (number | string)[]) =>
  ranges.some(range =>
    typeof range === 'number'
      ? status === range
      : status >= statusAt(range, 0) && status <= statusAt(range, range.length - 3),
  )

/** Three digits as a number, without slicing the text: a backtest judges 90 days of results within a second. */
const statusAt = (text: string, place: number) =>
  100 * text.charCodeAt(place) + 10 * text.charCodeAt(place + 1) + text.charCodeAt(place + 2) - 111 * '0'.charCodeAt(0)

const describe = ({ source, property, comparison, target }: Assertion) =>
  [source, property, comparison.replace('_', ' '), comparison.endsWith('empty') ? '' : `"${cut(String(target))}"`]
    .filter(Boolean)
    .join(' ')

const cut = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
