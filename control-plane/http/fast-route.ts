import type { Route } from './route.ts'

/** A public route with UUIDs in its path that is matched ahead of Koa by one expression. */
export interface FastRoute {
  route: Route
  prefix: string
  /** Groups: the parameters in order, then the query. */
  pattern: RegExp
  params: string[]
}

const uuidPattern = '([\\da-fA-F]{8}-[\\da-fA-F]{4}-[1-8][\\da-fA-F]{3}-[89abAB][\\da-fA-F]{3}-[\\da-fA-F]{12})'

/** `queryChars`: the longest query that the pattern matches; `end`: what may stand behind the path. */
export function fastRouteOf(route: Route, queryChars: number | '' = '', end = ''): FastRoute {
  const { guard, method, path } = route
  if (guard !== 'public') throw new Error(`${method} ${path} is not public: it has no fast path.`)
  const query = queryChars === '' ? '*' : `{0,${queryChars}}`
  return {
    route,
    prefix: path.slice(0, path.indexOf('{')),
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, uuidPattern)}${end}(?:\\?([^#]${query}))?$`),
    params: [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] as string),
  }
}
