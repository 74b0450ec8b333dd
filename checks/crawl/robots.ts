import { Groups } from '#checks/robots-txt/groups.ts'
import { linesOf, wholeLines } from '#checks/robots-txt/rules.ts'

/** Our name in robots.txt; every request carries the full user agent. */
export const robotName = 'VedetteCrawler'
export const userAgent = 'VedetteCrawler/1.0 (site check asked for by its owner)'

/** RFC 9309 requires at least 500 KiB. */
export const robotsBytes = 512_000
/** The largest crawl delay that is respected; larger ones are reduced to it. */
export const longestDelayMs = 30_000
const maxPattern = 1_000
const maxStarred = 32_000

export interface Rules {
  allows(url: URL): boolean
  delayMs: number
}

export const everything: Rules = { allows: () => true, delayMs: 0 }
export const nothing: Rules = { allows: () => false, delayMs: 0 }

/**
 * The rules of a robots.txt for our crawler. A long pattern is cut, which refuses more, and does not allow anything; if
 * there are many that are expensive to match, everything is refused.
 */
export function readRobots(text: string): Rules {
  let starred = 0
  const lines = linesOf(text).meaningful.map(({ field, value }) => {
    if (field !== 'allow' && field !== 'disallow') return { field, value }
    if (value.includes('*')) starred += value.length
    if (value.length <= maxPattern) return { field, value }
    return { field, value: field === 'allow' ? '' : value.slice(0, maxPattern) }
  })
  const groups = new Groups(lines)
  if (starred > maxStarred || groups.isCut) return nothing
  const rules = groups.of(robotName)
  const { delay } = rules
  return {
    allows: page => rules.isAllowed(page.pathname + page.search),
    delayMs: delay !== undefined && delay > 0 ? Math.min(delay * 1_000, longestDelayMs) : 0,
  }
}

/**
 * What the response to a request for robots.txt means (RFC 9309, 2.3.1): not found allows everything, a server error
 * nothing.
 */
export function rulesOf(answer: { status: number; text: string; truncated: boolean }): Rules {
  if (answer.status >= 200 && answer.status < 300) return readRobots(wholeLines(answer.text, answer.truncated))
  return answer.status >= 500 ? nothing : everything
}
