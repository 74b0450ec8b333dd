import type { z } from 'zod'
import { parseWebUrl } from '#checks/http/ask.ts'
import { follow, get, shownUrl, textOfPage, type Wanted } from '#checks/http/get.ts'
import type { Probe, Reach } from '#checks/probe.ts'
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
/** Addresses looked at side by side. */
const abreast = 3

/** Reads the sitemap and what an index names, and looks at some of the addresses, as far as time allows. */
export const probeSitemap: Probe<typeof sitemap> = async (target, settings, reach) => {
  const start = performance.now()
  const timeLeft = () => Math.floor(settings.timeout_ms * 0.9 - (performance.now() - start))
  const { origin } = parseWebUrl(target.url)
  const wanted = { maxHops: 5, headers, terms: { verify_tls: settings.verify_tls, ip_version: settings.ip_version } }
  const problems = new Problems()
  const sample = new Sample(settings.sample, String(Math.floor(reach.now() / dayMs)))
  const named: URL[] = []
  const allowance = new Allowance()
  const place = await placeOf(origin, settings, reach)
  const onFirst = (url: URL, root: Root) => {
    if (root === 'urlset') sample.offer(url)
    else if (named.length < settings.max_sitemaps && url.hostname === place.hostname) named.push(url)
  }
  const first = await readSitemap(place, reach, wanted, problems, onFirst, allowance)
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
    const childReach = {
      ...reach,
      signal: AbortSignal.any([reach.signal, AbortSignal.timeout(Math.max(1, Math.floor(timeLeft() / 2)))]),
    }
    isCutShort = allowance.isSpent || timeLeft() < settings.timeout_ms * 0.3
    if (isCutShort) break
    try {
      const child = await readSitemap(each, childReach, wanted, problems, onChild, allowance)
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
      ? await lookAtAll(
          chosen,
          { ...reach, signal: AbortSignal.any([reach.signal, AbortSignal.timeout(timeLeft())]) },
          wanted,
        )
      : []
  for (const look of sampled) judgeSampled(look, problems)
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

/** Where the sitemap is: as set, as robots.txt says of this host, or where everybody looks. */
async function placeOf(origin: string, { path, verify_tls, ip_version }: Settings, reach: Reach): Promise<URL> {
  if (path !== null) return new URL(path, origin)
  const usual = new URL('/sitemap.xml', origin)
  const page = await follow(new URL('/robots.txt', origin), reach, {
    maxBytes: 512_000,
    maxHops: 5,
    terms: { verify_tls, ip_version },
  })
  const said = page.status >= 200 && page.status < 300 ? readRobots(textOfPage(page)).sitemaps : []
  return (
    said
      .map(text => URL.parse(text, origin))
      .find(url => url?.hostname === usual.hostname && /^https?:$/.test(url.protocol)) ?? usual
  )
}

/** A few at a time; those that time does not suffice for are left out. */
async function lookAtAll(urls: readonly URL[], reach: Reach, wanted: Omit<Wanted, 'maxBytes'>): Promise<Sampled[]> {
  const looks: Sampled[] = []
  const left = [...urls]
  const work = async () => {
    for (let url = left.shift(); url && !reach.signal.aborted; url = left.shift())
      looks.push(await lookAtOne(url, reach, wanted))
  }
  await Promise.all(Array.from({ length: abreast }, work))
  return looks.filter(({ error }) => error !== 'timeout' || !reach.signal.aborted)
}

async function lookAtOne(url: URL, reach: Reach, wanted: Omit<Wanted, 'maxBytes'>): Promise<Sampled> {
  try {
    const { status } = await get(url, reach, { ...wanted, headers: { accept: '*/*' }, maxBytes: 0 })
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
