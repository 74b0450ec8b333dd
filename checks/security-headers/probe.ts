import type { z } from 'zod'
import type { Cookies } from '#checks/http/cookies.ts'
import type { AnswerHeaders } from '#checks/http/exchange.ts'
import { get, type Page, shownUrl, textOfPage, type Walk, walk } from '#checks/http/get.ts'
import { isRedirect } from '#checks/http/redirect.ts'
import { parseWebUrl } from '#checks/http/send.ts'
import type { Probe, ProbeContext } from '#checks/probe.ts'
import { RecentChanges } from '#checks/recent-changes.ts'
import { RunFailure } from '#contract/check.ts'
import { weaknessesOf } from './evaluate.ts'
import type { securityHeaders } from './kind.ts'
import { readPage } from './page.ts'
import { scoreSite } from './score.ts'
import { type Grade, gradesLost, scoring } from './table.ts'

type Settings = z.output<(typeof securityHeaders)['settings']>

const changes = new RecentChanges<{ grade: Grade; score: number }>()
const maxBytes = 1_048_576
const maxHops = 10
/** An origin that no site trusts on purpose (RFC 2606), to test whether any site may read the responses. */
const foreignOrigin = 'https://stranger.example'
/** Five times as many as a browser stores for one site. */
const maxCookies = 1_000
const headers = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

/** Requests the site over https and over http, and once more with a foreign origin. */
export const probeSecurityHeaders: Probe<typeof securityHeaders> = async (target, settings, context) => {
  const start = performance.now()
  const options = {
    maxBytes,
    maxHops,
    headers,
    settings: { verify_tls: false, ip_version: settings.ip_version },
  }
  const url = parseWebUrl(target.url)
  const [secure, plain] = await Promise.all(
    entriesOf(url).map(entry => (entry ? enter(entry, context, settings) : null)),
  )
  const main = secure?.page || url.protocol === 'https:' ? secure : plain
  const page = main?.page
  if (!page) throw main?.failure ?? new RunFailure('unsupported', 'request', 'The monitor has no web address.')
  const cors = await get(page.url, context, {
    ...options,
    maxBytes: 0,
    headers: { ...headers, origin: foreignOrigin },
    cookies: main.cookies,
  })
  const scored = scoreSite({
    url: page.url,
    headers: page.headers,
    page: isHtml(page.headers) ? readPage(textOfPage(page)) : null,
    cookies: main.pages.flatMap(each => each.headers.each('set-cookie') ?? []).slice(0, maxCookies),
    https: secure?.page ? (secure.page.untrusted === null ? 'trusted' : 'untrusted') : 'none',
    route: plain?.page ? plain.pages.map(({ url }) => url) : null,
    isRouteTrusted: plain?.page?.untrusted === null,
    cors: { origin: foreignOrigin, headers: cors.headers },
    now: context.now(),
  })
  const settled = [secure, plain].every(each => !each?.failure || each.failure.code === 'refused')
  const before =
    settled && page.status < 500
      ? changes.observe(target.url, scored.grade, { grade: scored.grade, score: scored.score }, performance.now())
      : null
  const policy = page.headers.each('content-security-policy')?.join('; ')
  const seen = {
    url: shownUrl(page.url.href),
    status: page.status,
    scoring,
    ...scored,
    policy: policy ? weaknessesOf(policy) : [],
    missing: settings.required.filter(name => page.headers.get(name) === undefined),
    settled,
    dropped_from: before && gradesLost(before.grade, scored.grade) > 0 ? before : null,
  }
  return { seen, phases: { ...page.phases, total: performance.now() - start }, address: page.address }
}

interface Entered {
  /** Every response on the way, the last one included. */
  pages: Page[]
  page: Page | null
  failure: RunFailure | null
  cookies?: Cookies
}

const isHtml = ({ contentType = '' }: AnswerHeaders) =>
  /^(text\/html|application\/xhtml\+xml)?\s*(;|$)/i.test(contentType)
/** A page that never ends is judged by what came in time; what is no page is not read. */
const reading = {
  wantsBody: (status: number, each: AnswerHeaders) => !isRedirect(status) && isHtml(each),
  acceptsPart: true,
}

/** The address over https and over http; a custom port speaks only one of them. */
function entriesOf(url: URL): [secure: URL | null, plain: URL | null] {
  if (url.port) return url.protocol === 'https:' ? [url, null] : [null, url]
  const [secure, plain] = [new URL(url), new URL(url)]
  secure.protocol = 'https:'
  plain.protocol = 'http:'
  return [secure, plain]
}

/** An entry without a response is a finding. It gets half of the time, so that the other entry can still be checked. */
async function enter(url: URL, context: ProbeContext, { ip_version, timeout_ms }: Settings): Promise<Entered> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(Math.ceil(timeout_ms / 2))])
  try {
    const { redirects, end, cookies } = await walk(
      url,
      { ...context, signal },
      { maxBytes, maxHops, headers, settings: { verify_tls: false, ip_version }, ...reading },
    )
    if (end.code === 'arrived') return { pages: [...redirects, end.page], page: end.page, failure: null, cookies }
    return { pages: redirects, page: null, failure: failureOf(end) }
  } catch (error) {
    if (error instanceof RunFailure) return { pages: [], page: null, failure: error }
    throw error
  }
}

const failureOf = (end: Exclude<Walk['end'], { code: 'arrived' }>) =>
  end.code === 'failed'
    ? end.failure
    : new RunFailure('too_many_redirects', 'first_byte', 'The site redirects in a circle, or too often.')
