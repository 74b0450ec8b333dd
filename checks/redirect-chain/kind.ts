import { z } from 'zod'
import { verifyTls } from '#checks/http/settings.ts'
import { degradedAfterMs, ipVersion, judgeSpeed, timeoutMs } from '#checks/settings.ts'
import { checkKind, Fault, judgeFault } from '#contract/check.ts'

/** The limit of browsers. */
export const maxHopsSeen = 20

const shown = z.string().max(500)
/** Longer than what servers accept; a longer end of the chain ends in its digest. */
export const maxEndChars = 16_384
const end = z.string().max(maxEndChars)

const Hop = z.object({
  url: shown,
  status: z.int(),
  protocol: z.string().max(20).meta({ description: 'Version of HTTP the hop answered in.' }),
  tls: z.string().max(20).nullable().meta({ description: 'Version of TLS; `null` over http.' }),
  ms: z.number().nonnegative().meta({ description: 'How long the hop took, name lookup and connection included.' }),
})

export const redirectChain = checkKind({
  name: 'redirect_chain',
  summary: 'Redirects are few, never lead back to http, and end where they should',
  offered: { website: 'possible' },
  every: { default: 3_600, min: 60 },
  severity: 'major',
  settings: z.object({
    max_hops: z
      .int()
      .min(0)
      .max(maxHopsSeen)
      .default(5)
      .meta({ description: 'More redirects than these are a warning.' }),
    final_url: z
      .url({ protocol: /^https?$/, hostname: z.regexes.hostname })
      .max(4_096)
      .nullable()
      .default(null)
      .meta({ description: 'Where the redirects must end; a query counts only when this has one. `null`: anywhere.' }),
    detect_changes: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether ending elsewhere than before is a warning. A query does not count.' }),
    allow_downgrade: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether a redirect may lead from https to http.' }),
    verify_tls: verifyTls,
    ip_version: ipVersion,
    timeout_ms: timeoutMs,
    degraded_after_ms: degradedAfterMs,
  }),
  backtestable: ['detect_changes', 'degraded_after_ms'],
  seen: z.object({
    /** Every response in order; the last one is not a redirect if the chain ended. */
    hops: z
      .array(Hop)
      .min(1)
      .max(maxHopsSeen + 2),
    end: z.enum(['arrived', 'loop', 'too_many', 'failed']),
    /** Where the chain ended, or would have led next. */
    final_url: end,
    /** Why the last hop failed. */
    failure: Fault.nullable(),
    /** The previous end of the chain, while the change is recent. */
    replaced: end.nullable().default(null),
  }),

  judge(seen, settings, { phases, previous }) {
    const event = 'warning.redirect_chain'
    const redirects = seen.hops.length - (seen.end === 'arrived' ? 1 : 0)
    const details = { redirects, final_url: seen.final_url }
    const warn = (code: string, reason: string, more: Record<string, unknown> = {}) =>
      ({ status: 'warning', code, reason, event, details: { ...details, ...more } }) as const
    if (seen.end === 'loop')
      return {
        status: 'down',
        code: 'redirect_loop',
        reason: `The redirects lead in a circle, back to ${cut(seen.final_url)}.`,
        event,
        details,
      }
    if (seen.end === 'too_many')
      return {
        status: 'down',
        code: 'too_many_redirects',
        reason: `The site redirected more than ${maxHopsSeen} times.`,
        event,
        details,
      }
    if (seen.failure) {
      const judgement = judgeFault({
        ...seen.failure,
        message: `Redirect ${redirects} leads nowhere: ${seen.failure.message}`,
      })
      return judgement.status === 'unknown' || judgement.status === 'up' ? judgement : { ...judgement, event, details }
    }
    const downgrade = settings.allow_downgrade ? undefined : downgradeIn(seen.hops)
    if (downgrade) return warn('downgrade', `A redirect leads from https to ${cut(downgrade)}.`)
    const status = seen.hops.at(-1)?.status ?? 0
    if (status >= 400)
      return warn('final_status', `The redirects end at ${cut(seen.final_url)}, which answers with status ${status}.`)
    if (settings.final_url !== null && !isAt(seen.final_url, settings.final_url))
      return warn(
        'unexpected_final_url',
        `The redirects end at ${cut(seen.final_url)} instead of ${cut(settings.final_url)}.`,
      )
    if (redirects > settings.max_hops)
      return warn('chain_too_long', `${redirects} redirects are more than ${settings.max_hops}.`)
    const before =
      settings.detect_changes && settings.final_url === null
        ? (seen.replaced ?? Before.safeParse(previous).data?.final_url)
        : undefined
    if (before !== undefined && placeOf(before) !== placeOf(seen.final_url))
      return warn('final_url_changed', `The redirects end at ${cut(seen.final_url)}, no longer at ${cut(before)}.`, {
        previous_final_url: before,
      })
    return judgeSpeed(phases.total, settings.degraded_after_ms)
  },
})

const Before = z.object({ end: z.literal('arrived'), final_url: z.string() })

/** The first http address after an https one. */
const downgradeIn = (hops: readonly { url: string }[]) =>
  hops.find((hop, index) => hop.url.startsWith('http:') && hops[index - 1]?.url.startsWith('https:'))?.url

/** An address without its query, which may differ at every visit. */
export function placeOf(text: string): string {
  const url = URL.parse(text)
  return url ? url.origin + url.pathname : text
}

function isAt(found: string, wanted: string): boolean {
  const [is, should] = [URL.parse(found), URL.parse(wanted)]
  return (
    is !== null &&
    should !== null &&
    placeOf(found) === placeOf(wanted) &&
    (should.search === '' || is.search === should.search)
  )
}

const cut = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
