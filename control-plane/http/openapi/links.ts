import { z } from 'zod'
import type { Route } from '#control-plane/http/route.ts'
import { operationId } from './operation-id.ts'

interface Link {
  operationId: string
  parameters: Record<string, string>
}

/**
 * The operations on a record that an operation creates, for its reply: the paths that are one identifier longer, with
 * the `id` of the reply in it.
 */
export function linksOf(route: Route, routes: readonly Route[]): Record<string, Link> {
  if (route.method !== 'POST' || !hasId(route.endpoint.returns.schema)) return {}
  const links = routes.flatMap(target => {
    const name = oneLonger(route.path, target.path)
    if (name === null || !isForSame(route, target) || target.endpoint.named?.[name]) return []
    const id = operationId(target, routes)
    const parameters = { ...Object.fromEntries(given(route.path)), [name]: '$response.body#/data/id' }
    return [[id.split('.').at(-1) ?? id, { operationId: id, parameters }] as const]
  })
  return Object.fromEntries(links)
}

/** Whether the same callers may use both: a created team is used through the guard of managed teams. */
const isForSame = ({ guard }: Route, target: Route): boolean =>
  target.guard === guard || (guard === 'reseller' && target.guard === 'managed-team')

const hasId = (schema: unknown): boolean =>
  schema instanceof z.ZodObject && schema.shape.data instanceof z.ZodObject && 'id' in schema.shape.data.shape

/** The name of the parameter that one path has after all of the other. */
function oneLonger(path: string, longer: string): string | null {
  const rest = longer.startsWith(`${path}/`) ? longer.slice(path.length) : ''
  return /^\/\{(\w+)\}$/.exec(rest)?.[1] ?? null
}

const given = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `$request.path.${name}`])
