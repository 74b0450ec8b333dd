import { z } from 'zod'
import { verifyTls } from '#checks/http/settings.ts'
import { ipVersion, timeoutMs } from '#checks/settings.ts'
import { checkKind } from '#contract/check.ts'

const agent = z.string().regex(/^(\*|[a-z0-9_. /-]{1,60})$/i, 'Must be * or the name of a crawler.')
const path = z
  .string()
  .max(500)
  .regex(/^\/[\x21-\x7e]*$/, 'Must be a path such as /shop/.')
const line = z.string().max(300)

export const robotsTxt = checkKind({
  name: 'robots_txt',
  summary: 'The robots.txt can be read, lets crawlers in and does not change unnoticed',
  offered: { website: 'possible' },
  every: { default: 3_600, min: 60 },
  severity: 'minor',
  settings: z.object({
    user_agents: z
      .array(agent)
      .min(1)
      .max(10)
      .default(['*'])
      .meta({ description: 'Crawlers that are asked about, `*` being one that is not named.' }),
    must_allow: z.array(path).max(20).default([]).meta({ description: 'Paths these crawlers must be let in to.' }),
    must_disallow: z.array(path).max(20).default([]).meta({ description: 'Paths they must be kept out of.' }),
    expect_blocked: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether the site is meant to be closed to them: then it is a warning when it is open.' }),
    must_exist: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether a robots.txt that is missing is a warning; else it means that all is allowed.' }),
    detect_changes: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether a change is a warning. Comments and blank lines do not count.' }),
    verify_tls: verifyTls,
    ip_version: ipVersion,
    timeout_ms: timeoutMs,
  }),
  backtestable: ['must_exist', 'expect_blocked', 'detect_changes'],
  seen: z.object({
    url: z.string().max(500),
    status: z.int(),
    /**
     * `unavailable`: it does not exist, and everything is allowed. `unreachable`: the server fails, and nothing is
     * allowed (RFC 9309, 2.3.1).
     */
    state: z.enum(['read', 'unavailable', 'unreachable']),
    bytes: z.int().nonnegative(),
    /** It is longer than crawlers read. */
    truncated: z.boolean(),
    /** Its rules are too expensive to evaluate, and some queries were left unanswered. */
    too_complex: z.boolean(),
    /** It is an HTML page. */
    is_html: z.boolean(),
    print: z.string().max(40).meta({ description: 'The same for files between which there is no change.' }),
    rules: z.int().nonnegative(),
    strange_lines: z.int().nonnegative(),
    agents: z.array(line).max(20),
    sitemaps: z.array(line).max(20),
    /** Configured crawlers that may read nothing. */
    blocked: z.array(z.string().max(60)).max(10),
    /** Paths whose access differs from what is expected. */
    refused: z.array(z.object({ agent: z.string().max(60), path: z.string().max(500) })).max(50),
    open: z.array(z.object({ agent: z.string().max(60), path: z.string().max(500) })).max(50),
    /** Added and removed lines, while the change is recent. */
    changes: z
      .object({ added: z.array(line).max(10), removed: z.array(line).max(10) })
      .nullable()
      .default(null),
  }),

  judge(seen, settings, context) {
    const details = { url: seen.url, rules: seen.rules, sitemaps: seen.sitemaps }
    const warn = (code: string, reason: string, more: Record<string, unknown> = {}) =>
      ({ status: 'warning', code, reason, event: 'warning.robots_txt', details: { ...details, ...more } }) as const
    if (seen.state === 'unreachable')
      return warn(
        'unreachable',
        `robots.txt answers with status ${seen.status}, so crawlers stay away from the whole site.`,
      )
    if (seen.state === 'unavailable' && settings.must_exist)
      return warn('missing', `There is no robots.txt (status ${seen.status}).`)
    if (seen.is_html) return warn('not_robots_txt', 'The robots.txt is a web page.')
    if (!settings.expect_blocked && seen.blocked.length > 0)
      return warn('all_blocked', `robots.txt keeps ${namesOf(seen.blocked)} out of the whole site.`, {
        blocked: seen.blocked,
      })
    if (settings.expect_blocked && settings.user_agents.some(each => !seen.blocked.includes(each)))
      return warn('not_blocked', 'robots.txt lets crawlers in, though the site is meant to be closed.')
    const refused = seen.refused.find(each => settings.must_allow.includes(each.path))
    if (refused) return warn('path_blocked', `robots.txt keeps ${namesOf([refused.agent])} out of ${refused.path}.`)
    const open = seen.open.find(each => settings.must_disallow.includes(each.path))
    if (open) return warn('path_open', `robots.txt lets ${namesOf([open.agent])} in to ${open.path}.`)
    if (seen.truncated)
      return warn('too_large', 'The robots.txt is longer than 500 KiB: crawlers do not read the rest.')
    if (seen.too_complex)
      return warn('too_complex', 'The rules of robots.txt are too many and too intricate to be followed.')
    const hasChanged = seen.changes !== null || isOther(context.previous, seen.print)
    if (settings.detect_changes && hasChanged) return warn('changed', 'The robots.txt has changed.', seen.changes ?? {})
    return { status: 'up' }
  },
})

const Before = z.object({ print: z.string(), state: z.enum(['read', 'unavailable']) })

function isOther(previous: unknown, print: string): boolean {
  const before = Before.safeParse(previous)
  return before.success && before.data.print !== print
}

const namesOf = (agents: readonly string[]) => (agents.includes('*') ? 'all crawlers' : agents.join(', '))
