import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { z } from 'zod'
import { observeRequest } from '#control-plane/base/metrics.ts'
import { writeAnswer } from './answer.ts'
import type { Endpoint, KnownAnswer } from './endpoint.ts'
import { type FastRoute, fastRouteOf } from './fast-route.ts'
import { guarded } from './guard-headers.ts'
import { type Counted, rateHeaderList, rateKeyOfIp, rateLimits } from './rate.ts'
import { beginRequestSpan, describeRequest } from './request-span.ts'
import { type Route, routesOf } from './route.ts'
import type { Services } from './services.ts'
import { clientAddressOf, requestIdOf } from './stages/address.ts'

interface KnownRoute extends FastRoute {
  /** The query as the pipeline would parse it; undefined where that would ignore or refuse a part of it. */
  parse(query: string): unknown
  /** The headers of every answer, names and values in turn. */
  headers: readonly string[]
}

const queryChars = 200

/**
 * Endpoints with `knownAnswer` are answered ahead of Koa where the answer is in memory: with the same bytes, headers,
 * counts and metrics, for a fraction of the time. Every other request goes through the pipeline.
 */
export function knownAnswerPath(
  endpoints: readonly Endpoint[],
  { services }: { services: Services },
  usual: RequestListener,
): RequestListener {
  const routes = endpoints.flatMap(endpoint => (endpoint.knownAnswer ? routesOf(endpoint).map(knownRouteOf) : []))
  return (request, response) => {
    const url = request.url ?? ''
    for (const route of routes) {
      if (!url.startsWith(route.prefix)) continue
      const match = route.pattern.exec(url)
      if (match && answer(route, match, request, response, services, usual)) return
    }
    usual(request, response)
  }
}

/** False where the request must go through the pipeline. */
function answer(
  known: KnownRoute,
  match: RegExpExecArray,
  request: IncomingMessage,
  response: ServerResponse,
  services: Services,
  usual: RequestListener,
): boolean {
  const started = performance.now()
  const { endpoint } = known.route
  const found = find(known, match, request, services)
  if (found === undefined) return false
  const rateClass = endpoint.rate ?? 'public'
  const key = `${rateClass}:ip:${rateKeyOfIp(clientAddressOf(request, services.config.trustedProxies))}`
  const give = (counted: Counted): boolean => {
    // a refused request costs nothing, so the pipeline may count it again
    if (counted.isRefused) return false
    const span = beginRequestSpan(services, request)
    const requestId = requestIdOf(request)
    write(known, found, counted, request, response, requestId)
    if (span) {
      describeRequest(span, request, { requestId, route: known.route.path, status: endpoint.returns.status })
      span.end()
    }
    const measured = { method: 'GET', route: known.route.path, status: endpoint.returns.status }
    observeRequest(services.metrics, measured, (performance.now() - started) / 1000)
    return true
  }
  const counted = services.rate.count(key, rateLimits[rateClass], services.clock.nowMs())
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

function find(
  { route, params: names, parse }: KnownRoute,
  match: RegExpExecArray,
  { method, headers }: IncomingMessage,
  services: Services,
): KnownAnswer | undefined {
  if (method !== 'GET' || headers['if-none-match'] !== undefined || services.log.isLevelEnabled('debug'))
    return undefined
  const query = parse(match.at(-1) ?? '')
  if (query === undefined) return undefined
  const params = Object.fromEntries(names.map((name, index) => [name, match[index + 1] as string]))
  return route.endpoint.knownAnswer?.({ params, query, services } as never)
}

function write(
  known: KnownRoute,
  { etag, text }: KnownAnswer,
  counted: Counted,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): void {
  const headers = [...known.headers, 'X-Request-Id', requestId, ...rateHeaderList(counted), 'ETag', etag]
  writeAnswer(request, response, { status: known.route.endpoint.returns.status, headers, body: text })
}

function knownRouteOf(route: Route): KnownRoute {
  const { endpoint } = route
  if (route.method !== 'GET') throw new Error(`${route.method} ${route.path} is no GET: it has no known answers.`)
  return {
    ...fastRouteOf(route, queryChars),
    parse: parserOf(endpoint.query),
    headers: guarded({ ...endpoint.returns.headers, 'Content-Type': endpoint.returns.type }),
  }
}

function parserOf(schema: z.ZodType | undefined): (text: string) => unknown {
  if (!(schema instanceof z.ZodObject)) return text => (text === '' ? {} : undefined)
  const names = Object.keys(schema.shape)
  const none = schema.safeParse({})
  return text => {
    if (text === '') return none.success ? none.data : undefined
    const received: Record<string, string> = {}
    for (const [name, value] of new URLSearchParams(text)) {
      if (!names.includes(name) || name in received || value.includes('\0')) return undefined
      received[name] = value
    }
    const parsed = schema.safeParse(received)
    return parsed.success ? parsed.data : undefined
  }
}
