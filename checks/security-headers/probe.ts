import type { z } from 'zod'
import { parseWebUrl } from '#checks/http/ask.ts'
import { get, type Page, shownUrl, textOfPage, type Walk, walk } from '#checks/http/get.ts'
import { News } from '#checks/news.ts'
import type { Probe, Reach } from '#checks/probe.ts'
import { RunFailure } from '#contract/check.ts'
import { weaknessesOf } from './evaluate.ts'
import type { securityHeaders } from './kind.ts'
import { readPage } from './page.ts'
import { scoreSite } from './score.ts'
import { type Grade, gradesLost, scoring } from './table.ts'

type Settings = z.output<(typeof securityHeaders)['settings']>

const news = new News<{ grade: Grade; score: number }>()
const maxBytes = 1_048_576
const maxHops = 10
/** Who asks whether just anybody may read the site's answers; nobody, by RFC 2606. */
const stranger = 'https://stranger.example'
/** Five times as many as a browser keeps of one site. */
const maxCookies = 1_000
const headers = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

/** Looks at the site as it begins with https and as it begins with http, and asks once more as a stranger. */
export const probeSecurityHeaders: Probe<typeof securityHeaders> = async (target, settings, reach) => {
  const start = performance.now()
  const wanted = { maxBytes, maxHops, headers, terms: { verify_tls: false, ip_version: settings.ip_version } }
  const url = parseWebUrl(target.url)
  const [secure, plain] = await Promise.all(doorsOf(url).map(door => (door ? enter(door, reach, settings) : null)))
  const main = secure?.page || url.protocol === 'https:' ? secure : plain
  const page = main?.page
  if (!page) throw main?.failure ?? new RunFailure('unsupported', 'request', 'The monitor has no web address.')
  const isHtml = /^(text\/html|application\/xhtml\+xml)?\s*(;|$)/i.test(page.headers.contentType ?? '')
  const cors = await get(page.url, reach, { ...wanted, maxBytes: 0, headers: { ...headers, origin: stranger } })
  const scored = scoreSite({
    url: page.url,
    headers: page.headers,
    page: isHtml ? readPage(textOfPage(page)) : null,
    cookies: main.pages.flatMap(each => each.headers.each('set-cookie') ?? []).slice(0, maxCookies),
    https: secure?.page ? (secure.page.untrusted === null ? 'trusted' : 'untrusted') : 'none',
    route: plain?.page ? plain.pages.map(({ url }) => url) : null,
    isRouteTrusted: plain?.page?.untrusted === null,
    cors: { origin: stranger, headers: cors.headers },
    now: reach.now(),
  })
  const settled = [secure, plain].every(each => !each?.failure || each.failure.code === 'refused')
  const before =
    settled && page.status < 500
      ? news.note(target.url, scored.grade, { grade: scored.grade, score: scored.score }, performance.now())
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
  /** Every answer on the way, the last one included. */
  pages: Page[]
  page: Page | null
  failure: RunFailure | null
}

/** The address over https and over http; a port of its own speaks only one of them. */
function doorsOf(url: URL): [secure: URL | null, plain: URL | null] {
  if (url.port) return url.protocol === 'https:' ? [url, null] : [null, url]
  const [secure, plain] = [new URL(url), new URL(url)]
  secure.protocol = 'https:'
  plain.protocol = 'http:'
  return [secure, plain]
}

/** A door nobody answers at is a finding. It gets half of the time, so that the other one can still be looked at. */
async function enter(url: URL, reach: Reach, { ip_version, timeout_ms }: Settings): Promise<Entered> {
  const signal = AbortSignal.any([reach.signal, AbortSignal.timeout(Math.ceil(timeout_ms / 2))])
  try {
    const { redirects, end } = await walk(
      url,
      { ...reach, signal },
      { maxBytes, maxHops, headers, terms: { verify_tls: false, ip_version } },
    )
    if (end.code === 'arrived') return { pages: [...redirects, end.page], page: end.page, failure: null }
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
