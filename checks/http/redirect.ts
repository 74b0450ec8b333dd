import { RunFailure } from '#contract/check.ts'
import type { Guard } from '#egress/guard.ts'
import type { HttpAnswer } from './exchange.ts'

export const isRedirect = (status: number) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308

/** The target of a redirect response, as written; undefined for other responses. */
export function redirectOf({ status, headers }: HttpAnswer): string | undefined {
  return isRedirect(status) ? headers.each('location')?.[0] : undefined
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
