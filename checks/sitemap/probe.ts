import type { z } from 'zod'
import { follow, get, type Page, type RequestOptions, shownUrl, textOfPage } from '#checks/http/get.ts'
import { parseWebUrl } from '#checks/http/send.ts'
import type { Probe, ProbeContext } from '#checks/probe.ts'
import { readRobots, maxBytes as robotsBytes, wholeLines } from '#checks/robots-txt/rules.ts'
import { RunFailure } from '#contract/check.ts'
import { Allowance } from './entries.ts'
import type { Root } from './forms.ts'
import type { sitemap } from './kind.ts'
import { Problems } from './problems.ts'
import { type ReadSitemap, readSitemap } from './read.ts'
import { Sample } from './sample.ts'

type Settings = z.output<(typeof sitemap)['settings']>
type Sampled = z.input<(typeof sitemap)['seen']>['sampled'][number]

const dayMs = 86_400_000
const headers = { accept: 'application/xml, text/xml, */*;q=0.5' }
/** Addresses checked concurrently. */
const maxConcurrent = 3

/** Addresses of further sitemaps kept of one index, before it is known which of them may be read. */
const maxNamed = 1_000

/** Reads the sitemaps and those an index names, and checks a sample of the addresses, as far as time allows. */
export const probeSitemap: Probe<typeof sitemap> = async (target, settings, context) => {
  const start = performance.now()
  const timeLeft = () => Math.floor(settings.timeout_ms * 0.9 - (performance.now() - start))
  const within = (ms: number): ProbeContext => ({
    ...context,
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(Math.max(1, Math.floor(ms)))]),
  })
  const { origin } = parseWebUrl(target.url)
  const options = {
    maxHops: 5,
    headers,
    settings: { verify_tls: settings.verify_tls, ip_version: settings.ip_version },
  }
  const problems = new Problems()
  const sample = new Sample(settings.sample, String(Math.floor(context.now() / dayMs)))
  const allowance = new Allowance()
  const { places, hosts } = await placesOf(origin, settings, within(timeLeft() / 2))
  const seenAt: { newest: Date | null; urls: number; named: number; read: number } = {
    newest: null,
    urls: 0,
    named: places.length - 1,
    read: 0,
  }
  const readOne = async (place: URL, limited: ProbeContext): Promise<ReadSitemap & { children: URL[] }> => {
    const children: URL[] = []
    const onEntry = (url: URL, root: Root) => {
      if (root !== 'sitemapindex') sample.offer(url)
      else if (children.length < maxNamed) children.push(url)
    }
    const found = await readSitemap(place, limited, options, problems, onEntry, allowance, hosts)
    const { page, entries } = found
    if (hosts.has(place.hostname)) hosts.add(page.url.hostname)
    const near = new Set([...hosts, place.hostname, page.url.hostname])
    if (page.status < 300) seenAt.read++
    if (entries.root !== 'sitemapindex') seenAt.urls += entries.count
    if (entries.newest && (!seenAt.newest || entries.newest > seenAt.newest)) seenAt.newest = entries.newest
    return { ...found, children: children.filter(({ hostname }) => near.has(hostname)) }
  }

  const [place = new URL('/sitemap.xml', origin), ...others] = places
  const first = await readOne(place, context)
  const { status, url } = first.page
  if (status >= 300) problems.add(status < 500 ? 'missing' : 'unreachable', url.href)
  if (first.entries.root === 'sitemapindex') seenAt.named += first.entries.count

  let isCutShort = allowance.isSpent
  const waiting = [...others.map(each => ({ each, isChild: false })), ...childrenOf(first)]
  for (let readOnes = 0; waiting.length > 0 && readOnes < settings.max_sitemaps; readOnes++) {
    const { each, isChild } = waiting.shift()!
    isCutShort = allowance.isSpent || timeLeft() < settings.timeout_ms * 0.3
    if (isCutShort) break
    try {
      const found = await readOne(each, within(timeLeft() / 2))
      const isIndex = found.entries.root === 'sitemapindex'
      if (found.page.status >= 300) problems.add('child_unreachable', each.href)
      else if (isIndex && isChild) problems.add('nested_index', each.href)
      else if (isIndex) {
        seenAt.named += found.entries.count
        waiting.push(...childrenOf(found))
      }
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error
      problems.add('child_unreachable', each.href)
    }
  }
  const chosen = sample.urls.filter(each => hosts.has(each.hostname))
  const sampled = timeLeft() > 0 ? await checkSample(chosen, within(timeLeft()), options) : []
  for (const sampledUrl of sampled) judgeSampled(sampledUrl, problems)
  const seen = {
    url: shownUrl(url.href),
    status,
    root: first.entries.root,
    read: seenAt.read,
    named: seenAt.named,
    urls: seenAt.urls,
    bytes: first.bytes,
    gzip: first.gzip,
    newest: seenAt.newest?.toISOString() ?? null,
    sampled,
    cut_short: isCutShort || allowance.isSpent || sampled.length < chosen.length,
    problems: problems.list(),
  }
  return { seen, phases: { ...first.page.phases, total: performance.now() - start }, address: first.page.address }
}

const childrenOf = ({ children }: { children: readonly URL[] }) => children.map(each => ({ each, isChild: true }))

interface Places {
  /** At least one, the main one first. */
  places: URL[]
  /** Hosts whose addresses the sitemaps may name; where a redirect leads is added. */
  hosts: Set<string>
}

/**
 * The sitemaps of a site: as configured, as in robots.txt, or the default. A robots.txt may name several, also of other
 * hosts, and each of them may name the addresses of the site whose robots.txt names it ("Sitemaps & Cross Submits").
 */
async function placesOf(
  origin: string,
  { path, verify_tls, ip_version }: Settings,
  context: ProbeContext,
): Promise<Places> {
  const hosts = new Set([new URL(origin).hostname])
  if (path !== null) return { places: [new URL(path, origin)], hosts }
  const fallback = { places: [new URL('/sitemap.xml', origin)], hosts }
  let page: Page
  try {
    page = await follow(new URL('/robots.txt', origin), context, {
      maxBytes: robotsBytes,
      maxHops: 5,
      settings: { verify_tls, ip_version },
    })
  } catch (error) {
    if (error instanceof RunFailure) return fallback
    throw error
  }
  if (page.status < 200 || page.status >= 300) return fallback
  hosts.add(page.url.hostname)
  const places = readRobots(wholeLines(textOfPage(page), page.truncated)).sitemaps.flatMap(text => {
    const url = URL.parse(text, page.url.href)
    return url && /^https?:$/.test(url.protocol) ? [url] : []
  })
  return places.length > 0 ? { places, hosts } : fallback
}

/** Runs a few at a time; drops those for which there is no time. */
async function checkSample(
  urls: readonly URL[],
  context: ProbeContext,
  options: Omit<RequestOptions, 'maxBytes'>,
): Promise<Sampled[]> {
  const sampledUrls: Sampled[] = []
  const left = [...urls]
  const work = async () => {
    for (let url = left.shift(); url && !context.signal.aborted; url = left.shift())
      sampledUrls.push(await checkOne(url, context, options))
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
  return sampledUrls.filter(({ error }) => error !== 'timeout' || !context.signal.aborted)
}

async function checkOne(url: URL, context: ProbeContext, options: Omit<RequestOptions, 'maxBytes'>): Promise<Sampled> {
  try {
    const { status } = await get(url, context, { ...options, headers: { accept: '*/*' }, maxBytes: 0 })
    return { url: shownUrl(url.href), status, error: null }
  } catch (error) {
    if (error instanceof RunFailure) return { url: shownUrl(url.href), status: null, error: error.code }
    throw error
  }
}

function judgeSampled({ url, status, error }: Sampled, problems: Problems): void {
  if (error === 'blocked') problems.add('blocked_url', url)
  else if (error !== null || (status !== null && status >= 400)) problems.add('broken_url', url)
  else if (status !== null && status >= 300) problems.add('redirected_url', url)
}
