import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { z } from 'zod'
import { observeRequest } from '#control-plane/base/metrics.ts'
import { inside, type Span } from '#control-plane/base/tracing.ts'
import { writeAnswer, writeRefusal } from './answer.ts'
import type { DirectContext } from './endpoint.ts'
import { guarded, guardHeaders } from './headers.ts'
import { type Counted, rateHeaderList, rateKeyOfIp, rateLimits, tooMany } from './rate.ts'
import { isLastOf, loggedRefusalOf } from './refuse.ts'
import { beginRequestSpan, describeRequest } from './request-span.ts'
import type { Route } from './route.ts'
import type { Services } from './services.ts'
import { clientAddressOf, requestIdOf } from './stages/address.ts'

interface Asked {
  params: Record<string, string>
  /** Without the question mark. */
  query: string
}

/** Answers a request without Koa; false: `koa` has to. */
export type Ahead = (request: IncomingMessage, response: ServerResponse, asked: Asked, koa: RequestListener) => boolean

/** How a route is answered without Koa: from memory, or by a handler that needs no transaction; most are not. */
export function aheadOf(route: Route, services: Services): Ahead | undefined {
  const { fromMemory, direct } = route.endpoint
  if (!fromMemory && !direct) return undefined
  const isRead = route.method === 'GET' || !fromMemory
  if (route.guard !== 'public' || !isRead)
    throw new Error(`${route.method} ${route.path} cannot be answered without Koa.`)
  return fromMemory ? answerFromMemory(route, services) : answerDirectly(route, services)
}

const longestQuery = 200

/** With the bytes, headers, counts and metrics that the pipeline would give, for a fraction of the time. */
function answerFromMemory(route: Route, services: Services): Ahead {
  const { endpoint } = route
  const { status, type } = endpoint.returns
  const parse = parserOf(endpoint.query)
  const common = guarded({ ...endpoint.returns.headers, 'Content-Type': type })
  const rateClass = endpoint.rate ?? 'public'
  return (request, response, { params, query: text }, koa) => {
    const started = performance.now()
    const { method, headers } = request
    if (method !== 'GET' || headers['if-none-match'] !== undefined || services.log.isLevelEnabled('debug')) return false
    const query = text.length > longestQuery ? undefined : parse(text)
    const known = query === undefined ? undefined : endpoint.fromMemory?.({ params, query, services } as never)
    if (known === undefined) return false
    const give = (counted: Counted): boolean => {
      // a refused request costs nothing, so the pipeline may count it again
      if (counted.isRefused) return false
      const requestId = requestIdOf(request)
      const span = beginRequestSpan(services, request)
      const sent = [...common, 'X-Request-Id', requestId, ...rateHeaderList(counted), 'ETag', known.etag]
      writeAnswer(request, response, { status, headers: sent, body: known.text })
      observe(route, services, request, { started, status, requestId, span })
      return true
    }
    const key = `${rateClass}:ip:${rateKeyOfIp(clientAddressOf(request, services.config.trustedProxies))}`
    const counted = services.rate.count(key, rateLimits[rateClass], services.clock.nowMs())
    if (!(counted instanceof Promise)) return give(counted)
    counted
      .then(give, () => false)
      .then(isAnswered => isAnswered || koa(request, response))
      .catch(error => failed(error, response, services))
    return true
  }
}

/** The query as the pipeline would parse it; undefined where that would ignore or refuse a part of it. */
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

const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i

/** Counted by the object that the path names, not by its sender. */
function answerDirectly(route: Route, services: Services): Ahead {
  const { returns } = route.endpoint
  const declared = { ...returns.headers, 'Content-Type': 'application/json; charset=utf-8' }
  const common = [...guardHeaders, ...Object.entries(declared)].flat()
  return (request, response, asked) => {
    const values = Object.entries(asked.params)
    if (!values.every(([, value]) => uuid.test(value))) return false
    const params = Object.fromEntries(values.map(([name, value]) => [name, value.toLowerCase()]))
    serve(route, services, { request, response, common, asked: { ...asked, params } }).catch(error =>
      failed(error, response, services),
    )
    return true
  }
}

interface Served {
  request: IncomingMessage
  response: ServerResponse
  common: readonly string[]
  asked: Asked
}

async function serve(route: Route, services: Services, { request, response, common, asked }: Served): Promise<void> {
  const started = performance.now()
  const requestId = requestIdOf(request)
  const headers = [...common, 'X-Request-Id', requestId]
  let { status }: { status: number } = route.endpoint.returns
  const span = beginRequestSpan(services, request)
  try {
    const work = () => answerOf(route, services, request, headers, asked)
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
  observe(route, services, request, { started, status, requestId, span })
}

async function answerOf(
  { endpoint }: Route,
  services: Services,
  request: IncomingMessage,
  headers: string[],
  { params, query }: Asked,
): Promise<string> {
  const rateClass = endpoint.rate ?? 'public'
  const key = `${rateClass}:id:${Object.values(params).join(' ')}`
  const counted = await services.rate.count(key, rateLimits[rateClass], services.clock.nowMs())
  headers.push(...rateHeaderList(counted))
  if (counted.isRefused) {
    services.metrics.rateRefusals.inc({ class: rateClass })
    throw tooMany(counted)
  }
  const method = request.method as DirectContext['method']
  const ip = clientAddressOf(request, services.config.trustedProxies)
  return endpoint.direct?.({ params, method, query, request, ip, services } as never) ?? ''
}

function remove(headers: string[], name: string): void {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === name) headers.splice(index, 2)
}

interface Answered {
  started: number
  status: number
  requestId: string
  span: Span | undefined
}

function observe(
  { path: route }: Route,
  services: Services,
  request: IncomingMessage,
  { started, status, requestId, span }: Answered,
): void {
  if (span) {
    describeRequest(span, request, { requestId, route, status })
    span.end()
  }
  observeRequest(services.metrics, { method: request.method, route, status }, (performance.now() - started) / 1000)
}

function failed(error: unknown, response: ServerResponse, { log }: Services): void {
  log.error({ err: error }, 'answer failure')
  response.destroy()
}
