import { createHash } from 'node:crypto'
import { Groups } from './groups.ts'

/** What a crawler must read at least (RFC 9309, 2.5); it may ignore the rest. */
export const maxBytes = 512_000
const maxListed = 20
/** Most matching steps spent on one file; only a malicious file needs more. */
const maxSteps = 10_000_000
const fields = new Set([
  'user-agent',
  'allow',
  'disallow',
  'sitemap',
  'crawl-delay',
  'host',
  'clean-param',
  'noindex',
  'request-rate',
  'visit-time',
])

export interface Robots {
  /** Normalized lines: field in lower case, without comments. */
  lines: string[]
  /** Equal for files without a relevant change. */
  print: string
  /** Lines that are neither empty nor known to crawlers. */
  strange: number
  rules: number
  agents: string[]
  sitemaps: string[]
  /** Null when the evaluation would take too long, or when not all rules were read. */
  isAllowed(agent: string, path: string): boolean | null
}

export function readRobots(text: string): Robots {
  const { all, meaningful } = linesOf(text)
  const known = meaningful.filter(({ field }) => fields.has(field))
  const valuesOf = (name: string) => [
    ...new Set(known.flatMap(({ field, value }) => (field === name && value ? [value] : []))),
  ]
  const lines = known.map(({ field, value }) => `${field}: ${value}`)
  const groups = new Groups(meaningful)
  let steps = 0
  return {
    lines,
    print: createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16),
    strange: all - known.length,
    rules: known.filter(({ field }) => field === 'allow' || field === 'disallow').length,
    agents: valuesOf('user-agent').slice(0, maxListed).map(short),
    sitemaps: valuesOf('sitemap').slice(0, maxListed).map(short),
    isAllowed(agent, path) {
      if (groups.isCut) return null
      const rules = groups.of(agent)
      steps += rules.cost(path.length)
      return steps > maxSteps ? null : rules.isAllowed(path)
    },
  }
}

interface Line {
  field: string
  value: string
}

/** Lines with a known field, without comments, and the number of lines that are not empty. */
export function linesOf(text: string): { all: number; meaningful: Line[] } {
  const meaningful: Line[] = []
  let all = 0
  for (const raw of text.split(/\r\n|\r|\n/)) {
    if (raw === '') continue
    const line = raw.replace(/#.*/, '').trim()
    if (line === '') continue
    all++
    const colon = line.indexOf(':')
    if (colon > 0)
      meaningful.push({ field: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() })
  }
  return { all, meaningful }
}

export interface LineChanges {
  added: string[]
  removed: string[]
}

/** Added and removed lines, the first ten of each. */
export function changesBetween(before: readonly string[], now: readonly string[]): LineChanges {
  const lacking = (from: readonly string[], others: readonly string[]) => {
    const known = new Set(others)
    return [...new Set(from.filter(line => !known.has(line)))].slice(0, 10).map(line => line.slice(0, 200))
  }
  return { added: lacking(now, before), removed: lacking(before, now) }
}

const short = (text: string) => text.slice(0, 300)
