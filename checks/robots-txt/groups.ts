/** Rules read of one file; more would only serve to slow down its readers. */
const maxRules = 5_000

interface Rule {
  pattern: string
  isAllow: boolean
}

/** Rules between one list of names and the next. A crawler named several times has several groups. */
interface Group {
  rules: Rule[]
  delay: number | undefined
}

/** The rules of a robots.txt for one crawler, the deciding rule first. */
export interface CrawlerRules {
  /** Seconds. */
  delay: number | undefined
  /** The most a query costs, in characters compared, for a path of this length. */
  cost(pathChars: number): number
  isAllowed(path: string): boolean
}

/** A robots.txt by RFC 9309: groups of rules by the names of crawlers. Parsing takes linear time. */
export class Groups {
  readonly #byName = new Map<string, Group[]>()
  readonly #known = new Map<string, CrawlerRules>()
  #rules = 0

  constructor(lines: Iterable<{ field: string; value: string }>) {
    let group: Group | undefined
    let isNaming = false
    for (const { field, value } of lines) {
      if (field === 'user-agent') {
        if (!isNaming) group = { rules: [], delay: undefined }
        if (value && group) this.#name(nameOf(value), group)
      } else if (group) this.#take(group, field, value)
      isNaming = field === 'user-agent'
    }
  }

  /** Rules were left out. */
  get isCut(): boolean {
    return this.#rules > maxRules
  }

  of(crawler: string): CrawlerRules {
    const name = nameOf(crawler)
    const known = this.#known.get(name) ?? rulesOf(this.#byName.get(name) ?? this.#byName.get('*') ?? [])
    this.#known.set(name, known)
    return known
  }

  #name(name: string, group: Group): void {
    const groups = this.#byName.get(name)
    if (!groups) this.#byName.set(name, [group])
    else if (groups.at(-1) !== group) groups.push(group)
  }

  #take(group: Group, field: string, value: string): void {
    if (field === 'crawl-delay' && value !== '' && !Number.isNaN(Number(value))) group.delay = Number(value)
    if ((field !== 'allow' && field !== 'disallow') || value === '') return
    if (++this.#rules <= maxRules) group.rules.push({ pattern: normal(value), isAllow: field === 'allow' })
  }
}

function rulesOf(groups: readonly Group[]): CrawlerRules {
  // of two matching rules the longer one decides, and of two equally long ones the one that allows
  const rules = groups
    .flatMap(group => group.rules)
    .sort((a, b) => b.pattern.length - a.pattern.length || Number(b.isAllow) - Number(a.isAllow))
  let plain = 0
  let starred = 0
  for (const { pattern } of rules) {
    if (pattern.includes('*')) starred += pattern.length
    else plain += pattern.length
  }
  return {
    delay: groups.findLast(({ delay }) => delay !== undefined)?.delay,
    cost: pathChars => rules.length + plain + starred * pathChars,
    isAllowed(path) {
      const asked = upper(path)
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

/** In lower case and without a version. */
const nameOf = (text: string) => (text.toLowerCase().split('/', 1)[0] ?? '').trim()

const upper = (path: string) => path.replace(/%[0-9a-f]{2}/gi, byte => byte.toUpperCase())

/** Normal form of the path of a URL. */
function normal(pattern: string): string {
  try {
    return upper(encodeURI(pattern).replaceAll('%25', '%'))
  } catch {
    return pattern
  }
}
