import { Markup } from '#checks/http/markup.ts'
import { type Form, forms, isForm, type Root } from './forms.ts'
import { maxExamples, type Place, type Problems } from './problems.ts'

/** The limits of the protocol (sitemaps.org), of one decompressed file. */
export const maxBytes = 52_428_800
export const maxEntries = 50_000
const maxUrlChars = 2_048
const maxTextChars = 4_096
const maxForeignHosts = 100
const dayMs = 86_400_000
const w3cDate = /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?)?)?$/
/** A date of RSS (RFC 822). */
const mailDate =
  /^([A-Z][a-z]{2}, ?)?\d{1,2} [A-Z][a-z]{2} (\d{2}|\d{4}) \d\d:\d\d(:\d\d)? (UTC?|GMT|Z|[ECMP][SD]T|[+-]\d{4})$/

/** What one run reads of all sitemaps together: about half a million addresses, and at most two seconds of CPU time. */
export class Allowance {
  #chars = 100_000_000
  #tags = 4_000_000

  get isSpent() {
    return this.#chars < 0 || this.#tags < 0
  }

  spendChars(chars: number): void {
    this.#chars -= chars
  }

  spendTag(): void {
    this.#tags--
  }
}

/** Parses a sitemap in any of its forms as a stream and reports each entry; faults go into `problems`. */
export class Entries {
  root: Root | null = null
  count = 0
  newest: Date | null = null
  readonly #problems: Problems
  readonly #place: Place
  readonly #now: number
  readonly #onEntry: (url: URL, root: Root) => void
  readonly #allowance: Allowance
  readonly #foreign = new Map<string, { count: number; examples: string[] }>()
  #reader: Markup | Lines | undefined
  #form: Form = forms.urlset
  #prefix = ''
  #path: string[] = []
  /** There was no text since the last opening tag. */
  #isFresh = false
  #isMalformed = false
  #text = ''
  #loc = ''
  #date = ''

  constructor(
    place: Place,
    problems: Problems,
    now: number,
    onEntry: (url: URL, root: Root) => void,
    allowance = new Allowance(),
  ) {
    this.#allowance = allowance
    this.#place = place
    this.#problems = problems
    this.#now = now
    this.#onEntry = onEntry
  }

  /** Returns whether more is wanted. */
  write(text: string): boolean {
    this.#allowance.spendChars(text.length)
    this.#reader ??= this.#readerOf(text)
    if (!this.#allowance.isSpent) this.#reader?.write(text)
    return !this.#reader?.isOver && !this.#allowance.isSpent
  }

  end(): void {
    if (this.#allowance.isSpent) return
    if (this.#reader?.isOver) {
      if (this.#reader.isHostile) this.#malformed()
      return
    }
    this.#reader?.end()
    if (this.#reader?.isOver) return
    if (this.root === null) this.#problems.add('not_a_sitemap', this.#place.href)
    else if (this.count === 0) this.#problems.add('empty', this.#place.href)
  }

  /** Reports the addresses of other hosts than these, once it is known where redirects ended. */
  judgeHosts(own: ReadonlySet<string>): void {
    for (const [host, { count, examples }] of this.#foreign)
      if (!own.has(host)) this.#problems.add('foreign_url', examples, count)
  }

  /** By the first sign that is no white space. */
  #readerOf(text: string): Markup | Lines | undefined {
    const first = text.trimStart()[0]
    if (first === undefined) return undefined
    return first === '<' ? this.#markup() : new Lines(line => this.#line(line))
  }

  #markup(): Markup {
    return new Markup(
      {
        open: (name, attributes) => this.#open(name, attributes),
        close: (name, isImplied) => this.#close(name, isImplied),
        text: text => {
          this.#isFresh = false
          if (this.#path.length === this.#form.depth + 1 && this.#text.length < maxTextChars) this.#text += text
        },
        instruction: text => {
          // a sitemap needs a document type only to define entities
          if (/^!doctype/i.test(text)) this.#give('doctype')
        },
        unescaped: () => this.#malformed(),
      },
      { isXml: true },
    )
  }

  #give(code: 'doctype' | 'not_a_sitemap' | 'too_many_entries'): void {
    this.#problems.add(code, this.#place.href)
    this.#reader?.stop()
  }

  /** Once a file. */
  #malformed(): void {
    if (!this.#isMalformed) this.#problems.add('malformed', this.#place.href)
    this.#isMalformed = true
  }

  #spendTag(): void {
    this.#allowance.spendTag()
    if (this.#allowance.isSpent) this.#reader?.stop()
  }

  #line(line: string) {
    this.#spendTag()
    const loc = line.trim()
    if (loc === '') return
    if (this.root === null) {
      if (!webUrl(loc)) return this.#give('not_a_sitemap')
      this.root = 'text'
    }
    this.#loc = loc
    this.#entry(this.root)
  }

  #open(name: string, attributes: Readonly<Record<string, string>>) {
    this.#spendTag()
    this.#path.push(name)
    this.#isFresh = true
    this.#text = ''
    if (this.#path.length === 1 && this.root === null) this.#begin(name)
    if (this.#path.length === this.#form.depth) [this.#loc, this.#date] = ['', '']
    const isLink = this.root === 'feed' && this.#path.length === 3 && this.#localOf(name) === 'link'
    if (isLink && this.#loc === '' && (attributes.rel ?? 'alternate') === 'alternate')
      this.#loc = absolute(attributes.href, this.#place.href)
  }

  #begin(root: string) {
    const [local = '', prefix] = root.split(':').toReversed()
    if (!isForm(local)) return this.#give('not_a_sitemap')
    this.root = local
    this.#form = forms[local]
    this.#prefix = prefix === undefined ? '' : `${prefix}:`
  }

  #localOf(name: string): string {
    return name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : name
  }

  #close(name: string, isImplied: boolean) {
    // a self-closing tag is reported as implied too
    if (isImplied && !this.#isFresh) this.#malformed()
    this.#isFresh = false
    const depth = this.#path.length
    this.#path.pop()
    const local = this.#localOf(name)
    const { entry, dates } = this.#form
    if (depth === this.#form.depth + 1) {
      if (local === (this.root === 'rss' ? 'link' : 'loc')) this.#loc = this.#text.trim()
      if (dates.includes(local) && this.#date === '') this.#date = this.#text.trim()
    }
    if (depth === this.#form.depth && local === entry && this.root !== null) this.#entry(this.root)
  }

  #entry(root: Root) {
    const [loc, date] = [this.#loc, this.#date]
    this.#loc = ''
    this.#date = ''
    this.count++
    if (this.count > maxEntries) return this.#give('too_many_entries')
    if (date) this.#dated(date, root)
    const url = loc.length <= maxUrlChars ? webUrl(loc) : null
    if (!url) return this.#problems.add('bad_url', loc)
    if (url.hostname !== this.#place.hostname) this.#strange(url.hostname, loc)
    else if (this.#place.protocol === 'https:' && url.protocol === 'http:') this.#problems.add('insecure_url', loc)
    this.#onEntry(url, root)
  }

  #strange(host: string, loc: string) {
    const known = this.#foreign.get(host) ?? { count: 0, examples: [] }
    if (known.count === 0 && this.#foreign.size >= maxForeignHosts) return this.#problems.add('foreign_url', loc)
    known.count++
    if (known.examples.length < maxExamples) known.examples.push(loc)
    this.#foreign.set(host, known)
  }

  #dated(text: string, root: Root): void {
    const isFeed = root === 'rss' || root === 'feed'
    const date = (w3cDate.test(text) && isOfCalendar(text)) || (isFeed && mailDate.test(text)) ? new Date(text) : null
    if (!date || Number.isNaN(date.getTime())) this.#problems.add('lastmod_invalid', text)
    else if (date.getTime() > this.#now + dayMs) this.#problems.add('lastmod_future', text)
    else if (!this.newest || date > this.newest) this.newest = date
  }
}

/** The lines of a text that comes in pieces, of each as much as matters. */
class Lines {
  readonly isHostile = false
  readonly #onLine: (line: string) => void
  #rest = ''
  #isOver = false

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  get isOver() {
    return this.#isOver
  }

  stop(): void {
    this.#isOver = true
  }

  write(text: string): void {
    const lines = text.split(/\r\n|\r|\n/)
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#emit()
      this.#rest += line.slice(0, maxTextChars - this.#rest.length)
    }
  }

  end(): void {
    this.#emit()
  }

  #emit(): void {
    const line = this.#rest
    this.#rest = ''
    if (!this.#isOver) this.#onLine(line)
  }
}

const webUrl = (text: string): URL | null => {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/** A feed may name its addresses relative to its own. */
const absolute = (href: string | undefined, base: string) =>
  href === undefined ? '' : (URL.parse(href, base)?.href ?? href)

/** Whether the month has that day; `Date` would take the next one. */
function isOfCalendar(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? []
  if (day === undefined) return true
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
}
