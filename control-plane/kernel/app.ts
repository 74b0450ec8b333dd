import { randomUUID } from 'node:crypto'
import helmet from 'helmet'
import Koa, { type Context, type Next } from 'koa'
import type { Endpoint } from './endpoint.ts'
import type { Door } from './mount.ts'
import { type Mounting, mount } from './mount.ts'
import { openapiRoutes } from './openapi-routes.ts'
import { refuse } from './refuse.ts'

const secure = helmet({
  contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
})

/** The API as Koa sees it: request id, log, errors, routes; nothing else is global. */
export function createApp(endpoints: readonly Endpoint[], mounting: Mounting): Koa {
  const { services } = mounting
  const app = new Koa()
  app.silent = true
  app.use(identify(services.config.trustedProxies))
  app.use(measure(mounting))
  app.use(refuse(services))
  app.use(guardHeaders)
  const router = mount(endpoints, mounting)
  const documents = openapiRoutes(endpoints, services.config.baseUrl)
  app.use(documents.routes())
  app.use(router.routes())
  app.use(router.allowedMethods())
  return app
}

const guardHeaders = async (context: Context, next: Next): Promise<void> => {
  await new Promise<void>((resolve, reject) => secure(context.req, context.res, error => (error ? reject(error) : resolve())))
  return next()
}

const requestIdShape = /^[\w-]{8,64}$/

/** Gives each request an id (the caller's own, if sane) and finds the caller's address behind trusted proxies only. */
const identify =
  (trustedProxies: number) =>
  (context: Context, next: Next): Promise<void> => {
    const given = context.get('X-Request-Id')
    context.state.requestId = requestIdShape.test(given) ? given : randomUUID()
    context.state.ip = context.req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
    if (trustedProxies > 0) {
      const hops = context
        .get('X-Forwarded-For')
        .split(',')
        .map(hop => hop.trim())
        .filter(Boolean)
      const claimed = hops.at(-trustedProxies)
      if (claimed && /^[\da-fA-F.:]{2,45}$/.test(claimed)) context.state.ip = claimed
    }
    context.set('X-Request-Id', context.state.requestId)
    return next()
  }

const measure =
  ({ services }: Mounting) =>
  async (context: Context, next: Next): Promise<void> => {
    const started = performance.now()
    await next()
    const ms = performance.now() - started
    const route = (context.state.route as Door['path'] | undefined) ?? 'unmatched'
    services.metrics.requests.observe({ method: context.method, route, status: String(context.status) }, ms / 1000)
    const level = route.startsWith('/api/badges') || route === 'unmatched' ? 'debug' : 'info'
    if (services.log.isLevelEnabled(level))
      services.log[level](
        {
          request_id: context.state.requestId,
          method: context.method,
          route,
          status: context.status,
          ms: Math.round(ms * 10) / 10,
          ...(context.state.caller && { token_id: context.state.caller.tokenId, tenant_id: context.state.caller.tenant.id }),
        },
        'request',
      )
  }
