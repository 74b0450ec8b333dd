import { textOf } from '#checks/http/body.ts'
import { follow, get, type Page } from '#checks/http/get.ts'
import type { Reach } from '#checks/probe.ts'
import { RunFailure } from '#contract/check.ts'
import {
  type CrawlItem,
  type CrawlLink,
  type CrawlSettings,
  type CrawlVisit,
  crawlLimits,
  type LinkKind,
  type MixedPart,
} from '#contract/crawl.ts'
import { absolute, isFile, isSameSite, keyOf } from './address.ts'
import { linksOfStyle } from './css.ts'
import { type FoundLink, linksOf, type Use } from './links.ts'
import { isIgnored } from './patterns.ts'
import { everything, nothing, type Rules, robotsBytes, rulesOf, userAgent } from './robots.ts'

export type Visited = Omit<CrawlVisit, 'id'>

const headers = { 'user-agent': userAgent, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
/** What is read of an answer whose body nobody wants. */
const glanceBytes = 4_096
/** These say nothing of whether a GET would be answered. */
const noHead = new Set([400, 403, 404, 405, 406, 410, 429, 500, 501, 502, 503, 504])

const unasked: Visited = {
  status: null,
  fault: null,
  message: null,
  skipped: null,
  content_type: null,
  bytes: 0,
  took_ms: null,
  redirect_to: null,
  truncated: false,
  links_found: 0,
  links: [],
  mixed_counts: { active: 0, passive: 0, form: 0 },
  mixed: [],
}

export const refusedByRobots: Visited = { ...unasked, skipped: 'robots' }

/** Asks for one address as its kind wants it. Whatever happens is an answer; only a bug throws. */
export async function visit(
  { url: text, kind }: Pick<CrawlItem, 'url' | 'kind'>,
  terms: CrawlSettings,
  reach: Reach,
): Promise<Visited> {
  const began = performance.now()
  const within = { ...reach, signal: AbortSignal.any([reach.signal, AbortSignal.timeout(terms.page_timeout_ms)]) }
  try {
    const url = new URL(text)
    if (reach.guard.refuseUrl(url.href)) throw new RunFailure('blocked', 'guard', 'The target is not a public address.')
    const isRead = kind === 'page' || (kind === 'asset' && /\.css$/i.test(url.pathname))
    const found = isRead ? await read(url, terms, within) : await glance(url, kind, within)
    return { ...found, took_ms: Math.round(performance.now() - began) }
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error
    const took_ms = Math.round(performance.now() - began)
    if (error.code === 'blocked')
      return { ...unasked, took_ms, skipped: 'blocked', message: error.message.slice(0, crawlLimits.textChars) }
    return { ...unasked, took_ms, fault: error.code, message: error.message.slice(0, crawlLimits.textChars) }
  }
}

/** A page or a style sheet of the site: redirects are answers, and what they lead to is another address. */
async function read(url: URL, terms: CrawlSettings, reach: Reach): Promise<Visited> {
  const page = await get(url, reach, { headers, maxBytes: terms.max_page_bytes })
  const seen = describe(page)
  const target = page.location === undefined ? null : absolute(page.location, url.href)
  if (page.location !== undefined && !target)
    return { ...seen, fault: 'protocol', message: 'The redirect leads to no web address.', status: null }
  if (target) {
    const isOwn = isSameSite(target, new URL(terms.start), terms.include_subdomains)
    const isWanted = (isOwn || terms.check_external) && !isIgnored(target, terms.ignore)
    return {
      ...seen,
      redirect_to: target.href,
      links_found: 1,
      links: isWanted ? [linkTo(target, 'redirect', '', terms, 'page')] : [],
    }
  }
  if (page.status >= 400) return seen
  const type = page.headers.contentType ?? ''
  if (/^text\/css/i.test(type)) return { ...seen, ...(await styleOf(page, terms)) }
  const isHtml =
    /^(text\/html|application\/xhtml\+xml)/i.test(type) ||
    (type === '' && /^\s*</.test(page.body.toString('latin1', 0, 200)))
  return isHtml ? { ...seen, ...(await pageOf(page, terms)) } : seen
}

/** Whether something is there: asked without its body, and with it where a server does not know such a question. */
async function glance(url: URL, kind: LinkKind, reach: Reach): Promise<Visited> {
  const wanted = { headers, maxBytes: glanceBytes, maxHops: 5 }
  const head = await follow(url, reach, { ...wanted, method: 'HEAD' }).catch((error: unknown) => {
    // a server may hang up on HEAD; who refuses to be connected to, or may not be, is not asked twice
    if (error instanceof RunFailure && (error.code === 'protocol' || error.code === 'reset')) return undefined
    throw error
  })
  const page = head && !noHead.has(head.status) ? head : await follow(url, reach, wanted)
  const { href } = page.url
  const to = page.redirects > 0 && href.length <= crawlLimits.urlChars ? href : null
  return { ...describe(page), truncated: false, redirect_to: kind === 'external' ? null : to }
}

const describe = (page: Page): Visited => ({
  ...unasked,
  status: page.status,
  content_type: page.headers.contentType?.slice(0, crawlLimits.textChars) ?? null,
  bytes: page.bytes,
  truncated: page.truncated,
})

const textOfBody = (page: Page) => textOf(page.body, page.headers.contentType)

async function pageOf(page: Page, terms: CrawlSettings) {
  const found = await linksOf(textOfBody(page), page.url.href)
  const robots = page.headers.get('x-robots-tag') ?? ''
  const isUpgrading =
    found.isUpgrading ||
    /(^|[;,])\s*upgrade-insecure-requests\s*([;,]|$)/i.test(page.headers.get('content-security-policy') ?? '')
  const isNofollow = found.isNofollow || /(^|[,\s])(nofollow|none)([,\s]|$)/i.test(robots)
  const mixed = isUpgrading ? noMixed : mixedOf(page.url, found.links, found.base)
  return { links_found: found.total, links: wantedLinks(found.links, found.base, terms, isNofollow), ...mixed }
}

async function styleOf(page: Page, terms: CrawlSettings) {
  const found = [...linksOfStyle(textOfBody(page))].map(
    ({ href, isActive }): FoundLink => ({
      href,
      use: isActive ? 'active' : 'passive',
      element: 'style',
      text: '',
      isNofollow: false,
    }),
  )
  return {
    links_found: found.length,
    links: wantedLinks(found, page.url.href, terms, false),
    ...mixedOf(page.url, found, page.url.href),
  }
}

const noMixed = { mixed_counts: { active: 0, passive: 0, form: 0 }, mixed: [] as MixedPart[] }

/** What a secure page loads, or sends, without security. */
export function mixedOf(page: URL, links: readonly FoundLink[], base: string): typeof noMixed {
  if (page.protocol !== 'https:') return noMixed
  const parts = new Map<string, MixedPart>()
  for (const { href, use, element } of links) {
    if (use === 'follow') continue
    const url = URL.parse(href.trim(), base)
    if (url?.protocol !== 'http:') continue
    const kind = use === 'send' ? 'form' : use
    const known = parts.get(`${kind} ${url.href}`)
    if (!known) parts.set(`${kind} ${url.href}`, { url: url.href.slice(0, 300), element, kind })
  }
  const all = [...parts.values()]
  const rank = { active: 0, form: 1, passive: 2 }
  const count = (kind: MixedPart['kind']) => all.filter(part => part.kind === kind).length
  return {
    mixed_counts: { active: count('active'), passive: count('passive'), form: count('form') },
    mixed: all.toSorted((one, other) => rank[one.kind] - rank[other.kind]).slice(0, crawlLimits.mixedPerPage),
  }
}

/** The links worth asking for, each once, in the order of the page. */
export function wantedLinks(
  links: readonly FoundLink[],
  base: string,
  terms: CrawlSettings,
  isNofollow: boolean,
): CrawlLink[] {
  const start = new URL(terms.start)
  const wanted = new Map<string, CrawlLink>()
  const read = new Set<string>()
  for (const { href, use, element, text, isNofollow: isShunned } of links) {
    if (wanted.size >= crawlLimits.linksPerPage) break
    if (use === 'send' || (use === 'follow' && terms.respect_nofollow && (isNofollow || isShunned))) continue
    const spelling = `${use === 'follow'} ${href}`
    if (read.has(spelling)) continue
    read.add(spelling)
    const url = absolute(href, base)
    if (!url || isIgnored(url, terms.ignore)) continue
    const isOwn = isSameSite(url, start, terms.include_subdomains)
    if (isOwn ? use !== 'follow' && !terms.check_assets : !terms.check_external) continue
    const key = keyOf(url)
    if (!wanted.has(key)) wanted.set(key, linkTo(url, element, text, terms, use))
  }
  return [...wanted.values()]
}

function linkTo(url: URL, element: string, text: string, terms: CrawlSettings, use: Use | 'page'): CrawlLink {
  const isOwn = isSameSite(url, new URL(terms.start), terms.include_subdomains)
  const isPage = use === 'page' || element === 'iframe' || element === 'frame' || (use === 'follow' && !isFile(url))
  return { url: url.href, kind: !isOwn ? 'external' : isPage ? 'page' : 'asset', element, text: copyOf(text) }
}

/** A piece of a page keeps the whole page in memory; a copy of it does not. Halves of characters do not survive either. */
const copyOf = (text: string) => Buffer.from(text).toString()

/** The robots.txt of an address's origin, redirects followed; a server that cannot be asked forbids everything. */
export async function robotsOf(origin: URL, reach: Reach): Promise<Rules> {
  const url = new URL('/robots.txt', origin)
  try {
    const page = await follow(
      url,
      { ...reach, signal: AbortSignal.any([reach.signal, AbortSignal.timeout(10_000)]) },
      { headers, maxBytes: robotsBytes, maxHops: 5 },
    )
    return rulesOf({ status: page.status, text: page.body.toString('utf8') })
  } catch (error) {
    // a site without a robots.txt may lead its readers in circles
    if (error instanceof RunFailure) return error.code === 'too_many_redirects' ? everything : nothing
    throw error
  }
}
