import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Ahead, aheadOf } from './ahead.ts'
import type { Endpoint } from './endpoint.ts'
import { type Route, readerOf, routesOf } from './route.ts'
import type { Found, RouteTable } from './route-table.ts'
import type { Services } from './services.ts'

/** What a request leads to: a route, or a listener for whole hosts and folders, which has `ahead` alone. */
export interface Target {
  route?: Route
  /** The GET of the same path, where the route changes what that shows. */
  reader?: Endpoint | undefined
  /** Answers without Koa, or returns false: Koa has to. */
  ahead?: Ahead | undefined
}

export type Table = RouteTable<Target>

/** Adds every route of the endpoints. */
export function addRoutes(table: Table, endpoints: readonly Endpoint[], services: Services): void {
  const routes = endpoints.flatMap(routesOf)
  for (const route of routes)
    table.add(route.method, route.path, {
      route,
      reader: readerOf(route, routes),
      ahead: aheadOf(route, services),
    })
}

const found = new WeakMap<IncomingMessage, Found<Target>>()

/** What the dispatcher found for a request that it gave to Koa. */
export const foundFor = (request: IncomingMessage): Found<Target> | undefined => found.get(request)

/** Addresses that Koa reads as they stand; it finds the path of others, such as `http://host/path`, by itself. */
const isPlain = /^\/[^#\s\uFEFF]*$/

/** The one dispatcher: finds the entry of each request, once, and has it answered as the entry says. */
export const dispatcher =
  (table: Table, koa: RequestListener): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', headers } = request
    if (!isPlain.test(url)) return koa(request, response)
    const end = url.indexOf('?')
    const [path, query] = end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)]
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '')
    const entry = table.at(headers.host ?? '', method, path) ?? slashless(table, method, path)
    if (entry?.target.ahead?.(request, response, { params: entry.params, query }, koa)) return
    if (entry) found.set(request, entry)
    koa(request, response)
  }

/** Jobs keep the address of a ping for years, with or without a slash at its end. */
function slashless(table: Table, method: string, path: string): Found<Target> | undefined {
  const entry = path.endsWith('/') ? table.find(method, path.slice(0, -1)) : undefined
  return entry?.target.route?.endpoint.direct ? { ...entry, target: { ahead: entry.target.ahead } } : undefined
}
