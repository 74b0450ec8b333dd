import { z } from 'zod'
import type { Route } from '#control-plane/http/route.ts'

const camel = (segment: string) => segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const isParam = (segment: string) => segment.startsWith('{')

/**
 * The name of an operation in generated clients, `incidents.updates.list`: the resources of its path and a verb. It
 * follows from path and method, unless the declaration names it, so it is as stable as they are. Endpoints inside a
 * managed team have `managedTeams.` before it.
 */
export function operationId(route: Route, routes: readonly Route[]): string {
  const { endpoint } = route
  const segments = route.path.replace(/^\/api(\/v1)?\//, '').split('/')
  const isOfReseller = segments[0] === 'reseller'
  const isOfTeams = isOfReseller && segments[1] === 'managed-teams'
  const isInsideTeam = route.guard === 'managed-team' && segments.length > 3
  const prefix = isOfTeams ? ['managedTeams'] : isOfReseller ? ['reseller'] : []
  if (endpoint.operation) return [...(isInsideTeam ? prefix : []), endpoint.operation].join('.')
  const rest = segments.slice(isOfTeams ? 2 : isOfReseller ? 1 : 0)
  return [...prefix, ...rest.filter(segment => !isParam(segment)).map(camel), ...verb(route, routes)].join('.')
}

/** The last word of the name. An action, `/incidents/{incident}/acknowledge`, has its verb in the path. */
function verb({ method, path, endpoint: { returns } }: Route, routes: readonly Route[]): string[] {
  const isOfOne = isParam(path.split('/').at(-1) ?? '')
  switch (method) {
    case 'GET':
      return [!isOfOne && isList(returns.schema) ? 'list' : 'get']
    case 'POST':
      return routes.some(other => other.method === 'GET' && other.path === path) ? ['create'] : []
    case 'PUT':
      return ['replace']
    case 'PATCH':
      return ['update']
    default:
      return ['delete']
  }
}

const isList = (schema: z.ZodType) => schema instanceof z.ZodObject && schema.shape.data instanceof z.ZodArray
