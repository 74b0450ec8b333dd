import { type Page, shownUrl, textOfPage, type Walk, walk } from '#checks/http/get.ts'
import { parseWebUrl } from '#checks/http/send.ts'
import type { Probe } from '#checks/probe.ts'
import { RecentChanges } from '#checks/recent-changes.ts'
import { RunFailure } from '#contract/check.ts'
import type { robotsTxt } from './kind.ts'
import { changesBetween, maxBytes, type Robots, readRobots, wholeLines } from './rules.ts'

/** Lines of each file kept to describe changes; few, so that a thousand files stay small. */
const recentChanges = new RecentChanges<string[]>(2_000)
const maxLines = 200

/** RFC 9309: at least five redirects are followed and the first 500 KiB are read. */
export const probeRobotsTxt: Probe<typeof robotsTxt> = async (target, settings, context) => {
  const { origin } = parseWebUrl(target.url)
  const { verify_tls, ip_version } = settings
  const options = {
    maxBytes,
    maxHops: 5,
    headers: { accept: 'text/plain,*/*;q=0.8' },
    settings: { verify_tls, ip_version },
  }
  const { page, phases } = lastPage(await walk(new URL('/robots.txt', origin), context, options))
  if (page.status < 200) throw new RunFailure('protocol', 'first_byte', 'The target gave no answer of use.')
  const state = page.status < 300 ? 'read' : page.status < 500 ? 'unavailable' : 'unreachable'
  const text = state === 'read' ? wholeLines(textOfPage(page), page.truncated) : ''
  const read = readRobots(text)
  const isHtml = state === 'read' && looksLikeHtml(page, text, read)
  const robots = isHtml ? readRobots('') : read
  let isTooComplex = false
  const mayEnter = (agent: string, path: string) => {
    const allowed = robots.isAllowed(agent, path)
    if (allowed === null) isTooComplex = true
    return state === 'unreachable' ? false : allowed
  }
  const outcomes = (paths: readonly string[], options: boolean) =>
    settings.user_agents
      .flatMap(agent => paths.flatMap(path => (mayEnter(agent, path) === options ? [{ agent, path }] : [])))
      .slice(0, 50)
  const lines = robots.lines.slice(0, maxLines).map(line => line.slice(0, 200))
  const before = state === 'unreachable' ? null : recentChanges.observe(origin, robots.print, lines, performance.now())
  const blocked = settings.user_agents.filter(agent => state === 'read' && isShutOut(agent))
  const refused = outcomes(settings.must_allow, false)
  const open = outcomes(settings.must_disallow, true)
  const seen = {
    url: shownUrl(page.url.href),
    status: page.status,
    state,
    bytes: page.bytes,
    truncated: page.truncated,
    is_html: isHtml,
    print: robots.print,
    rules: robots.rules,
    strange_lines: robots.strange,
    agents: robots.agents,
    sitemaps: robots.sitemaps.map(each => each.slice(0, 300)),
    too_complex: isTooComplex,
    blocked,
    refused,
    open,
    changes: before && changesBetween(before, lines),
  } as const
  return { seen, phases, address: page.address }

  /** Neither the front page nor any path that must be allowed is accessible. */
  function isShutOut(agent: string): boolean {
    if (mayEnter(agent, '/') !== false) return false
    const named = robots.lines.flatMap(line => /^allow: (\/[^*$\s]*)/.exec(line)?.[1] ?? []).slice(0, 10)
    return !named.some(path => mayEnter(agent, path))
  }
}

/** Where the redirects end. A file behind too many of them is unavailable, like a missing one (RFC 9309, 2.3.1.2). */
function lastPage({ redirects, end, phases }: Walk): { page: Page; phases: Page['phases'] } {
  if (end.code === 'failed') {
    end.failure.phases = phases
    throw end.failure
  }
  return { page: end.code === 'arrived' ? end.page : redirects.at(-1)!, phases }
}

/** Many servers send text as HTML; crawlers read the rules nevertheless. */
const looksLikeHtml = ({ headers }: Page, text: string, { lines }: Robots) =>
  /^\s*<(!doctype|html|head|body|\?xml)/i.test(text) ||
  (/^text\/html/i.test(headers.contentType ?? '') && lines.length === 0 && text.trim() !== '')
