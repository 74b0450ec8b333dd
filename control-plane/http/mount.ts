import { hash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Context, Middleware } from 'koa'
import { z } from 'zod'
import { anonymous, type Caller, type TenantContext } from '#control-plane/base/caller.ts'
import {
  type FieldErrors,
  fieldsAtMost,
  forbidden,
  invalid,
  malformed,
  notFound,
  Refusal,
  unauthenticated,
} from '#control-plane/base/refusal.ts'
import { encryptMail } from '#control-plane/outbox/mail.ts'
import type { AccessLookup, NamedTenant } from './access/keys.ts'
import { enterManagedTeam, enterReseller } from './access/reseller.ts'
import { checkTenantScope, enterTenant, mayNameTenant, nameableTenant } from './access/tenant.ts'
import { bearerOf } from './bearer.ts'
import { readBytes, readJson } from './body.ts'
import { corsHeaders, isOpenToPages, preflightHeaders } from './cors.ts'
import type { Endpoint, RateClass, RawBody, RequestContext, ServerContext } from './endpoint.ts'
import { versionedEtagOf } from './etag.ts'
import { guard } from './guard-headers.ts'
import { Handling } from './handling.ts'
import { type Claim, claimOrReplay, fingerprintOf, keepAnswer, mayRepeat, readIdempotencyKey } from './idempotency.ts'
import { lockPrecondition } from './precondition.ts'
import { type Counted, rateKeyOfIp, rateLimits, tooMany } from './rate.ts'
import { type Found, Routes } from './routes.ts'
import { type Answer, send } from './send.ts'
import './language/sentences.ts'
import { SideEffects } from '#control-plane/base/side-effects.ts'
import { mailPayload, unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import type { Services } from './services.ts'
import { unknownTokenSendersOf } from './strangers.ts'
import { unknownFields } from './unknown-fields.ts'

export interface Mounting {
  em: EntityManager
  keys: AccessLookup
  services: Services
}

/** One way in: a route, the door that guards it, and the endpoint behind. */
export interface Route {
  method: string
  path: string
  guard: 'public' | 'server-agent' | 'session' | 'super-admin' | 'tenant' | 'reseller' | 'managed-team'
  endpoint: Endpoint
}

const teamPrefix = '/reseller/managed-teams/{managed_team}'

/** Every way into an endpoint. One with both scopes has two. */
export function routesOfEndpoint(endpoint: Endpoint): Route[] {
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

interface Target {
  door: Route
  reader: Endpoint | undefined
}

export function routesOf(endpoints: readonly Endpoint[]): Routes<Target> {
  const routes = new Routes<Target>()
  const doors = endpoints.flatMap(routesOfEndpoint)
  for (const door of doors) routes.add(door.method, door.path, { door, reader: readerOf(door, doors) })
  return routes
}

/** Leads each request to its endpoint. What has another method than those a path knows is told which. */
export function mount(endpoints: readonly Endpoint[], mounting: Mounting): Middleware {
  const routes = routesOf(endpoints)
  const place = { ...mounting, origin: new URL(mounting.services.config.baseUrl).origin }
  return (context, next) => {
    const found = routes.find(context.method === 'HEAD' ? 'GET' : context.method, context.path)
    if (found) return serve(context, found, place)
    guard(context)
    const methods = routes.methods(context.path)
    if (methods.length === 0) return next()
    context.set('Allow', [...(methods.includes('GET') ? ['HEAD'] : []), ...methods].join(', '))
    if (context.method !== 'OPTIONS') throw new Refusal(405, 'method_not_allowed', 'This method is not allowed here.')
    const doors = methods.flatMap(method => routes.find(method, context.path)?.target.door ?? [])
    const open = doors.filter(isOpenToPages).map(({ method }) => method)
    context.set(preflightHeaders(mounting.services.config.corsOrigins, context.req.headers.origin, open))
    if (doors.some(({ endpoint }) => endpoint.returns.headers['Access-Control-Allow-Origin'] !== undefined))
      context.set({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': methods.join(', '),
        'Access-Control-Allow-Headers': 'Content-Type',
      })
    context.status = 200
    context.body = ''
  }
}

/** The GET of the same path, for a door that changes what it shows: that is what `If-Match` is held against. */
export const readerOf = ({ method, path }: Route, doors: readonly Route[]): Endpoint | undefined =>
  method === 'PATCH' || method === 'PUT' || method === 'DELETE'
    ? doors.find(
        other => other.method === 'GET' && other.path === path && other.endpoint.returns.type === 'application/json',
      )?.endpoint
    : undefined

const uuid = z.uuid()
/** Bytes of a body, unless an endpoint says otherwise. */
const bodyBytes = { stranger: 16_384, caller: 262_144 }
const nothingGiven: RawBody = { content: Buffer.alloc(0), type: '', encoding: null }
const noServer: ServerContext = { monitorId: '', tokenId: '' }

async function serve(
  context: Context,
  { target, params }: Found<Target>,
  mounting: Mounting & { origin: string },
): Promise<void> {
  const { door, reader } = target
  const { endpoint } = door
  const { services } = mounting
  context.state.route = door.path
  if (isOpenToPages(door))
    context.state.told.push(...corsHeaders(services.config.corsOrigins, context.req.headers.origin, endpoint))
  const now = services.clock.now()
  const entered = await enter(context, door, params, mounting)
  if (entered.tenant.id && door.guard !== 'server-agent') services.usage.countRequest(entered.tenant.id, now)
  for (const [name, value] of Object.entries(params))
    if (!(endpoint.named?.[name] ?? uuid).safeParse(value).success) throw notFound(nounOf(name))

  const handling = new Handling(context.state.told, context.req.headers.prefer)
  const query = parseQuery(context, endpoint, handling)
  const key = mayRepeat(endpoint) ? readIdempotencyKey(context.req.headers['idempotency-key']) : undefined
  const given = endpoint.body
    ? await readJson(context.req, endpoint.bodyLimit ?? bodyBytes[door.guard === 'public' ? 'stranger' : 'caller'])
    : undefined
  const body = endpoint.body ? parseBody(endpoint.body, given, handling) : undefined
  const bytes = endpoint.accepts
    ? await readBytes(context.req, Object.keys(endpoint.accepts.types), endpoint.accepts.limit)
    : nothingGiven
  if (endpoint.vet) await endpoint.vet({ params, query, body, services } as never)

  const facts = (em: EntityManager, sideEffects: SideEffects): RequestContext => ({
    params,
    query,
    body,
    rawBody: bytes,
    server: entered.server ?? noServer,
    em,
    now,
    services,
    tenant: entered.tenant,
    caller: entered.caller,
    url: mounting.origin + context.path + context.search,
    ip: context.state.ip,
    userAgent: context.req.headers['user-agent'] ?? '',
    requestId: context.state.requestId,
    emit: (name, payload, whose = 'tenant') => {
      sideEffects.outbox.push({ whose, kind: 'event', name, payload })
    },
    mail: (type, recipient, data, whose = 'tenant') => {
      sideEffects.outbox.push({
        whose,
        kind: 'mail',
        name: type,
        payload: mailPayload(recipient, encryptMail(services.config, type, data)),
      })
    },
    start: (name, id, input) => {
      sideEffects.outbox.push({ whose: 'tenant', kind: 'workflow', name, payload: { id, input } })
    },
    signal: (id, signal) => {
      sideEffects.outbox.push({ whose: 'tenant', kind: 'signal', name: signal, payload: { id, signal } })
    },
    audit: (action, entity, changes, whose = 'tenant') => {
      sideEffects.audits.push({ whose, action, type: entity.type, id: entity.id ?? null, changes })
    },
    afterCommit: task => {
      sideEffects.tasks.push(task)
    },
    setHeader: (header, value) => {
      context.state.told.push(header, value)
    },
    ignore: fields => handling.ignoreFields(fields),
  })
  const handle = async (em: EntityManager, sideEffects: SideEffects): Promise<Answer> =>
    render(endpoint, await endpoint.handle(facts(em, sideEffects) as never))
  if (endpoint.detached) return send(context, endpoint, await handle(mounting.em, new SideEffects()), bytes.type)

  const unit = {
    tenantId: entered.tenant.id || null,
    resellerId: entered.resellerId,
    caller: entered.caller,
    ip: context.state.ip,
    requestId: context.state.requestId,
    now,
    isReading: endpoint.reads ?? door.method === 'GET',
  }
  const guarded = async (em: EntityManager, sideEffects: SideEffects): Promise<Answer> => {
    if (reader) {
      const { managed_team: _, ...ids } = params
      await lockPrecondition(em, {
        record: JSON.stringify([unit.tenantId, endpoint.path, ids]),
        ifMatch: context.req.headers['if-match'],
        async currentEtag() {
          const seen = {
            ...facts(em, new SideEffects()),
            query: reader.query && parse(reader.query, {}),
            body: undefined,
          }
          const { text, parsed } = render(reader, await reader.handle(seen as never))
          return versionedEtagOf(text, parsed)
        },
      })
    }
    return handle(em, sideEffects)
  }
  if (key === undefined) return send(context, endpoint, await unitOfWork(mounting.em, unit, guarded))

  const { id: tenantId } = entered.tenant
  const { tokenId } = entered.caller
  const claim: Claim = {
    tenantId,
    tokenId,
    key,
    fingerprint: fingerprintOf({ method: door.method, url: context.originalUrl, tenantId, tokenId, body: given }),
  }
  const once = async (em: EntityManager, sideEffects: SideEffects): Promise<Answer> => {
    const known = await claimOrReplay(em, services.config, claim)
    if (known !== null) {
      context.state.told.push('Idempotency-Replayed', 'true')
      return { text: known, parsed: undefined }
    }
    const answer = await guarded(em, sideEffects)
    await keepAnswer(em, services.config, claim, endpoint.returns.status, answer.text)
    return answer
  }
  send(context, endpoint, await unitOfWork(mounting.em, unit, once))
}

/** Answers that are always the same, written once. */
const constants = new WeakMap<object, Answer>()

/** Only what the endpoint declares leaves. */
function render(endpoint: Endpoint, result: unknown): Answer {
  if (!endpoint.detached || typeof result !== 'object' || result === null || !Object.isFrozen(result))
    return write(endpoint, result)
  const known = constants.get(result)
  if (known) return known
  const answer = write(endpoint, result)
  constants.set(result, { ...answer, etag: versionedEtagOf(answer.text, answer.parsed) })
  return answer
}

function write({ returns }: Endpoint, result: unknown): Answer {
  if (returns.status === 204) return { text: '', parsed: undefined }
  const parsed = returns.schema.parse(result)
  return { text: returns.type === 'application/json' ? JSON.stringify(parsed) : String(parsed), parsed }
}

interface Entered {
  caller: Caller
  tenant: TenantContext
  resellerId: string | null
  server?: ServerContext
}

async function enter(
  context: Context,
  door: Route,
  params: Record<string, string>,
  { keys, services }: Mounting,
): Promise<Entered> {
  const { endpoint } = door
  const ipKey = `ip:${rateKeyOfIp(context.state.ip)}`
  const tell = (rateClass: RateClass, counted: Counted) => {
    context.state.told.push(
      'X-RateLimit-Limit',
      String(counted.limit),
      'X-RateLimit-Remaining',
      String(counted.remaining),
    )
    if (!counted.isRefused) return
    services.metrics.rateRefusals.inc({ class: rateClass })
    throw tooMany(counted)
  }
  const count = (rateClass: RateClass, key: string) => {
    const asked = services.rate.count(`${rateClass}:${key}`, rateLimits[rateClass], services.clock.nowMs())
    return asked instanceof Promise ? asked.then(counted => tell(rateClass, counted)) : tell(rateClass, asked)
  }
  /** All tokens of a tenant together. Who stands in for another tenant is counted where they come from. */
  const countTenant = async ({ tenant, impersonator }: Caller) => {
    const counted = await services.rate.count(
      `tenant-total:${impersonator?.tenantId ?? tenant.id}`,
      services.config.tenantRate,
      services.clock.nowMs(),
    )
    if (!counted.isRefused) return
    services.metrics.rateRefusals.inc({ class: 'tenant-total' })
    throw tooMany(counted)
  }
  if (door.guard === 'public') {
    await count(endpoint.rate ?? 'public', ipKey)
    return { caller: anonymous, tenant: anonymous.tenant, resellerId: null }
  }

  const strangers = unknownTokenSendersOf(services)
  /** Whoever has used up the attempts that may fail is refused before the database is asked. */
  const refuseStrangers = (name: string) => {
    const now = services.clock.nowMs()
    if (!strangers.isRefused(name, context.state.ip, now)) return
    const retryAfterS = strangers.retryAfterS(context.state.ip, now)
    tell('public', { limit: rateLimits.public, remaining: 0, retryAfterS, isRefused: true })
  }
  const countFailure = async () => {
    const now = services.clock.nowMs()
    const counted = await services.rate.count(`public:${ipKey}`, rateLimits.public, now)
    if (counted.isRefused) strangers.refuse(context.state.ip, now + counted.retryAfterS * 1_000)
    tell('public', counted)
  }

  /** Whoever is not let in is counted by their address. */
  const counted = async <Known>(letIn: () => Promise<Known>): Promise<Known> => {
    try {
      return await letIn()
    } catch (error) {
      if (error instanceof Refusal && (error.status === 401 || error.status === 403)) await countFailure()
      throw error
    }
  }

  const { authorization } = context.req.headers
  if (door.guard === 'server-agent') {
    const known = await counted(async () => {
      const bearer = bearerOf(authorization)
      const name = hash('sha256', bearer, 'base64url')
      refuseStrangers(name)
      const server = await keys.server(bearer)
      if (!server) throw unauthenticated()
      strangers.welcome(name)
      return server
    })
    await count(endpoint.rate ?? 'server-agent', `server:${known.tokenId}`)
    return {
      caller: anonymous,
      tenant: known.tenant,
      resellerId: null,
      server: { monitorId: known.monitorId, tokenId: known.tokenId },
    }
  }
  const header = context.req.headers['x-tenant-id'] as string | undefined
  const recognised = await counted(() =>
    keys.authenticate(bearerOf(authorization), context.state.ip, namedBy(door, params, header), () =>
      refuseStrangers(''),
    ),
  )
  const { caller } = recognised
  context.state.caller = caller
  const { access } = endpoint

  if (door.guard === 'reseller' || door.guard === 'managed-team') {
    await count(endpoint.rate ?? 'reseller', `token:${caller.tokenId}`)
    await countTenant(caller)
    if (typeof access === 'string' || !access.reseller) throw forbidden('This endpoint is not for resellers.')
    enterReseller(caller, access.reseller)
    const tenant =
      door.guard === 'managed-team'
        ? await enterManagedTeam(keys, recognised, params.managed_team ?? '')
        : caller.tenant
    return { caller, tenant, resellerId: caller.tenant.id }
  }

  // counted before the header is heeded, so that guessing tenants is bounded too
  const isContext = header !== undefined && mayNameTenant(caller)
  await count(endpoint.rate ?? (isContext ? 'tenant-context' : 'tenant'), `token:${caller.tokenId}`)
  await countTenant(caller)
  if (caller.impersonator) refuseImpersonation(endpoint)
  if (door.guard === 'session')
    return { caller, tenant: caller.tenant, resellerId: caller.tenant.isReseller ? caller.tenant.id : null }
  if (door.guard === 'super-admin') {
    if (!caller.user?.isSuperAdmin || caller.kind !== 'ss') throw forbidden('Only the operator may do this.')
    return { caller, tenant: caller.tenant, resellerId: null }
  }
  if (typeof access === 'string' || !access.tenant) throw forbidden('Nobody may do this.')
  const { tenant, isNamed } = await enterTenant(keys, recognised, header)
  if (isNamed && tenant.id !== caller.tenant.id) refuseImpersonation(endpoint)
  checkTenantScope(caller, { tenant: access.tenant, ...(access.reseller && { reseller: access.reseller }) })
  return { caller, tenant, resellerId: caller.tenant.isReseller ? caller.tenant.id : null }
}

/** What the database is asked for together with the token. */
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

/** Whoever stands in for a team may not change the team itself, its people, or what gives access to it. */
function refuseImpersonation(endpoint: Endpoint): void {
  if (endpoint.underImpersonation === 'refused')
    throw forbidden('This cannot be done in another tenant’s name.', 'impersonation_refused')
}

const nounOf = (param: string) => {
  const text = param.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function parseQuery(context: Context, endpoint: Endpoint, handling: Handling): unknown {
  if (!endpoint.query && !context.querystring) return undefined
  if (!isDecodable(context.querystring)) throw malformed('The query is not UTF-8.')
  const given = context.query
  const shape = endpoint.query instanceof z.ZodObject ? endpoint.query.shape : {}
  handling.ignoreParameters(Object.keys(given).filter(name => !(name in shape)))
  if (!endpoint.query) return undefined
  const errors: FieldErrors = {}
  for (const [name, value] of Object.entries(given))
    if (name in shape && (Array.isArray(value) || value?.includes('\0')))
      errors[name] = ['Give this parameter once, as plain text.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return parse(endpoint.query, given)
}

/** Whether a query is UTF-8 once its percent signs are undone. One that stands for itself is text. */
function isDecodable(querystring: string): boolean {
  try {
    decodeURIComponent(querystring.replace(/%(?![\da-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}

function parseBody(schema: z.ZodType, given: unknown, handling: Handling): unknown {
  const parsed = schema.safeParse(given ?? {})
  const errors = parsed.success ? {} : fieldErrors(parsed.error)
  handling.ignoreFields(unknownFields(schema, given), errors)
  if (!parsed.success) throw invalid(errors)
  return parsed.data
}

function parse(schema: z.ZodType, given: unknown): unknown {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw invalid(fieldErrors(parsed.error))
}

/** zod's issues as the spec's `errors`: dotted paths, one list of sentences each. No more of them than an answer names. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors = new Map<string, string[]>()
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    for (const name of names) {
      if (errors.size >= fieldsAtMost) return Object.fromEntries(errors)
      const path = [...issue.path, ...(name === undefined ? [] : [name])].map(String).join('.') || 'body'
      const reasons = errors.get(path) ?? []
      reasons.push(name === undefined ? issue.message : 'Is not known here.')
      errors.set(path, reasons)
    }
  }
  return Object.fromEntries(errors)
}
