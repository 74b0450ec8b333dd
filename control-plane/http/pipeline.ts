import type { Context, Middleware } from 'koa'
import { Refusal } from '#control-plane/base/refusal.ts'
import { SideEffects } from '#control-plane/base/side-effects.ts'
import { cachingOf } from './caching.ts'
import { corsHeaders, isOpenToPages, preflightHeaders } from './cors.ts'
import type { Endpoint } from './endpoint.ts'
import { guard } from './guard-headers.ts'
import { type Route, type RouteTarget, routeTableOf } from './route.ts'
import type { Found } from './route-table.ts'
import { admit } from './stages/access.ts'
import type { Admitted, Mounting, ParsedRequest } from './stages/exchange.ts'
import { handle } from './stages/handle.ts'
import { parseRequest } from './stages/parse.ts'
import { send } from './stages/render.ts'
import { keepOpen } from './stages/stream.ts'
import { transact } from './stages/transaction.ts'

/** Leads each request to its endpoint. The next middleware gets requests for unknown paths. */
export function pipeline(endpoints: readonly Endpoint[], mounting: Mounting): Middleware {
  const table = routeTableOf(endpoints)
  const { corsOrigins } = mounting.services.config
  return (context, next) => {
    const { path } = context
    const hostname = table.readsHosts ? context.hostname.toLowerCase() : ''
    const method = context.method === 'HEAD' ? 'GET' : context.method
    const found = table.find(method, path, hostname)
    if (found) return serve(context, found, mounting)
    guard(context)
    const methods = table.methods(path, hostname)
    if (methods.length === 0) return next()
    const routes = methods.flatMap(other => table.find(other, path, hostname)?.target.route ?? [])
    answerOtherMethod(context, routes, corsOrigins)
  }
}

/** The stages of one request: access and rate, parse, transaction with idempotency and handler, render. */
async function serve(context: Context, { target, params }: Found<RouteTarget>, mounting: Mounting): Promise<void> {
  const { route, reader } = target
  const { endpoint } = route
  const { services } = mounting
  const { state } = context
  state.route = route.path
  if (endpoint.returns.headers['Cache-Control'] === undefined)
    state.responseHeaders.push('Cache-Control', cachingOf(context.req, services.config))
  if (isOpenToPages(route))
    state.responseHeaders.push(...corsHeaders(services.config.corsOrigins, context.req.headers.origin, endpoint))
  const origin = mounting.originAt(context.host)
  const exchange = { context, mounting, origin, route, reader, params, now: services.clock.now() }
  const admitted: Admitted = { ...exchange, ...(await admit(exchange)) }
  if (admitted.tenant.id && route.guard !== 'server-agent')
    services.usage.countRequest(admitted.tenant.id, exchange.now)
  state.tenantId = admitted.tenant.id
  const { upload } = endpoint
  const answer = () => parseRequest(admitted).then(answerTo)
  return upload ? upload.run(services, admitted.tenant.id, answer) : answer()
}

/** The stages after the body was read. */
async function answerTo(request: ParsedRequest): Promise<void> {
  const { context, mounting, route, tenant } = request
  const { endpoint } = route
  const { services } = mounting
  const work = () => (endpoint.detached ? handle(request, mounting.em, new SideEffects()) : transact(request))
  const answer = await (endpoint.limit ? endpoint.limit.run(work, tenant.id) : work())
  if (endpoint.stream) return keepOpen(request, answer.parsed)
  const finished = endpoint.finish ? { ...answer, ...(await endpoint.finish(answer.parsed, services)) } : answer
  send(context, endpoint, finished, request.rawBody.type)
}

/** Names the methods that a path has, and answers preflight requests of browsers. */
function answerOtherMethod(context: Context, routes: readonly Route[], corsOrigins: readonly string[]): void {
  const methods = routes.map(({ method }) => method)
  context.set('Allow', [...(methods.includes('GET') ? ['HEAD'] : []), ...methods].join(', '))
  if (context.method !== 'OPTIONS') throw new Refusal(405, 'method_not_allowed', 'This method is not allowed here.')
  const open = routes.filter(isOpenToPages).map(({ method }) => method)
  context.set(preflightHeaders(corsOrigins, context.req.headers.origin, open))
  if (routes.some(({ endpoint }) => endpoint.returns.headers['Access-Control-Allow-Origin'] !== undefined))
    context.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': 'Content-Type',
    })
  context.status = 200
  context.body = ''
}
