import type { z } from 'zod'
import { follow, get, type RequestOptions, shownUrl, textOfPage } from '#checks/http/get.ts'
import { parseWebUrl } from '#checks/http/send.ts'
import type { Probe, ProbeContext } from '#checks/probe.ts'
import { readRobots } from '#checks/robots-txt/rules.ts'
import { RunFailure } from '#contract/check.ts'
import { Allowance, type Root } from './entries.ts'
import type { sitemap } from './kind.ts'
import { Problems } from './problems.ts'
import { readSitemap } from './read.ts'
import { Sample } from './sample.ts'

type Settings = z.output<(typeof sitemap)['settings']>
type Sampled = z.input<(typeof sitemap)['seen']>['sampled'][number]

const dayMs = 86_400_000
const headers = { accept: 'application/xml, text/xml, */*;q=0.5' }
/** Addresses checked concurrently. */
const maxConcurrent = 3

/** Reads the sitemap and those an index names, and checks a sample of the addresses, as far as time allows. */
export const probeSitemap: Probe<typeof sitemap> = async (target, settings, context) => {
  const start = performance.now()
  const timeLeft = () => Math.floor(settings.timeout_ms * 0.9 - (performance.now() - start))
  const { origin } = parseWebUrl(target.url)
  const options = {
    maxHops: 5,
    headers,
    settings: { verify_tls: settings.verify_tls, ip_version: settings.ip_version },
  }
  const problems = new Problems()
  const sample = new Sample(settings.sample, String(Math.floor(context.now() / dayMs)))
  const named: URL[] = []
  const allowance = new Allowance()
  const place = await placeOf(origin, settings, context)
  const onFirst = (url: URL, root: Root) => {
    if (root === 'urlset') sample.offer(url)
    else if (named.length < settings.max_sitemaps && url.hostname === place.hostname) named.push(url)
  }
  const first = await readSitemap(place, context, options, problems, onFirst, allowance)
  const { status, url } = first.page
  if (status >= 300) problems.add(status < 500 ? 'missing' : 'unreachable', url.href)

  const dates = [first.entries.newest]
  let urls = first.entries.root === 'urlset' ? first.entries.count : 0
  let read = status < 300 ? 1 : 0
  let isCutShort = allowance.isSpent
  const onChild = (url: URL, root: Root) => {
    if (root === 'urlset') sample.offer(url)
  }
  for (const each of named) {
    const childContext = {
      ...context,
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(Math.max(1, Math.floor(timeLeft() / 2)))]),
    }
    isCutShort = allowance.isSpent || timeLeft() < settings.timeout_ms * 0.3
    if (isCutShort) break
    try {
      const child = await readSitemap(each, childContext, options, problems, onChild, allowance)
      if (child.page.status >= 300) problems.add('child_unreachable', each.href)
      else if (child.entries.root === 'sitemapindex') problems.add('nested_index', each.href)
      else urls += child.entries.count
      dates.push(child.entries.newest)
      if (child.page.status < 300) read++
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error
      problems.add('child_unreachable', each.href)
    }
  }
  const chosen = sample.urls.filter(each => each.hostname === place.hostname)
  const sampled =
    timeLeft() > 0
      ? await checkSample(
          chosen,
          { ...context, signal: AbortSignal.any([context.signal, AbortSignal.timeout(timeLeft())]) },
          options,
        )
      : []
  for (const sampledUrl of sampled) judgeSampled(sampledUrl, problems)
  const newest = dates.reduce((latest, date) => (date && (!latest || date > latest) ? date : latest), null)
  const seen = {
    url: shownUrl(url.href),
    status,
    root: first.entries.root,
    read,
    named: first.entries.root === 'sitemapindex' ? first.entries.count : 0,
    urls,
    bytes: first.bytes,
    gzip: first.gzip,
    newest: newest?.toISOString() ?? null,
    sampled,
    cut_short: isCutShort || allowance.isSpent || sampled.length < chosen.length,
    problems: problems.list(),
  }
  return { seen, phases: { ...first.page.phases, total: performance.now() - start }, address: first.page.address }
}

/** The address of the sitemap: as configured, as in robots.txt for this host, or the default. */
async function placeOf(
  origin: string,
  { path, verify_tls, ip_version }: Settings,
  context: ProbeContext,
): Promise<URL> {
  if (path !== null) return new URL(path, origin)
  const usual = new URL('/sitemap.xml', origin)
  const page = await follow(new URL('/robots.txt', origin), context, {
    maxBytes: 512_000,
    maxHops: 5,
    settings: { verify_tls, ip_version },
  })
  const fromRobots = page.status >= 200 && page.status < 300 ? readRobots(textOfPage(page)).sitemaps : []
  return (
    fromRobots
      .map(text => URL.parse(text, origin))
      .find(url => url?.hostname === usual.hostname && /^https?:$/.test(url.protocol)) ?? usual
  )
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
