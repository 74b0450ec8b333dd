import type { CustomFetch } from 'openid-client'
import type { Guard } from '#egress/guard.ts'
import { SsoFailure } from './outcome.ts'

/** How long all requests of one step may take together. */
export const wholeMs = 10_000

/** A description has some 5 KB, keys with their certificates some 20. */
const longestAnswer = 262_144

export type ProviderGuard = Pick<Guard, 'dispatcher' | 'refuseUrl'>

/**
 * Requests to a provider: through the guard, at most 256 KB an answer, redirects not followed, ten seconds for all
 * requests of one step together.
 */
export function providerFetch(guard: ProviderGuard, signal = AbortSignal.timeout(wholeMs)): CustomFetch {
  return async (url, { method, headers, body }) => {
    const why = guard.refuseUrl(url)
    if (why !== null) throw new SsoFailure('blocked', `${new URL(url).host}: ${why}`)
    const { origin, pathname, search } = new URL(url)
    const answer = await guard.dispatcher(longestAnswer).request({
      origin,
      path: pathname + search,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: body === undefined || body === null ? null : String(body),
      signal,
    })
    const bytes = await answer.body.bytes()
    const received = new Headers()
    for (const [name, value] of Object.entries(answer.headers))
      for (const one of [value ?? []].flat()) received.append(name, one)
    const isBodiless = answer.statusCode === 204 || answer.statusCode === 304
    return new Response(isBodiless ? null : bytes, { status: answer.statusCode, headers: received })
  }
}
