import { createHash } from 'node:crypto'
import { Groups } from './groups.ts'

/** What a crawler must read at least (RFC 9309, 2.5); it may ignore the rest. */
export const maxBytes = 512_000
const maxListed = 20
const maxUrlChars = 2_048
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
  /** As written, at most 2,048 characters each. */
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
    sitemaps: valuesOf('sitemap')
      .filter(value => value.length <= maxUrlChars)
      .slice(0, maxListed),
    isAllowed(agent, path) {
      if (groups.isCut) return null
      const rules = groups.of(agent)
      steps += rules.cost(path.length)
      return steps > maxSteps ? null : rules.isAllowed(path)
    },
  }
}

/** Without the last line of a file that was cut off: half a rule would be another rule. */
export const wholeLines = (text: string, isCut: boolean) =>
  isCut ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1) : text

interface Line {
  field: string
  value: string
}

/** Longer lines are cut there, as by the reference parser: eight times the length of an address that browsers take. */
const maxLineChars = 16_663

/** Spellings that the reference parser takes for a field, also with more behind them. RFC 9309 asks for leniency. */
const spellings: readonly [RegExp, string][] = [
  [/^user[- ]?agent/, 'user-agent'],
  [/^(disallow|dissallow|dissalow|disalow|diasllow|disallaw)/, 'disallow'],
  [/^allow/, 'allow'],
  [/^site-?map/, 'sitemap'],
]

/** Lines that have a field, without comments, and the number of lines that are not empty. */
export function linesOf(text: string): { all: number; meaningful: Line[] } {
  const meaningful: Line[] = []
  let all = 0
  // of a broken byte order mark, which some editors leave, a replacement character remains
  for (const raw of text.replace(/^[\ufeff\ufffd]/, '').split(/\r\n|\r|\n/)) {
    if (raw === '') continue
    const comment = raw.indexOf('#')
    const line = trimmed((comment < 0 ? raw : raw.slice(0, comment)).slice(0, maxLineChars))
    if (line === '') continue
    all++
    const found = lineOf(line)
    if (found) meaningful.push(found)
  }
  return { all, meaningful }
}

function lineOf(line: string): Line | undefined {
  const colon = line.indexOf(':')
  if (colon === 0) return undefined
  // the reference parser takes two words for a line whose colon was forgotten
  const end = colon > 0 ? colon : /^[^ \t]+(?=[ \t]+[^ \t]+$)/.exec(line)?.[0].length
  if (end === undefined) return undefined
  const written = trimmed(line.slice(0, end)).toLowerCase()
  const field = spellings.find(([spelling]) => spelling.test(written))?.[1] ?? written
  return { field, value: trimmed(line.slice(end + 1)) }
}

/** Without white space of ASCII at both ends; that of other scripts belongs to a path. */
function trimmed(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isSpace(text.charCodeAt(from))) from++
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13)

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
