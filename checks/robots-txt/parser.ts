import { createRequire } from 'node:module'

interface Parsed {
  /** Undefined: no rule speaks of it. */
  isAllowed(url: string, robot: string): boolean | undefined
  /** Seconds. */
  getCrawlDelay(robot: string): number | undefined
}

/** Matching by RFC 9309. Its own types promise a default export that is not there. */
export const parseRobots: (url: string, text: string) => Parsed = createRequire(import.meta.url)('robots-parser')
