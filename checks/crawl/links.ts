import { setImmediate as breathe } from 'node:timers/promises'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { crawlLimits } from '#contract/crawl.ts'
import { linksOfStyle } from './css.ts'

/** `load`: the browser fetches it by itself; active if it can change the page. `send`: a form submits there. */
export type Use = 'follow' | 'active' | 'passive' | 'send'

export interface FoundLink {
  /** As written, relative to `base`. */
  href: string
  use: Use
  element: string
  text: string
  isNofollow: boolean
}

export interface FoundLinks {
  base: string
  links: FoundLink[]
  /** Number of links found, kept or not. */
  total: number
  /** The page requests that its links are not followed. */
  isNofollow: boolean
  /** The page makes browsers upgrade its requests to https. */
  isUpgrading: boolean
}

const chunkChars = 65_536
/** More than are reported, because many may be duplicates. */
const maxLinks = 20_000
const maxTextChunks = 1_000

const loads = new Map<string, [attribute: string, use: Use][]>([
  ['img', [['src', 'passive']]],
  ['script', [['src', 'active']]],
  ['iframe', [['src', 'active']]],
  ['frame', [['src', 'active']]],
  ['embed', [['src', 'active']]],
  ['object', [['data', 'active']]],
  ['audio', [['src', 'passive']]],
  [
    'video',
    [
      ['src', 'passive'],
      ['poster', 'passive'],
    ],
  ],
  ['source', [['src', 'passive']]],
  ['track', [['src', 'active']]],
  ['input', [['src', 'passive']]],
  ['a', [['href', 'follow']]],
  ['area', [['href', 'follow']]],
  ['form', [['action', 'send']]],
  ['button', [['formaction', 'send']]],
])
const loadedLinks = /(^|\s)(stylesheet|icon|shortcut|apple-touch-icon|preload|modulepreload|manifest|mask-icon)(\s|$)/i
const followedLinks = /(^|\s)(canonical|alternate|next|prev)(\s|$)/i

/** Reads the links of a page from its text in chunks; tolerates broken markup. */
export async function linksOf(html: string, url: string): Promise<FoundLinks> {
  const reader = new LinkReader(html, url)
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader)
  for (let at = 0; at < html.length; at += chunkChars) {
    tokenizer.write(html.slice(at, at + chunkChars))
    await breathe()
  }
  tokenizer.end()
  return reader.found
}

/** Uses tokens, not a tree: with endless nesting a tree parser takes quadratic time. */
class LinkReader implements TokenizerCallbacks {
  readonly found: FoundLinks
  readonly #html: string
  #tag = ''
  #attributes = new Map<string, string>()
  #attribute = ''
  #value = ''
  #hasBase = false
  /** The link whose text is being read. */
  #open: FoundLink | undefined
  /** Number of text chunks read: blanks alone may come in hundreds of thousands of them. */
  #text = 0
  #style: string[] | undefined

  constructor(html: string, url: string) {
    this.#html = html
    this.found = { base: url, links: [], total: 0, isNofollow: false, isUpgrading: false }
  }

  onopentagname(start: number, end: number) {
    this.#tag = this.#html.slice(start, end).toLowerCase()
    this.#attributes = new Map()
  }
  onattribname(start: number, end: number) {
    this.#attribute = this.#html.slice(start, end).toLowerCase()
    this.#value = ''
  }
  onattribdata(start: number, end: number) {
    this.#value += this.#html.slice(start, end)
  }
  onattribentity(codePoint: number) {
    this.#value += String.fromCodePoint(codePoint)
  }
  onattribend() {
    if (!this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, this.#value)
  }
  onopentagend() {
    this.#opened(this.#tag, this.#attributes)
  }
  onselfclosingtag() {
    this.#opened(this.#tag, this.#attributes)
  }
  onclosetag(start: number, end: number) {
    const name = this.#html.slice(start, end).toLowerCase()
    if (name === 'a') this.#open = undefined
    if (name !== 'style' || !this.#style) return
    this.#addStyle(this.#style.join(''))
    this.#style = undefined
  }
  ontext(start: number, end: number) {
    if (this.#style || this.#open) this.#read(this.#html.slice(start, end))
  }
  ontextentity(codePoint: number) {
    if (this.#style || this.#open) this.#read(String.fromCodePoint(codePoint))
  }
  oncdata() {}
  oncomment() {}
  ondeclaration() {}
  onprocessinginstruction() {}
  onend() {}

  #read(text: string) {
    if (this.#style) this.#style.push(text)
    else if (this.#open && ++this.#text < maxTextChunks && this.#open.text.length < crawlLimits.textChars)
      this.#open.text = cut(`${this.#open.text}${text}`)
  }

  #opened(name: string, attributes: ReadonlyMap<string, string>) {
    if (name === 'style') this.#style = []
    const style = attributes.get('style')
    if (style?.includes('url')) this.#addStyle(style)
    if (name === 'base') return this.#readBase(attributes.get('href'))
    if (name === 'meta') return this.#readMeta(attributes)
    if (name === 'link') return this.#readLink(attributes)
    const isNofollow = /(^|\s)nofollow(\s|$)/i.test(attributes.get('rel') ?? '')
    for (const [attribute, use] of loads.get(name) ?? []) {
      const href = attributes.get(attribute)
      if (href === undefined || (name !== 'a' && href.trim() === '')) continue
      const link = this.#add({
        href,
        use,
        element: name,
        text: attributes.get('alt') ?? attributes.get('title') ?? '',
        isNofollow,
      })
      if (name !== 'a') continue
      this.#open = link
      this.#text = 0
    }
    if (name === 'img' && this.#open?.text === '') this.#open.text = cut(attributes.get('alt') ?? '')
    const set = attributes.get('srcset')
    if (set && (name === 'img' || name === 'source')) this.#readSet(set, name)
  }

  #add(link: FoundLink): FoundLink | undefined {
    this.found.total++
    if (this.found.links.length >= maxLinks) return
    const kept = { ...link, text: cut(link.text) }
    this.found.links.push(kept)
    return kept
  }

  #addStyle(css: string) {
    for (const { href, isActive } of linksOfStyle(css))
      this.#add({ href, use: isActive ? 'active' : 'passive', element: 'style', text: '', isNofollow: false })
  }

  #readBase(href: string | undefined) {
    if (this.#hasBase || href === undefined) return
    this.#hasBase = true
    this.found.base = URL.parse(href, this.found.base)?.href ?? this.found.base
  }

  #readMeta(attributes: ReadonlyMap<string, string>) {
    const about = attributes.get('http-equiv')?.toLowerCase()
    const content = attributes.get('content') ?? ''
    if (about === 'refresh') {
      const href = /^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']*)/i.exec(content)?.[1]
      if (href) this.#add({ href, use: 'follow', element: 'meta', text: '', isNofollow: false })
    }
    if (about === 'content-security-policy' && /(^|;)\s*upgrade-insecure-requests\s*(;|$)/i.test(content))
      this.found.isUpgrading = true
    if (attributes.get('name')?.toLowerCase() === 'robots' && /(^|,|\s)(nofollow|none)(,|\s|$)/i.test(content))
      this.found.isNofollow = true
  }

  #readLink(attributes: ReadonlyMap<string, string>) {
    const rel = attributes.get('rel') ?? ''
    const href = attributes.get('href')
    if (href === undefined || href.trim() === '') return
    if (loadedLinks.test(rel)) {
      const use = /icon/i.test(rel) ? 'passive' : 'active'
      this.#add({ href, use, element: /stylesheet/i.test(rel) ? 'stylesheet' : 'link', text: '', isNofollow: false })
    } else if (followedLinks.test(rel)) this.#add({ href, use: 'follow', element: 'link', text: '', isNofollow: false })
  }

  /** Browsers block a set of images more strictly than a single one. */
  #readSet(set: string, element: string) {
    for (const candidate of set.split(/,\s+|,$/)) {
      const href = candidate.trim().split(/\s/)[0]
      if (href && !href.startsWith('data:')) this.#add({ href, use: 'active', element, text: '', isNofollow: false })
    }
  }
}

const cut = (text: string) => text.replace(/\s+/g, ' ').trimStart().slice(0, crawlLimits.textChars)
