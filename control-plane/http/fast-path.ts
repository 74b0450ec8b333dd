import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { observeRequest } from '#control-plane/base/metrics.ts'
import { inside } from '#control-plane/base/tracing.ts'
import { writeAnswer, writeRefusal } from './answer.ts'
import type { Endpoint, FastPathContext } from './endpoint.ts'
import { type FastRoute, fastRouteOf } from './fast-route.ts'
import { guardHeaders } from './guard-headers.ts'
import { rateHeaderList, rateLimits, tooMany } from './rate.ts'
import { isLastOf, loggedRefusalOf } from './refuse.ts'
import { beginRequestSpan, describeRequest } from './request-span.ts'
import { type Route, routesOf } from './route.ts'
import type { Services } from './services.ts'
import { clientAddressOf, requestIdOf } from './stages/address.ts'

interface HandledRoute extends FastRoute {
  handle: NonNullable<Endpoint['fast']>
  /** The headers of every answer, names and values in turn. */
  headers: readonly string[]
}

/** Endpoints with `fast` are answered ahead of Koa. Requests that do not match one of them go through the pipeline. */
export function fastPath(
  endpoints: readonly Endpoint[],
  { services }: { services: Services },
  usual: RequestListener,
): RequestListener {
  const routes = endpoints.flatMap(endpoint => {
    const { fast } = endpoint
    return fast ? routesOf(endpoint).map(route => handledRouteOf(route, fast)) : []
  })
  return (request, response) => {
    const url = request.url ?? ''
    for (const route of routes) {
      if (!url.startsWith(route.prefix)) continue
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const match = route.route.method === method ? route.pattern.exec(url) : null
      if (match) {
        serve(route, match, request, response, services).catch(error => {
          services.log.error({ err: error }, 'answer failure')
          response.destroy()
        })
        return
      }
    }
    usual(request, response)
  }
}

async function serve(
  fastRoute: HandledRoute,
  match: RegExpExecArray,
  request: IncomingMessage,
  response: ServerResponse,
  services: Services,
): Promise<void> {
  const started = performance.now()
  const { route } = fastRoute
  const requestId = requestIdOf(request)
  const headers = [...fastRoute.headers, 'X-Request-Id', requestId]
  let { status }: { status: number } = route.endpoint.returns
  const span = beginRequestSpan(services, request)
  try {
    const work = () => answer(fastRoute, match, request, headers, services)
    const body = await (span ? inside(span, work) : work())
    writeAnswer(request, response, { status, headers, body })
  } catch (error) {
    const refusal = loggedRefusalOf(error, services, requestId)
    status = refusal.status
    for (const [name, value] of Object.entries(refusal.headers)) {
      remove(headers, name)
      headers.push(name, value)
    }
    const body = JSON.stringify({ ...refusal.toJSON(), ...(status !== 404 && { request_id: requestId }) })
    writeRefusal(request, response, { status, headers, body }, { isLast: isLastOf(refusal, request, services) })
  }
  if (span) {
    describeRequest(span, request, { requestId, route: route.path, status })
    span.end()
  }
  const measured = { method: request.method, route: route.path, status }
  observeRequest(services.metrics, measured, (performance.now() - started) / 1000)
}

/** Counts the request by the object that its path names, not by its sender, and handles it. */
async function answer(
  { route, params: names, handle }: HandledRoute,
  match: RegExpExecArray,
  request: IncomingMessage,
  headers: string[],
  services: Services,
): Promise<string> {
  const params = Object.fromEntries(names.map((name, index) => [name, match[index + 1]!.toLowerCase()]))
  const rateClass = route.endpoint.rate ?? 'public'
  const key = `${rateClass}:id:${Object.values(params).join(' ')}`
  const counted = await services.rate.count(key, rateLimits[rateClass], services.clock.nowMs())
  headers.push(...rateHeaderList(counted))
  if (counted.isRefused) {
    services.metrics.rateRefusals.inc({ class: rateClass })
    throw tooMany(counted)
  }
  const received: FastPathContext = {
    params,
    method: request.method as FastPathContext['method'],
    query: match.at(-1) ?? '',
    request,
    ip: clientAddressOf(request, services.config.trustedProxies),
    services,
  }
  return handle(received as never)
}

function remove(headers: string[], name: string): void {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === name) headers.splice(index, 2)
}

const handledRouteOf = (route: Route, handle: HandledRoute['handle']): HandledRoute => ({
  // jobs keep an address for years, with or without a slash at its end
  ...fastRouteOf(route, '', '/?'),
  handle,
  headers: [
    ...guardHeaders,
    ...Object.entries(route.endpoint.returns.headers),
    ['Content-Type', 'application/json; charset=utf-8'] as const,
  ].flat(),
})
