import { Markup } from '#checks/http/markup.ts'
import type { Place, Problems } from './problems.ts'

/** The limits of the protocol (sitemaps.org), of one decompressed file. */
export const maxBytes = 52_428_800
export const maxEntries = 50_000
const maxUrlChars = 2_048
const maxTextChars = 4_096
const dayMs = 86_400_000
const w3cDate = /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?)?)?$/

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

export type Root = 'urlset' | 'sitemapindex'

/** Parses a sitemap as a stream and reports each entry; faults go into `problems`. */
export class Entries {
  root: Root | null = null
  count = 0
  newest: Date | null = null
  readonly #markup: Markup
  readonly #problems: Problems
  readonly #place: Place
  readonly #now: number
  readonly #onEntry: (url: URL, root: Root) => void
  readonly #allowance: Allowance
  #prefix = ''
  #path: string[] = []
  /** There was no text since the last opening tag. */
  #isFresh = false
  #text = ''
  #loc = ''
  #lastmod = ''

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
    this.#markup = new Markup(
      {
        open: name => this.#open(name),
        close: (name, isImplied) => this.#close(name, isImplied),
        text: text => {
          this.#isFresh = false
          if (this.#path.length === 3 && this.#text.length < maxTextChars) this.#text += text
        },
        instruction: text => {
          // a sitemap needs a document type only to define entities
          if (/^!doctype/i.test(text)) this.#give('doctype')
        },
      },
      { isXml: true },
    )
  }

  /** Returns whether more is wanted. */
  write(text: string): boolean {
    this.#allowance.spendChars(text.length)
    if (!this.#allowance.isSpent) this.#markup.write(text)
    return !this.#markup.isOver && !this.#allowance.isSpent
  }

  end(): void {
    if (this.#allowance.isSpent) return
    if (this.#markup.isOver) {
      if (this.#markup.isHostile) this.#problems.add('malformed', this.#place.href)
      return
    }
    this.#markup.end()
    if (this.root === null) this.#problems.add('not_a_sitemap', this.#place.href)
    else if (this.count === 0) this.#problems.add('empty', this.#place.href)
  }

  #give(code: 'doctype' | 'not_a_sitemap' | 'too_many_entries'): never {
    this.#problems.add(code, this.#place.href)
    return this.#markup.stop()
  }

  #open(name: string) {
    this.#allowance.spendTag()
    if (this.#allowance.isSpent) this.#markup.stop()
    this.#path.push(name)
    this.#isFresh = true
    this.#text = ''
    if (this.#path.length !== 1 || this.root !== null) return
    const [local = '', prefix] = name.split(':').toReversed()
    if (local !== 'urlset' && local !== 'sitemapindex') this.#give('not_a_sitemap')
    this.root = local
    this.#prefix = prefix === undefined ? '' : `${prefix}:`
  }

  #close(name: string, isImplied: boolean) {
    // a self-closing tag is reported as implied too
    if (isImplied && !this.#isFresh) this.#problems.add('malformed', this.#place.href)
    this.#isFresh = false
    const depth = this.#path.length
    this.#path.pop()
    const local = name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : name
    if (depth === 3 && local === 'loc') this.#loc = this.#text.trim()
    if (depth === 3 && local === 'lastmod') this.#lastmod = this.#text.trim()
    if (depth === 2 && local === (this.root === 'urlset' ? 'url' : 'sitemap')) this.#entry()
  }

  #entry() {
    const [loc, lastmod] = [this.#loc, this.#lastmod]
    this.#loc = ''
    this.#lastmod = ''
    this.count++
    if (this.count > maxEntries) this.#give('too_many_entries')
    if (lastmod) this.#dated(lastmod)
    const url = loc.length <= maxUrlChars ? URL.parse(loc) : null
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return this.#problems.add('bad_url', loc)
    if (url.hostname !== this.#place.hostname) this.#problems.add('foreign_url', loc)
    else if (this.#place.protocol === 'https:' && url.protocol === 'http:') this.#problems.add('insecure_url', loc)
    if (this.root) this.#onEntry(url, this.root)
  }

  #dated(text: string) {
    const date = w3cDate.test(text) ? new Date(text) : null
    if (!date || Number.isNaN(date.getTime())) this.#problems.add('lastmod_invalid', text)
    else if (date.getTime() > this.#now + dayMs) this.#problems.add('lastmod_future', text)
    else if (!this.newest || date > this.newest) this.newest = date
  }
}
