import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { guarded } from './guard-headers.ts'
import { type Mounting, type Route, routesOfEndpoint } from './mount.ts'
import { type Counted, rateKeyOfIp, rateLimits } from './rate.ts'
import { clientAddressOf, requestIdOf } from './sender.ts'

interface Lane {
  door: Route
  endpoint: Endpoint
  prefix: string
  pattern: RegExp
  params: string[]
  parse(text: string): unknown
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[]
}

/**
 * Public answers that are known at once (`endpoint.known`) are given ahead of Koa: the same bytes, headers, count and
 * figures for a fraction of the time. Whatever is not a plain, good request for a known answer goes the usual way.
 */
export function knownAnswerPath(
  endpoints: readonly Endpoint[],
  { services }: Pick<Mounting, 'services'>,
  usual: RequestListener,
): RequestListener {
  const lanes = endpoints.flatMap(endpoint => (endpoint.knownAnswer ? routesOfEndpoint(endpoint).map(laneOf) : []))
  const { trustedProxies } = services.config

  const answer = (lane: Lane, path: RegExpExecArray, request: IncomingMessage, response: ServerResponse): boolean => {
    if (
      request.method !== 'GET' ||
      request.headers['if-none-match'] !== undefined ||
      services.log.isLevelEnabled('debug')
    )
      return false
    const { endpoint } = lane
    const started = performance.now()
    const query = lane.parse(path.at(-1) ?? '')
    if (query === undefined) return false
    const params = Object.fromEntries(lane.params.map((name, index) => [name, path[index + 1] as string]))
    const known = endpoint.knownAnswer?.({ params, query, services } as never)
    if (known === undefined) return false

    const rateClass = endpoint.rate ?? 'public'
    const counted = services.rate.count(
      `${rateClass}:ip:${rateKeyOfIp(clientAddressOf(request, trustedProxies))}`,
      rateLimits[rateClass],
      services.clock.nowMs(),
    )
    const give = (counted: Counted): boolean => {
      // refused requests cost nothing, so the usual way may count it again
      if (counted.isRefused) return false
      response.writeHead(endpoint.returns.status, [
        ...lane.headers,
        'X-Request-Id',
        requestIdOf(request),
        'X-RateLimit-Limit',
        String(counted.limit),
        'X-RateLimit-Remaining',
        String(counted.remaining),
        'ETag',
        known.etag,
        'Content-Length',
        String(Buffer.byteLength(known.text)),
      ])
      response.end(known.text)
      services.metrics.requests.observe(
        { method: 'GET', route: lane.door.path, status: String(endpoint.returns.status) },
        (performance.now() - started) / 1000,
      )
      return true
    }
    if (!(counted instanceof Promise)) return give(counted)
    counted
      .then(
        later => give(later) || usual(request, response),
        () => usual(request, response),
      )
      .catch(error => {
        services.log.error({ err: error }, 'answer failure')
        response.destroy()
      })
    return true
  }

  return (request, response) => {
    const url = request.url ?? ''
    for (const lane of lanes) {
      if (!url.startsWith(lane.prefix)) continue
      const path = lane.pattern.exec(url)
      if (path && answer(lane, path, request, response)) return
    }
    usual(request, response)
  }
}

export const uuidPattern = '([\\da-fA-F]{8}-[\\da-fA-F]{4}-[1-8][\\da-fA-F]{3}-[89abAB][\\da-fA-F]{3}-[\\da-fA-F]{12})'

function laneOf(door: Route): Lane {
  const { endpoint } = door
  if (door.guard !== 'public' || door.method !== 'GET')
    throw new Error(`${door.method} ${door.path} cannot take the express lane.`)
  return {
    door,
    endpoint,
    prefix: door.path.slice(0, door.path.indexOf('{')),
    pattern: new RegExp(`^${door.path.replace(/\{\w+\}/g, uuidPattern)}(?:\\?([^#]{0,200}))?$`),
    params: [...door.path.matchAll(/\{(\w+)\}/g)].map(match => match[1] as string),
    parse: parserOf(endpoint.query),
    headers: guarded({ ...endpoint.returns.headers, 'Content-Type': endpoint.returns.type }),
  }
}

/** The query as the usual way would parse it; undefined when that would ignore or refuse something. */
function parserOf(schema: z.ZodType | undefined): (text: string) => unknown {
  if (!(schema instanceof z.ZodObject)) return text => (text === '' ? {} : undefined)
  const names = Object.keys(schema.shape)
  const none = schema.safeParse({})
  return text => {
    if (text === '') return none.success ? none.data : undefined
    const given: Record<string, string> = {}
    for (const [name, value] of new URLSearchParams(text)) {
      if (!names.includes(name) || name in given || value.includes('\0')) return undefined
      given[name] = value
    }
    const parsed = schema.safeParse(given)
    return parsed.success ? parsed.data : undefined
  }
}
