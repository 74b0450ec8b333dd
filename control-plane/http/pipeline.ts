import type { Context, Middleware } from 'koa'
import { Refusal } from '#control-plane/base/refusal.ts'
import { foundFor, type Table } from './dispatch.ts'
import { cachingOf, corsHeaders, guard, isOpenToPages, preflightHeaders } from './headers.ts'
import type { Route } from './route.ts'
import { admit } from './stages/access.ts'
import type { Admitted, Exchange, Mounting, ParsedRequest } from './stages/exchange.ts'
import { handle } from './stages/handle.ts'
import { parseRequest } from './stages/parse.ts'
import { send } from './stages/render.ts'
import { keepOpen } from './stages/stream.ts'

/** Leads each request to its endpoint. The next middleware gets requests for unknown paths. */
export function pipeline(table: Table, mounting: Mounting): Middleware {
  const { services } = mounting
  const { corsOrigins } = services.config
  return (context, next) => {
    const { path } = context
    const { target, params = {} } =
      foundFor(context.req) ?? table.find(context.method === 'HEAD' ? 'GET' : context.method, path) ?? {}
    if (target?.route) {
      const { route, reader } = target
      return serve({ context, mounting, route, reader, params, now: services.clock.now() })
    }
    guard(context)
    const methods = table.methods(path)
    if (methods.length === 0) return next()
    const routes = methods.flatMap(other => table.find(other, path)?.target.route ?? [])
    answerOtherMethod(context, routes, corsOrigins)
  }
}

/** The stages of one request: access and rate, parse, transaction with idempotency and handler, render. */
async function serve(exchange: Exchange): Promise<void> {
  const { context, mounting, route } = exchange
  const { endpoint } = route
  const { services } = mounting
  const { state } = context
  state.route = route.path
  if (endpoint.returns.headers['Cache-Control'] === undefined)
    state.responseHeaders.push('Cache-Control', cachingOf(context.req, services.config))
  if (isOpenToPages(route))
    state.responseHeaders.push(...corsHeaders(services.config.corsOrigins, context.req.headers.origin, endpoint))
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
  const work = () => handle(request)
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
