import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { z } from 'zod'
import type { SideEffects } from '#control-plane/base/side-effects.ts'
import { type Endpoint, endpoint, type Method, type RequestContext } from '#control-plane/http/endpoint.ts'
import type { Reply } from '#control-plane/http/reply.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { findCheck } from './find.ts'
import type { CheckRow } from './row.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

interface CheckVerb<Schema extends z.ZodType, Query extends z.ZodType | undefined, Body extends z.ZodType | undefined> {
  method: Method
  /** What follows the path of the check: empty, or a slash and a word. */
  suffix: '' | `/${string}`
  summary: string
  description?: string
  needs: 'read' | 'write'
  query?: Query
  body?: Body
  returns: Reply<Schema>
  /** For endpoints that wait long: the check is found in a short transaction of its own. */
  detached?: boolean
  handle(
    context: RequestContext<{ check: string }, Parsed<Query>, Parsed<Body>> & { found: CheckRow },
  ): Promise<z.input<Schema>>
}

/** The scopes that endpoints of checks need, of tenants and of resellers. */
export const checkAccess = {
  read: { tenant: 'checks:read', reseller: 'monitors:read' },
  write: { tenant: 'checks:write', reseller: 'monitors:write' },
} as const

type UnitContext = Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'ip' | 'now'>

/** A short transaction under the tenant's row security, for endpoints without one of their own. */
export const shortUnit = <T>(
  { em, tenant, caller, ip, now }: UnitContext,
  requestId: string,
  work: (em: EntityManager, sideEffects: SideEffects) => Promise<T>,
) => unitOfWork(em, { tenantId: tenant.id, resellerId: null, caller, ip, requestId, now }, work)

/** Declares an endpoint of a check at its own path and below that of its monitor. The handler receives the check. */
export function checkEndpoint<
  Schema extends z.ZodType,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>({ suffix, needs, handle, ...declaration }: CheckVerb<Schema, Query, Body>): Endpoint[] {
  const shared = { ...declaration, tag: 'checks', access: checkAccess[needs] }
  const find = (context: UnitContext, check: string, monitor?: string) =>
    declaration.detached
      ? shortUnit(context, randomUUID(), em => findCheck(em, context.tenant, check, monitor))
      : findCheck(context.em, context.tenant, check, monitor)
  return [
    endpoint<`/checks/{check}${string}`, Schema, Query, Body>({
      ...shared,
      path: `/checks/{check}${suffix}`,
      handle: async context => handle({ ...context, found: await find(context, context.params.check) }),
    }),
    endpoint<`/monitors/{monitor}/checks/{check}${string}`, Schema, Query, Body>({
      ...shared,
      path: `/monitors/{monitor}/checks/{check}${suffix}`,
      handle: async context =>
        handle({ ...context, found: await find(context, context.params.check, context.params.monitor) }),
    }),
  ]
}
