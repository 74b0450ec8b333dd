import type { EntityManager } from '@mikro-orm/postgresql'
import type { Context } from 'koa'
import type { Caller, TenantContext } from '#control-plane/base/caller.ts'
import type { AccessLookup } from '#control-plane/http/access/lookup.ts'
import type { Endpoint, RawBody, ServerContext } from '#control-plane/http/endpoint.ts'
import type { Route } from '#control-plane/http/route.ts'
import type { Services } from '#control-plane/http/services.ts'
import type { Handling } from '#control-plane/http/unknown-fields.ts'

/** What the API is mounted on. */
export interface Mounting {
  em: EntityManager
  lookup: AccessLookup
  services: Services
  /** Scheme and host of the API's own addresses for who asked this `Host`: a portal's, else the installation's. */
  originAt(host: string): string
}

/** One request on its way through the stages. Each stage adds its part. */
export interface Exchange {
  context: Context
  mounting: Mounting
  route: Route
  /** The GET of the same path, where the route changes what that shows. */
  reader: Endpoint | undefined
  params: Record<string, string>
  now: Date
}

/** Who is calling, and the tenant that the request acts in. */
export interface Admission {
  caller: Caller
  tenant: TenantContext
  resellerId: string | null
  server?: ServerContext
}

export interface Admitted extends Exchange, Admission {}

export interface Input {
  query: unknown
  /** The body as its schema parsed it. */
  body: unknown
  /** The body as JSON. */
  json: unknown
  rawBody: RawBody
  idempotencyKey: string | undefined
}

export interface ParsedRequest extends Admitted, Input {
  handling: Handling
}
