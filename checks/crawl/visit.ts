import { textOf } from '#checks/http/body.ts'
import { Cookies } from '#checks/http/cookies.ts'
import type { AnswerHeaders } from '#checks/http/exchange.ts'
import { follow, get, type Page } from '#checks/http/get.ts'
import { isRedirect } from '#checks/http/redirect.ts'
import type { ProbeContext } from '#checks/probe.ts'
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
import { failureOf } from '#egress/failures.ts'
import { absolute, isFile, isSameSite, keyOf } from './address.ts'
import { linksOfStyle } from './css.ts'
import { type FoundLink, linksOf, type Use } from './links.ts'
import { isIgnored } from './patterns.ts'
import { everything, nothing, type Rules, robotsBytes, rulesOf, userAgent } from './robots.ts'

export type Visited = Omit<CrawlVisit, 'id'>

const headers = { 'user-agent': userAgent, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const maxSelfRedirects = 3
/** A GET may succeed despite these responses to HEAD. */
const headUnsupported = new Set([400, 403, 404, 405, 406, 410, 429, 500, 501, 502, 503, 504])

const noResponse: Visited = {
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

export const refusedByRobots: Visited = { ...noResponse, skipped: 'robots' }

/** Requests one address according to its kind. Every failure is part of the result. */
export async function visit(
  { url: text, kind }: Pick<CrawlItem, 'url' | 'kind'>,
  settings: CrawlSettings,
  context: ProbeContext,
): Promise<Visited> {
  const began = performance.now()
  const within = {
    ...context,
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(settings.page_timeout_ms)]),
  }
  try {
    const url = new URL(text)
    if (context.guard.refuseUrl(url.href))
      throw new RunFailure('blocked', 'guard', 'The target is not a public address.')
    const isRead = kind === 'page' || (kind === 'asset' && /\.css$/i.test(url.pathname))
    const found = isRead ? await read(url, settings, within) : await checkExists(url, kind, within)
    return { ...found, took_ms: Math.round(performance.now() - began) }
  } catch (error) {
    const failure = failureOf(error)
    if (failure.code === 'unexpected') context.onUnexpected?.(failure.cause)
    const took_ms = Math.round(performance.now() - began)
    const message = failure.message.slice(0, crawlLimits.textChars)
    if (failure.code === 'blocked') return { ...noResponse, took_ms, skipped: 'blocked', message }
    return { ...noResponse, took_ms, fault: failure.code, message }
  }
}

/** A page or style sheet of the site. A redirect is a result, and its target is another address. */
async function read(url: URL, settings: CrawlSettings, context: ProbeContext): Promise<Visited> {
  const cookies = new Cookies(context.now)
  const ask = () => get(url, context, { headers, maxBytes: settings.max_page_bytes, wantsBody: isText, cookies })
  let page = await ask()
  // a page that asks for itself again with a cookie is no redirect: browsers come to it
  for (let times = 0, sent = ''; times < maxSelfRedirects && leadsToItself(page); times++) {
    const cookie = cookies.headerFor(url)
    if (cookie === sent) break
    sent = cookie
    page = await ask()
  }
  const seen = describe(page)
  const target = page.location === undefined ? null : absolute(page.location, url.href)
  if (page.location !== undefined && !target)
    return { ...seen, fault: 'protocol', message: 'The redirect leads to no web address.', status: null }
  if (target) {
    const isOwn = isSameSite(target, new URL(settings.start), settings.include_subdomains)
    const isWanted = (isOwn || settings.check_external) && !isIgnored(target, settings.ignore)
    return {
      ...seen,
      redirect_to: target.href,
      links_found: 1,
      links: isWanted ? [linkTo(target, 'redirect', '', settings, 'page')] : [],
    }
  }
  if (page.status >= 400) return seen
  const type = page.headers.contentType ?? ''
  if (isStyle(type)) return { ...seen, ...(await styleOf(page, settings)) }
  const isPage = isHtml(type) || (type === '' && /^\s*</.test(page.body.toString('latin1', 0, 200)))
  return isPage ? { ...seen, ...(await pageOf(page, settings)) } : seen
}

const leadsToItself = ({ url, location }: Page) =>
  location !== undefined && URL.parse(location, url.href)?.href.split('#', 1)[0] === url.href.split('#', 1)[0]

const isStyle = (type: string) => /^text\/css/i.test(type)
const isHtml = (type: string) => /^(text\/html|application\/xhtml\+xml)/i.test(type)

/** Whether a body is read for links; a broadcast or a film is not waited for. */
const isText = (status: number, { contentType = '' }: AnswerHeaders) =>
  !isRedirect(status) && status < 400 && (contentType === '' || isStyle(contentType) || isHtml(contentType))

/** Whether the address exists: requested with HEAD, and with GET where a server does not support HEAD. */
async function checkExists(url: URL, kind: LinkKind, context: ProbeContext): Promise<Visited> {
  const options = { headers, maxBytes: 0, maxHops: 5 }
  const head = await follow(url, context, { ...options, method: 'HEAD' }).catch((error: unknown) => {
    // a server may close the connection on HEAD; a refused or blocked connection is not retried
    if (error instanceof RunFailure && (error.code === 'protocol' || error.code === 'reset')) return undefined
    throw error
  })
  const page = head && !headUnsupported.has(head.status) ? head : await follow(url, context, options)
  const { href } = page.url
  const to = page.redirects > 0 && href.length <= crawlLimits.urlChars ? href : null
  return { ...describe(page), truncated: false, redirect_to: kind === 'external' ? null : to }
}

const describe = (page: Page): Visited => ({
  ...noResponse,
  status: page.status,
  content_type: page.headers.contentType?.slice(0, crawlLimits.textChars) ?? null,
  bytes: page.bytes,
  truncated: page.truncated,
})

const textOfBody = (page: Page) => textOf(page.body, page.headers.contentType)

async function pageOf(page: Page, settings: CrawlSettings) {
  const found = await linksOf(textOfBody(page), page.url.href)
  const robots = page.headers.get('x-robots-tag') ?? ''
  const isUpgrading =
    found.isUpgrading ||
    /(^|[;,])\s*upgrade-insecure-requests\s*([;,]|$)/i.test(page.headers.get('content-security-policy') ?? '')
  const isNofollow = found.isNofollow || /(^|[,\s])(nofollow|none)([,\s]|$)/i.test(robots)
  const mixed = isUpgrading ? noMixed : mixedOf(page.url, found.links, found.base)
  return { links_found: found.total, links: wantedLinks(found.links, found.base, settings, isNofollow), ...mixed }
}

async function styleOf(page: Page, settings: CrawlSettings) {
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
    links: wantedLinks(found, page.url.href, settings, false),
    ...mixedOf(page.url, found, page.url.href),
  }
}

const noMixed = { mixed_counts: { active: 0, passive: 0, form: 0 }, mixed: [] as MixedPart[] }

/** Insecure resources that a secure page loads, and insecure form targets. */
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

/** The links to follow, without duplicates, in the order of the page. */
export function wantedLinks(
  links: readonly FoundLink[],
  base: string,
  settings: CrawlSettings,
  isNofollow: boolean,
): CrawlLink[] {
  const start = new URL(settings.start)
  const options = new Map<string, CrawlLink>()
  const read = new Set<string>()
  for (const { href, use, element, text, isNofollow: isIgnoredUrl } of links) {
    if (options.size >= crawlLimits.linksPerPage) break
    if (use === 'send' || (use === 'follow' && settings.respect_nofollow && (isNofollow || isIgnoredUrl))) continue
    const spelling = `${use === 'follow'} ${href}`
    if (read.has(spelling)) continue
    read.add(spelling)
    const url = absolute(href, base)
    if (!url || isIgnored(url, settings.ignore)) continue
    const isOwn = isSameSite(url, start, settings.include_subdomains)
    if (isOwn ? use !== 'follow' && !settings.check_assets : !settings.check_external) continue
    const key = keyOf(url)
    if (!options.has(key)) options.set(key, linkTo(url, element, text, settings, use))
  }
  return [...options.values()]
}

function linkTo(url: URL, element: string, text: string, settings: CrawlSettings, use: Use | 'page'): CrawlLink {
  const isOwn = isSameSite(url, new URL(settings.start), settings.include_subdomains)
  const isPage = use === 'page' || element === 'iframe' || element === 'frame' || (use === 'follow' && !isFile(url))
  return { url: url.href, kind: !isOwn ? 'external' : isPage ? 'page' : 'asset', element, text: copyOf(text) }
}

/** A substring keeps the whole page in memory; a copy does not. Also replaces unpaired surrogates. */
const copyOf = (text: string) => Buffer.from(text).toString()

/** The robots.txt of an address's origin, redirects followed; an unreachable server forbids everything. */
export async function robotsOf(origin: URL, context: ProbeContext): Promise<Rules> {
  const url = new URL('/robots.txt', origin)
  try {
    const page = await follow(
      url,
      { ...context, signal: AbortSignal.any([context.signal, AbortSignal.timeout(10_000)]) },
      { headers, maxBytes: robotsBytes, maxHops: 5 },
    )
    return rulesOf({ status: page.status, text: textOfBody(page), truncated: page.truncated })
  } catch (error) {
    const failure = failureOf(error)
    if (failure.code === 'unexpected') context.onUnexpected?.(failure.cause)
    // a site without a robots.txt may answer with endless redirects
    return failure.code === 'too_many_redirects' ? everything : nothing
  }
}
