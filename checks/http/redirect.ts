import { RunFailure } from '#contract/check.ts'
import type { Guard } from '#egress/guard.ts'
import type { HttpAnswer } from './exchange.ts'

export const isRedirect = (status: number) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308

/**
 * The target of a redirect response; undefined for other responses, and for one that names none. Its bytes outside
 * ASCII are percent-encoded as they are, as browsers do, whether they are UTF-8 or not.
 */
export function redirectOf({ status, headers }: Pick<HttpAnswer, 'status' | 'headers'>): string | undefined {
  if (!isRedirect(status)) return
  const [location, ...others] = new Set(headers.each('location')?.filter(Boolean))
  // browsers refuse such an answer: a second one is often smuggled in
  if (others.length > 0) throw new RunFailure('protocol', 'first_byte', 'The site redirected to two addresses at once.')
  return location?.replace(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The next hop, checked as far as possible before connecting. */
export function nextHop(
  from: URL,
  location: string,
  { guard, allowDowngrade }: { guard: Guard; allowDowngrade: boolean },
): URL {
  const url = URL.parse(location, from.href)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new RunFailure('protocol', 'first_byte', 'The site redirected to something that is no web address.')
  if (from.protocol === 'https:' && url.protocol === 'http:' && !allowDowngrade)
    throw new RunFailure('protocol', 'first_byte', 'The site redirected from https to http.')
  if (guard.refuseUrl(url.href, { userinfo: true }))
    throw new RunFailure('blocked', 'guard', 'The site redirected to an address that is not public.')
  return url
}
