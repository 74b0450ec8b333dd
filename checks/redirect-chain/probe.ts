import type { z } from 'zod'
import { cutWithDigest } from '#checks/cut.ts'
import { type Page, shownUrl, type WalkEnd, walk, withoutUser } from '#checks/http/get.ts'
import { parseWebUrl } from '#checks/http/send.ts'
import type { Probe } from '#checks/probe.ts'
import { RecentChanges } from '#checks/recent-changes.ts'
import { maxEndChars, maxHopsSeen, placeOf, type redirectChain } from './kind.ts'

const changes = new RecentChanges<string>()

/** Follows redirects even where they should not lead, to report them. Reads only the head of the last response. */
export const probeRedirectChain: Probe<typeof redirectChain> = async (target, { verify_tls, ip_version }, context) => {
  const { redirects, end, phases } = await walk(parseWebUrl(target.url), context, {
    maxBytes: 0,
    maxHops: maxHopsSeen,
    settings: { verify_tls, ip_version },
  })
  const last = end.code === 'arrived' ? end.page : undefined
  const finalUrl = cutWithDigest(withoutUser(placeAtEnd(end)), maxEndChars)
  const address = (last ?? redirects.at(-1))?.address
  const replaced =
    last && last.status < 400 ? changes.observe(target.url, placeOf(finalUrl), finalUrl, performance.now()) : null
  const seen: z.input<(typeof redirectChain)['seen']> = {
    hops: [...redirects, ...(last ? [last] : [])].map(hopOf),
    end: end.code,
    final_url: finalUrl,
    failure: end.code === 'failed' ? end.failure.toFault() : null,
    replaced,
  }
  return { seen, phases, ...(address && { address }) }
}

const placeAtEnd = (end: WalkEnd) =>
  end.code === 'arrived' ? end.page.url.href : end.code === 'failed' ? end.to : end.url.href

const hopOf = ({ url, status, version, tls, phases }: Page) => ({
  url: shownUrl(url.href),
  status,
  protocol: `HTTP/${version}`,
  tls,
  ms: Math.round((phases.total ?? 0) * 10) / 10,
})
