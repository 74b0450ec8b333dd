import { endpoints } from '#control-plane/endpoints.ts'
import { type Route, routesOf } from '#control-plane/http/route.ts'

/** A way in, as its declaration has it. */
export interface Operation {
  name: string
  method: string
  path: string
  guard: Route['guard']
  tenantScope: string | undefined
  /** Several, of which one is enough, with a space in between. */
  resellerScope: string | undefined
  isRefusedUnderImpersonation: boolean
  /** A session of a browser must have proved within ten minutes that its person is present. */
  needsFresh: boolean
  hasBody: boolean
  /** Fewer calls a minute than the route allows otherwise. */
  hasOwnRate: boolean
  /** Takes large files, a few of each team at a time: the limit comes after the guards. */
  isUpload: boolean
  /** Names in the path, the team's apart. */
  params: string[]
}

export const operations: Operation[] = endpoints.flatMap(routesOf).map(({ method, path, guard, endpoint }) => {
  const { access } = endpoint
  const scopes: { tenant?: string | undefined; reseller?: string | readonly string[] | undefined } =
    typeof access === 'string' ? {} : access
  return {
    name: `${method} ${path}`,
    method,
    path,
    guard,
    tenantScope: scopes.tenant,
    resellerScope: [scopes.reseller ?? []].flat().join(' ') || undefined,
    isRefusedUnderImpersonation: endpoint.underImpersonation === 'refused',
    needsFresh: endpoint.needsFreshSession === true,
    hasBody: endpoint.body !== undefined,
    hasOwnRate: endpoint.rate !== undefined,
    isUpload: endpoint.upload !== undefined,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter(name => name !== 'managed_team'),
  }
})

/** Done to whatever is there by the mere call: no body to be refused, no child that could be unknown. */
export const actsAtOnce = ({ method, guard, hasBody, params }: Operation) =>
  method !== 'GET' && guard !== 'server-agent' && !hasBody && params.length === 0
