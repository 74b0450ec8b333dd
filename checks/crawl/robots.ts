import { parseRobots } from '#checks/robots-txt/parser.ts'

/** The name by which robots.txt may speak to us; in full it is sent with every request. */
export const robotName = 'VedetteCrawler'
export const userAgent = 'VedetteCrawler/1.0 (site check asked for by its owner)'

/** RFC 9309 asks for 500 KiB at the least. */
export const robotsBytes = 512_000
/** A site that wants to be asked more rarely than that is asked that often. */
export const longestDelayMs = 30_000
const maxPattern = 1_000
const maxStarred = 32_000

export interface Rules {
  allows(url: URL): boolean
  delayMs: number
}

export const everything: Rules = { allows: () => true, delayMs: 0 }
export const nothing: Rules = { allows: () => false, delayMs: 0 }

/** What a robots.txt says to us. Lines that could keep a matcher busy for long are left out; if most of it is such, it is heard as a refusal. */
export function readRobots(url: URL, text: string): Rules {
  let starred = 0
  const lines = text.split(/\r\n|\r|\n/).filter(line => {
    if (!/^\s*(dis)?allow\s*:/i.test(line)) return true
    if (line.includes('*')) starred += line.length
    return line.length <= maxPattern
  })
  if (starred > maxStarred) return nothing
  const robots = parseRobots(url.href, lines.join('\n'))
  const delay = robots.getCrawlDelay(robotName)
  return {
    allows: page => robots.isAllowed(page.href, robotName) !== false,
    delayMs: delay !== undefined && delay > 0 ? Math.min(delay * 1_000, longestDelayMs) : 0,
  }
}

/** What an answer to the question for robots.txt means (RFC 9309, 2.3.1): none there allows all, a server in trouble nothing. */
export function rulesOf(url: URL, answer: { status: number; text: string }): Rules {
  if (answer.status >= 200 && answer.status < 300) return readRobots(url, answer.text)
  return answer.status >= 500 ? nothing : everything
}
