import type Router from '@koa/router'
import Koa, { type Context, type Middleware, type Next } from 'koa'
import type { Caller } from '#control-plane/base/caller.ts'
import { observeRequest } from '#control-plane/base/metrics.ts'
import { type Span, within } from '#control-plane/base/tracing.ts'
import { addRoutes, type Table } from './dispatch.ts'
import type { Endpoint } from './endpoint.ts'
import { openapiRoutes } from './openapi/routes.ts'
import { parametersOf } from './parameters.ts'
import { pipeline } from './pipeline.ts'
import { refuse, type ShowRefusal } from './refuse.ts'
import { requestLog } from './request-log.ts'
import { beginRequestSpan, describeRequest } from './request-span.ts'
import type { Route } from './route.ts'
import { RouteTable } from './route-table.ts'
import { identify } from './stages/address.ts'
import type { Mounting } from './stages/exchange.ts'

/** What is served beside the endpoints, in order: routers, and what is asked before those that follow it. */
export type Pages = readonly (Router | Middleware)[]

/**
 * The API as a Koa application: address, log, errors and the pipeline are global, nothing else. Its routes are added to
 * `table`, by which a dispatcher may answer requests ahead of it.
 */
export function createApp(
  endpoints: readonly Endpoint[],
  mounting: Mounting,
  pages: Pages = [],
  show?: ShowRefusal,
  table: Table = new RouteTable(),
): Koa {
  const { services } = mounting
  addRoutes(table, endpoints, services)
  const app = new Koa()
  app.silent = true
  readQueries(app)
  app.use(identify(services.config))
  app.use(measure(mounting))
  app.use(refuse(services, show))
  app.use(pipeline(table, mounting))
  const documents = openapiRoutes(endpoints, services)
  const { hsts } = services.config
  if (hsts)
    app.use((context, next) => {
      context.set('Strict-Transport-Security', hsts)
      return next()
    })
  for (const page of [documents, ...pages]) {
    if (typeof page === 'function') app.use(page)
    else app.use(page.routes()).use(page.allowedMethods())
  }
  return app
}

/** Koa's own way reads the query once for each name, which takes quadratic time. */
function readQueries(app: Koa): void {
  const known = new WeakMap<object, { text: string; query: ReturnType<typeof parametersOf> }>()
  Object.defineProperty(app.request, 'query', {
    get(this: Context['request']) {
      const text = this.querystring
      const kept = known.get(this)
      if (kept?.text === text) return kept.query
      const query = parametersOf(text)
      known.set(this, { text, query })
      return query
    },
  })
}

function measure({ services }: Mounting) {
  const log = requestLog(services.log)
  return async (context: Context, next: Next): Promise<void> => {
    const started = performance.now()
    const span = beginRequestSpan(services, context.req)
    await (span ? within(span, () => describedBy(span, context, next)) : next())
    const ms = performance.now() - started
    const { method, status, state } = context
    const route = (state.route as Route['path'] | undefined) ?? 'unmatched'
    observeRequest(services.metrics, { method, route, status }, ms / 1000)
    const caller = state.caller as Caller | undefined
    log(route.startsWith('/api/badges') || route === 'unmatched' ? 'debug' : 'info', {
      requestId: state.requestId,
      method,
      route,
      status,
      ms,
      ...(caller && { tokenId: caller.tokenId, tenantId: caller.tenant.id }),
      ...(span && { traceId: span.traceId, spanId: span.spanId }),
    })
  }
}

/** Handles a request that is recorded. */
async function describedBy(span: Span, context: Context, next: Next): Promise<void> {
  await next()
  const { status, state } = context
  const route = (state.route as Route['path'] | undefined) ?? 'unmatched'
  const teamId = (state.tenantId as string | undefined) ?? (state.caller as Caller | undefined)?.tenant.id
  describeRequest(span, context.req, { requestId: state.requestId, route, status, teamId })
}
