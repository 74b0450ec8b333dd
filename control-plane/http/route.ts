import type { Endpoint } from './endpoint.ts'
import { isJson } from './reply.ts'

/** One way to an endpoint: method, path, and the guard in front of it. */
export interface Route {
  method: string
  path: string
  guard: 'public' | 'server-agent' | 'scim' | 'session' | 'super-admin' | 'tenant' | 'reseller' | 'managed-team'
  endpoint: Endpoint
}

const teamPrefix = '/reseller/managed-teams/{managed_team}'

/** All routes of an endpoint. One with both scopes has two. */
export function routesOf(endpoint: Endpoint): Route[] {
  const { access, method } = endpoint
  if (!access) throw new Error(`${method} ${endpoint.path} has no access rule.`)
  if (typeof access === 'string')
    return [{ method, path: (endpoint.root ? '/api' : '/api/v1') + endpoint.path, guard: access, endpoint }]
  const at = (path: string, guard: Route['guard']): Route => ({ method, path: `/api/v1${path}`, guard, endpoint })
  if (access.tenant === undefined) {
    const isInsideTeam = endpoint.path.startsWith(teamPrefix)
    return [at(endpoint.path, isInsideTeam ? 'managed-team' : 'reseller')]
  }
  return access.reseller
    ? [at(endpoint.path, 'tenant'), at(teamPrefix + endpoint.path, 'managed-team')]
    : [at(endpoint.path, 'tenant')]
}

/** The GET of the same path, for a route that changes what it shows: `If-Match` is compared with its entity tag. */
export const readerOf = ({ method, path }: Route, routes: readonly Route[]): Endpoint | undefined =>
  method === 'PATCH' || method === 'PUT' || method === 'DELETE'
    ? routes.find(other => other.method === 'GET' && other.path === path && isJson(other.endpoint.returns))?.endpoint
    : undefined
