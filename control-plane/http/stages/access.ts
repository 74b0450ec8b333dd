import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { anonymous, type Caller } from '#control-plane/base/caller.ts'
import { forbidden, Refusal, unauthenticated } from '#control-plane/base/refusal.ts'
import type { Config } from '#control-plane/config.ts'
import type { AuthenticatedCaller, NamedTenant } from '#control-plane/http/access/lookup.ts'
import {
  actsAsOperator,
  requireFactor,
  requireFresh,
  requireOperatorFactor,
  requireOwnSession,
} from '#control-plane/http/access/proofs.ts'
import { asReseller, enterManagedTeam, enterReseller } from '#control-plane/http/access/reseller.ts'
import { checkTenantScope, enterTenant, mayNameTenant, nameableTenant } from '#control-plane/http/access/tenant.ts'
import { bearerOf } from '#control-plane/http/bearer.ts'
import type { Endpoint } from '#control-plane/http/endpoint.ts'
import type { Route } from '#control-plane/http/route.ts'
import { refuseCrossSite, sessionOf } from '#control-plane/http/session-cookie.ts'
import type { Admission, Exchange } from './exchange.ts'
import { type AccessRate, RequestRate } from './rate.ts'

const uuid = z.uuid()

/** Admits the caller as the guard of the route demands, and counts the request: a 401, 403 or 429 otherwise. */
export async function admit(
  exchange: Exchange,
  rate: AccessRate = new RequestRate(exchange.context, exchange.mounting.services),
): Promise<Admission> {
  const { context, mounting, route } = exchange
  if (route.endpoint.setsCookies) refuseCrossSite(context.req, mounting.services.config)
  if (route.guard === 'public') {
    await rate.countAddress(route.endpoint.rate ?? 'public')
    return { caller: anonymous, tenant: anonymous.tenant, resellerId: null }
  }
  if (route.guard === 'server-agent') return admitServer(exchange, rate)
  if (route.guard === 'scim') return admitDirectory(exchange, rate)
  const header = context.req.headers['x-tenant-id'] as string | undefined
  const named = namedBy(route, exchange.params, header)
  let tokenHash = ''
  const found = await rate.countRefusals(
    () => tokenHash,
    async () => {
      const { token, isByCookie } = credentialOf(context.req, mounting.services.config)
      const known = await mounting.lookup.authenticate(token, context.state.ip, named, () => {
        tokenHash = hashOf(token)
        rate.refuseUnknownSender(tokenHash)
      })
      if (tokenHash !== '') rate.acceptSender(tokenHash)
      // the cookie of a browser is valid as a cookie alone, and no other token is
      if (known.caller.isByCookie !== isByCookie) throw unauthenticated()
      return known
    },
  )
  context.state.caller = found.caller
  if (!route.endpoint.allowsMissingFactor) requireFactor(found.caller, exchange.now)
  const isOwnNeeded = route.endpoint.needsOwnSession === true
  // a session that is limited to its team cannot be confirmed: it is refused for that, below
  if (route.endpoint.needsFreshSession && !(isOwnNeeded && found.caller.isLocked))
    requireFresh(found.caller, exchange.now)
  const admission =
    route.guard === 'reseller' || route.guard === 'managed-team'
      ? await admitReseller(exchange, rate, found)
      : await admitMember(exchange, rate, found, header)
  if (isOwnNeeded) requireOwnSession(found.caller)
  return admission
}

/** The token of a request: in the header, or in the cookie of a browser, which only pages of our own may use to write. */
function credentialOf(request: IncomingMessage, config: Config): { token: string; isByCookie: boolean } {
  const { authorization, cookie } = request.headers
  const session = sessionOf(cookie, config)
  if (session === undefined) return { token: bearerOf(authorization), isByCookie: false }
  if (authorization !== undefined) throw twoCredentials()
  refuseCrossSite(request, config)
  return { token: session, isByCookie: true }
}

const twoCredentials = () =>
  new Refusal(400, 'two_credentials', 'Send either the header Authorization or the cookie of a session, not both.')

const hashOf = (token: string) => hash('sha256', token, 'base64url')

/** What a token of its own belongs to, or a 401. */
function findBearer<Found>(
  { context }: Exchange,
  rate: AccessRate,
  find: (bearer: string) => Promise<Found | null>,
): Promise<Found> {
  let tokenHash = ''
  return rate.countRefusals(
    () => tokenHash,
    async () => {
      const bearer = bearerOf(context.req.headers.authorization)
      tokenHash = hashOf(bearer)
      rate.refuseUnknownSender(tokenHash)
      const found = await find(bearer)
      if (!found) throw unauthenticated()
      rate.acceptSender(tokenHash)
      return found
    },
  )
}

async function admitServer(exchange: Exchange, rate: AccessRate): Promise<Admission> {
  const { mounting, route } = exchange
  const { tokenId, monitorId, tenant } = await findBearer(exchange, rate, bearer => mounting.lookup.server(bearer))
  await rate.count(route.endpoint.rate ?? 'server-agent', `server:${tokenId}`)
  return { caller: anonymous, tenant, resellerId: null, server: { monitorId, tokenId } }
}

async function admitDirectory(exchange: Exchange, rate: AccessRate): Promise<Admission> {
  const { context, mounting } = exchange
  const { tokenId, tenant } = await findBearer(exchange, rate, bearer => mounting.lookup.scim(bearer))
  const caller = { ...anonymous, tokenId, tenant }
  context.state.caller = caller
  await rate.count('scim', `tenant:${tenant.id}`)
  return { caller, tenant, resellerId: null }
}

async function admitReseller(
  { mounting, route, params }: Exchange,
  rate: AccessRate,
  found: AuthenticatedCaller,
): Promise<Admission> {
  const { endpoint } = route
  const caller = asReseller(found.caller)
  await rate.count(endpoint.rate ?? 'reseller', `token:${caller.tokenId}`)
  await rate.countTenant(caller)
  if (typeof endpoint.access === 'string' || !endpoint.access.reseller)
    throw forbidden('This endpoint is not for resellers.')
  enterReseller(caller, endpoint.access.reseller)
  const isTeam = route.guard === 'managed-team'
  const tenant = isTeam ? await enterManagedTeam(mounting.lookup, found, params.managed_team ?? '') : caller.tenant
  return { caller, tenant, resellerId: caller.tenant.id }
}

async function admitMember(
  { mounting, route }: Exchange,
  rate: AccessRate,
  found: AuthenticatedCaller,
  header: string | undefined,
): Promise<Admission> {
  const { endpoint, guard } = route
  const { caller } = found
  // counted before the header is evaluated, so that guessing tenants is limited too
  const isContext = header !== undefined && mayNameTenant(caller)
  const byCaller = caller.isByCookie ? 'app' : isContext ? 'tenant-context' : 'tenant'
  await rate.count(endpoint.rate ?? byCaller, `token:${caller.tokenId}`)
  await rate.countTenant(caller)
  if (caller.impersonator) refuseImpersonation(endpoint)
  if (guard === 'session') return { caller, tenant: caller.tenant, resellerId: resellerIdOf(caller) }
  if (guard === 'super-admin') {
    if (!caller.user?.isSuperAdmin || caller.kind !== 'ss' || caller.isLocked)
      throw forbidden('Only the operator may do this.')
    await requireOperatorFactor(mounting.services, caller)
    return { caller, tenant: caller.tenant, resellerId: null }
  }
  const { access } = endpoint
  if (typeof access === 'string' || !access.tenant) throw forbidden('No caller may do this.')
  const { tenant, isNamed } = await enterTenant(mounting.lookup, found, header)
  if (isNamed && tenant.id !== caller.tenant.id) refuseImpersonation(endpoint)
  if (actsAsOperator(caller, tenant, access.tenant)) await requireOperatorFactor(mounting.services, caller)
  checkTenantScope(caller, { tenant: access.tenant, ...(access.reseller && { reseller: access.reseller }) })
  return { caller, tenant, resellerId: resellerIdOf(caller) }
}

const resellerIdOf = ({ tenant }: Caller) => (tenant.isReseller ? tenant.id : null)

/** What is looked up together with the token. */
function namedBy(
  { guard }: Route,
  { managed_team: teamId }: Record<string, string>,
  header: string | undefined,
): NamedTenant {
  if (guard === 'managed-team') return uuid.safeParse(teamId).success ? { teamId } : {}
  return guard === 'tenant' && header !== undefined && nameableTenant.safeParse(header).success
    ? { tenantId: header }
    : {}
}

/** An impersonator may not change the team itself, its members, or what gives access to it. */
function refuseImpersonation(endpoint: Endpoint): void {
  if (endpoint.underImpersonation === 'refused')
    throw forbidden('This cannot be done in another tenant’s name.', 'impersonation_refused')
}
