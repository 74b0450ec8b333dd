/** Rules read of one file; more would only serve to slow down its readers. */
const maxRules = 5_000

interface Rule {
  pattern: string
  /** Of the pattern as its author counts it: the longest rule decides. */
  length: number
  isAllow: boolean
}

/** Rules between one list of names and the next. A crawler named several times has several groups. */
interface Group {
  rules: Rule[]
  delays: number
  delay: number | undefined
}

interface Membership {
  group: Group
  /** Delays of the group before the crawler was named: those do not concern it. */
  delaysBefore: number
}

/** The rules of a robots.txt for one crawler, the deciding rule first. */
export interface CrawlerRules {
  /** Seconds. */
  delay: number | undefined
  /** The most a query costs, in characters compared, for a path of this length. */
  cost(pathChars: number): number
  isAllowed(path: string): boolean
}

/**
 * A robots.txt by RFC 9309: groups of rules by the names of crawlers. Only a rule ends a list of names; every other
 * line leaves it as it is (2.1, 2.2.4). Parsing takes linear time.
 */
export class Groups {
  readonly #byName = new Map<string, Membership[]>()
  readonly #known = new Map<string, CrawlerRules>()
  #rules = 0

  constructor(lines: Iterable<{ field: string; value: string }>) {
    let group: Group | undefined
    let isNaming = false
    for (const { field, value } of lines) {
      if (field === 'user-agent') {
        if (!isNaming || !group) group = { rules: [], delays: 0, delay: undefined }
        isNaming = true
        for (const name of namesIn(value)) this.#name(name, group)
      } else if (group && field === 'crawl-delay') delayBy(group, value)
      else if (group && (field === 'allow' || field === 'disallow')) {
        isNaming = false
        this.#rule(group, value, field === 'allow')
      }
    }
  }

  /** Rules were left out. */
  get isCut(): boolean {
    return this.#rules > maxRules
  }

  of(crawler: string): CrawlerRules {
    const name = crawler.toLowerCase().split('/', 1)[0]?.trim() ?? ''
    const known = this.#known.get(name) ?? rulesOf(this.#byName.get(name) ?? this.#byName.get('*') ?? [])
    this.#known.set(name, known)
    return known
  }

  #name(name: string, group: Group): void {
    const memberships = this.#byName.get(name)
    const membership = { group, delaysBefore: group.delays }
    if (!memberships) this.#byName.set(name, [membership])
    else if (memberships.at(-1)?.group !== group) memberships.push(membership)
  }

  #rule(group: Group, value: string, isAllow: boolean): void {
    if (value === '' || ++this.#rules > maxRules) return
    group.rules.push(ruleOf(value, isAllow))
    // for the reference parser, to allow a folder's index is to allow the folder
    const index = isAllow ? /^(.*\/)index\.htm[^/]*$/.exec(value)?.[1] : undefined
    if (index !== undefined && ++this.#rules <= maxRules) group.rules.push(ruleOf(`${index}$`, isAllow))
  }
}

function delayBy(group: Group, value: string): void {
  if (value === '' || Number.isNaN(Number(value))) return
  group.delay = Number(value)
  group.delays++
}

function rulesOf(memberships: readonly Membership[]): CrawlerRules {
  // of two matching rules the longer one decides, and of two equally long ones the one that allows
  const rules = memberships
    .flatMap(({ group }) => group.rules)
    .sort((a, b) => b.length - a.length || Number(b.isAllow) - Number(a.isAllow))
  let plain = 0
  let starred = 0
  for (const { pattern } of rules) {
    if (pattern.includes('*')) starred += pattern.length
    else plain += pattern.length
  }
  return {
    delay: memberships.findLast(({ group, delaysBefore }) => group.delays > delaysBefore)?.group.delay,
    cost: pathChars => rules.length + plain + starred * pathChars,
    isAllowed(path) {
      if (path === '/robots.txt') return true
      const asked = normal(path).replaceAll('*', '%2A').replaceAll('$', '%24')
      return rules.find(({ pattern }) => matches(pattern, asked))?.isAllow ?? true
    },
  }
}

/** Whether the pattern matches the beginning of the path: `*` matches anything, `$` at the end matches the end. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const end = isWhole ? pattern.length - 1 : pattern.length
  let at = 0
  let star = -1
  let starAt = 0
  for (let place = 0; place < path.length; ) {
    if (at === end && !isWhole) return true
    if (at < end && pattern[at] === '*') {
      star = at++
      starAt = place
    } else if (at < end && pattern.charCodeAt(at) === path.charCodeAt(place)) {
      at++
      place++
    } else if (star < 0) return false
    else {
      at = star + 1
      place = ++starAt
    }
  }
  while (at < end && pattern[at] === '*') at++
  return at === end
}

/**
 * The names of crawlers that a line means, in lower case. A name is letters, `_` and `-` (2.2.1): like the reference
 * parser we stop at the first other sign. The whole first word is kept too, for crawlers whose names have digits.
 */
function namesIn(value: string): Set<string> {
  if (/^\*(\s|$)/.test(value)) return new Set(['*'])
  const words = [/^[a-z_-]+/i, /^[^\s/*]+/].flatMap(name => name.exec(value)?.[0].toLowerCase() ?? [])
  return new Set(words)
}

function ruleOf(value: string, isAllow: boolean): Rule {
  const pattern = normal(value)
  const end = pattern.endsWith('$') ? pattern.length - 1 : pattern.length
  return {
    pattern: pattern.slice(0, end).replaceAll('$', '%24') + pattern.slice(end),
    length: pattern.length,
    isAllow,
  }
}

const unreserved = /[a-z0-9._~-]/i

/**
 * The form in which paths are compared (2.2.2): what a URL cannot contain is percent-encoded, and an escape that need
 * not be one is decoded. URLs of browsers encode `'` in a query.
 */
const normal = (text: string) =>
  text
    .toWellFormed()
    .replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent)
    .replaceAll("'", '%27')
    .replace(/%[0-9a-f]{2}/gi, octet => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
      return unreserved.test(character) ? character : octet.toUpperCase()
    })
