import { createHash } from 'node:crypto'
import { parseRobots } from './parser.ts'

/** What a crawler must read at least (RFC 9309, 2.5); the rest it may leave. */
export const maxBytes = 512_000
const maxListed = 20
/** Steps of matching that one file is worth; more is only needed by who means to keep us busy. */
const maxSteps = 10_000_000
const fields = new Set(['user-agent', 'allow', 'disallow', 'sitemap', 'crawl-delay', 'host', 'clean-param', 'noindex', 'request-rate', 'visit-time'])

export interface Robots {
  /** Lines that say something, the way they are compared: field in lower case, comments gone. */
  lines: string[]
  /** The same for files between which there is no change. */
  print: string
  /** Lines that are neither empty nor anything a crawler knows. */
  strange: number
  rules: number
  agents: string[]
  sitemaps: string[]
  /** Null when finding out would take too long. */
  isAllowed(agent: string, path: string): boolean | null
}

export function readRobots(origin: string, text: string): Robots {
  const all = text.split(/\r\n|\r|\n/).map(line => line.replace(/#.*/, '').trim())
  const said = all.flatMap(line => {
    const colon = line.indexOf(':')
    const field = line.slice(0, colon).trim().toLowerCase()
    return colon > 0 && fields.has(field) ? [{ field, value: line.slice(colon + 1).trim() }] : []
  })
  const valuesOf = (name: string) => [...new Set(said.flatMap(({ field, value }) => (field === name && value ? [value] : [])))]
  const lines = said.map(({ field, value }) => `${field}: ${value}`)
  const patterns = said.filter(({ field }) => field === 'allow' || field === 'disallow').map(({ value }) => value)
  const [plain, starred] = [lengthOf(patterns.filter(each => !each.includes('*'))), lengthOf(patterns.filter(each => each.includes('*')))]
  let steps = 0
  const parsed = parseRobots(`${origin}/robots.txt`, text)
  return {
    lines,
    print: createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16),
    strange: all.filter(Boolean).length - said.length,
    rules: patterns.length,
    agents: valuesOf('user-agent').slice(0, maxListed).map(short),
    sitemaps: valuesOf('sitemap').slice(0, maxListed).map(short),
    isAllowed(agent, path) {
      steps += plain + starred * path.length
      return steps > maxSteps ? null : (parsed.isAllowed(`${origin}${path}`, agent) ?? true)
    },
  }
}

export interface LineChanges {
  added: string[]
  removed: string[]
}

/** What is new and what is gone, the first ten of each. */
export function changesBetween(before: readonly string[], now: readonly string[]): LineChanges {
  const lacking = (from: readonly string[], others: readonly string[]) => {
    const known = new Set(others)
    return [...new Set(from.filter(line => !known.has(line)))].slice(0, 10).map(line => line.slice(0, 200))
  }
  return { added: lacking(now, before), removed: lacking(before, now) }
}

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0)
const short = (text: string) => text.slice(0, 300)
