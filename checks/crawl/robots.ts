import { Groups } from '#checks/robots-txt/groups.ts'
import { linesOf } from '#checks/robots-txt/rules.ts'

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
export function readRobots(text: string): Rules {
  let starred = 0
  const lines = linesOf(text).said.filter(({ field, value }) => {
    if (field !== 'allow' && field !== 'disallow') return true
    if (value.includes('*')) starred += value.length
    return value.length <= maxPattern
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

/** What an answer to the question for robots.txt means (RFC 9309, 2.3.1): none there allows all, a server in trouble nothing. */
export function rulesOf(answer: { status: number; text: string }): Rules {
  if (answer.status >= 200 && answer.status < 300) return readRobots(answer.text)
  return answer.status >= 500 ? nothing : everything
}
