import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { answerThenDrain } from './answer-then-drain.ts'
import type { Endpoint, FastPathContext } from './endpoint.ts'
import { guardHeaders } from './guard-headers.ts'
import { uuidPattern } from './known-answer-path.ts'
import { type Mounting, type Route, routesOfEndpoint } from './mount.ts'
import { rateHeaders, rateLimits, tooMany } from './rate.ts'
import { refusalCounterOf } from './refusals.ts'
import { refusalOf } from './refuse.ts'
import { clientAddressOf, requestIdOf } from './sender.ts'

interface Lane {
  door: Route
  swift: NonNullable<Endpoint['fast']>
  prefix: string
  pattern: RegExp
  params: string[]
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[]
}

/** Public endpoints with `swift` are answered ahead of Koa; whatever else their paths are asked goes the usual way. */
export function fastPath(
  endpoints: readonly Endpoint[],
  { services }: Pick<Mounting, 'services'>,
  usual: RequestListener,
): RequestListener {
  const lanes = endpoints.flatMap(endpoint => {
    const { fast } = endpoint
    return fast ? routesOfEndpoint(endpoint).map(door => laneOf(door, fast)) : []
  })
  return (request, response) => {
    const url = request.url ?? ''
    for (const lane of lanes) {
      if (!url.startsWith(lane.prefix)) continue
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const path = lane.door.method === method ? lane.pattern.exec(url) : null
      if (path) {
        serve(lane, path, request, response, services).catch(error => {
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
  { door, swift, params: names, headers: always }: Lane,
  path: RegExpExecArray,
  request: IncomingMessage,
  response: ServerResponse,
  services: Mounting['services'],
) {
  const started = performance.now()
  const { endpoint } = door
  const requestId = requestIdOf(request)
  const params = Object.fromEntries(names.map((name, index) => [name, path[index + 1]!.toLowerCase()]))
  const headers = [...always, 'X-Request-Id', requestId]
  let status: number = endpoint.returns.status
  let text: string
  let isUnread = false
  let isLast = false
  try {
    const rateClass = endpoint.rate ?? 'public'
    const counted = await services.rate.count(
      `${rateClass}:id:${Object.values(params).join(' ')}`,
      rateLimits[rateClass],
      services.clock.nowMs(),
    )
    headers.push(...Object.entries(rateHeaders(counted)).flat())
    if (counted.isRefused) {
      services.metrics.rateRefusals.inc({ class: rateClass })
      throw tooMany(counted)
    }
    const asked: FastPathContext = {
      params,
      method: request.method as FastPathContext['method'],
      query: path.at(-1) ?? '',
      request,
      ip: clientAddressOf(request, services.config.trustedProxies),
      services,
    }
    text = await swift(asked as never)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.status >= 500)
      services.log[refusal.status === 503 ? 'warn' : 'error']({ err: error, request_id: requestId }, 'request failed')
    status = refusal.status
    const own = Object.entries(refusal.headers)
    for (const [name] of own) drop(headers, name)
    headers.push(...own.flat())
    text = JSON.stringify({ ...refusal.toJSON(), ...(status !== 404 && { request_id: requestId }) })
    isUnread = !request.complete
    isLast = status < 500 && refusalCounterOf(services).isOneTooMany(request)
  }
  // an unread body would be taken for the next request on this connection
  if (isUnread || isLast) headers.push('Connection', 'close')
  headers.push('Content-Length', String(Buffer.byteLength(text)))
  if (!response.destroyed) {
    response.writeHead(status, headers)
    if (request.method === 'HEAD') response.end()
    else if (isUnread) answerThenDrain(request, text).pipe(response)
    else response.end(text)
  }
  services.metrics.requests.observe(
    { method: request.method ?? '', route: door.path, status: String(status) },
    (performance.now() - started) / 1000,
  )
}

function drop(headers: string[], name: string): void {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === name) headers.splice(index, 2)
}

function laneOf(door: Route, swift: NonNullable<Endpoint['fast']>): Lane {
  if (door.guard !== 'public') throw new Error(`${door.method} ${door.path} cannot take the swift lane.`)
  return {
    door,
    swift,
    prefix: door.path.slice(0, door.path.indexOf('{')),
    pattern: new RegExp(`^${door.path.replace(/\{\w+\}/g, uuidPattern)}(?:\\?([^#]*))?$`),
    headers: [
      ...guardHeaders,
      ...Object.entries(door.endpoint.returns.headers),
      ['Content-Type', 'application/json; charset=utf-8'] as const,
    ].flat(),
    params: [...door.path.matchAll(/\{(\w+)\}/g)].map(match => match[1] as string),
  }
}
