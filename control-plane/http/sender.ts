import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { secretKinds } from '#control-plane/base/caller.ts'

/** Never one of our tokens, of whatever kind, nor with one inside: the id is written to logs. */
const requestIdShape = new RegExp(`^(?!(?:.*[_-])?(?:${secretKinds.join('|')})-[\\w-]{40})[\\w-]{8,64}$`, 'i')

const headerOf = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}

/** The caller's own request id, if sane, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = headerOf(request, 'x-request-id')
  return requestIdShape.test(given) ? given : randomUUID()
}

/** More than five addresses, the longest there are, with what stands between them. */
const hopsChars = 400

/** Where a request comes from: behind so many trusted proxies, the address the outermost of them saw. */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  if (trustedProxies > 0) {
    // the last ones are our proxies' own; what a caller claims before them may be long
    const hops = headerOf(request, 'x-forwarded-for')
      .slice(-hopsChars)
      .split(',')
      .map(hop => hop.trim())
      .filter(Boolean)
    const claimed = hops.at(-trustedProxies)
    if (claimed && isIP(claimed) !== 0 && !claimed.includes('%')) return claimed
  }
  return request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
}
