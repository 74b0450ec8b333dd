import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Context, Next } from 'koa'
import { secretKinds } from '#control-plane/base/caller.ts'
import type { Config } from '#control-plane/config.ts'

/** Never one of our tokens, nor text with one inside: the id is written to logs. */
const requestIdShape = new RegExp(`^(?!(?:.*[_-])?(?:${secretKinds.join('|')})-[\\w-]{40})[\\w-]{8,64}$`, 'i')

/** Longer than five addresses of the greatest length with their separators. */
const forwardedForChars = 400

/** Gives each request an id, which its answer repeats, and finds the address of the client. */
export const identify =
  ({ trustedProxies, hsts }: Config) =>
  (context: Context, next: Next): Promise<void> => {
    const requestId = requestIdOf(context.req)
    context.state.requestId = requestId
    context.state.ip = clientAddressOf(context.req, trustedProxies)
    context.state.responseHeaders = ['X-Request-Id', requestId, ...(hsts ? ['Strict-Transport-Security', hsts] : [])]
    return next()
  }

/** The caller's own request id, if it is well-formed, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const received = headerOf(request, 'x-request-id')
  return requestIdShape.test(received) ? received : randomUUID()
}

/** The address of the client: behind so many trusted proxies, the one that the outermost of them saw. */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  if (trustedProxies > 0) {
    // our own proxies wrote the last entries; a caller may claim any number before them
    const hops = headerOf(request, 'x-forwarded-for')
      .slice(-forwardedForChars)
      .split(',')
      .map(hop => hop.trim())
      .filter(Boolean)
    const claimed = hops.at(-trustedProxies)
    if (claimed && isIP(claimed) !== 0 && !claimed.includes('%')) return claimed
  }
  return request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
}

const headerOf = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}
