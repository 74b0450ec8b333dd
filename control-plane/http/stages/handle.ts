import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { Refusal } from '#control-plane/base/refusal.ts'
import { SideEffects } from '#control-plane/base/side-effects.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { RequestContext, ServerContext } from '#control-plane/http/endpoint.ts'
import { isCurrent, versionedEtagOf } from '#control-plane/http/etag.ts'
import { type Claim, claimOrReplay, fingerprintOf, storeAnswer } from '#control-plane/http/idempotency.ts'
import { encryptMail } from '#control-plane/outbox/mail.ts'
import { mailPayload, unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import type { ParsedRequest } from './exchange.ts'
import { parseWith } from './parse.ts'
import { type Answer, render } from './render.ts'

const noServer: ServerContext = { monitorId: '', tokenId: '' }

/** Calls the handler: in a transaction, unless its endpoint does without. */
export const handle = (request: ParsedRequest): Promise<Answer> =>
  request.route.endpoint.detached ? call(request, request.mounting.em, new SideEffects()) : transact(request)

async function call(request: ParsedRequest, em: EntityManager, sideEffects: SideEffects): Promise<Answer> {
  const { endpoint } = request.route
  return render(endpoint, await endpoint.handle(requestContext(request, em, sideEffects) as never))
}

type Work = (em: EntityManager, sideEffects: SideEffects) => Promise<Answer>

/** Handles the request in a transaction of its own, bound to its tenant by row security. */
function transact(request: ParsedRequest): Promise<Answer> {
  const { context, mounting, route, tenant, resellerId, caller, now, idempotencyKey } = request
  const unit = {
    tenantId: tenant.id || null,
    resellerId,
    caller,
    ip: context.state.ip,
    requestId: context.state.requestId,
    now,
    isReading: route.endpoint.reads ?? route.method === 'GET',
  }
  const guarded: Work = async (em, sideEffects) => {
    await checkPrecondition(request, em)
    return call(request, em, sideEffects)
  }
  const work: Work =
    idempotencyKey === undefined
      ? guarded
      : (em, sideEffects) => answerOnce(request, idempotencyKey, em, () => guarded(em, sideEffects))
  return unitOfWork(mounting.em, unit, work)
}

/**
 * `If-Match`: 412 unless the caller has read what the GET of the same path would answer now. A request with the header
 * locks the record exclusively until its transaction ends; requests without it take a shared lock.
 */
async function checkPrecondition(request: ParsedRequest, em: EntityManager): Promise<void> {
  const { context, reader, route, params, tenant } = request
  if (!reader) return
  const { managed_team: _, ...ids } = params
  // named by its tenant and path, whatever route led to it
  const record = JSON.stringify([tenant.id || null, route.endpoint.path, ids])
  const ifMatch = context.req.headers['if-match']
  const lock = sql.ref(ifMatch === undefined ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await rows(em)`select ${lock}(hashtextextended(${record}, 412))`
  if (ifMatch === undefined) return
  const query = reader.query && parseWith(reader.query, {})
  const seen = { ...requestContext(request, em, new SideEffects()), query, body: undefined }
  const { text, parsed } = render(reader, await reader.handle(seen as never))
  if (isCurrent(ifMatch, versionedEtagOf(text, parsed))) return
  throw new Refusal(
    412,
    'changed_meanwhile',
    'This has been changed since you read it. Read it again before you change it.',
  )
}

/** Does the work once for each idempotency key. The same call again gets the first answer. */
async function answerOnce(
  { context, mounting, route, tenant, caller, json }: ParsedRequest,
  key: string,
  em: EntityManager,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { config } = mounting.services
  const { tokenId } = caller
  const call = { method: route.method, url: context.originalUrl, tenantId: tenant.id, tokenId, body: json }
  const claim: Claim = { tenantId: tenant.id, tokenId, key, fingerprint: fingerprintOf(call) }
  const known = await claimOrReplay(em, config, claim)
  if (known !== null) {
    context.state.responseHeaders.push('Idempotency-Replayed', 'true')
    return { text: known, parsed: undefined }
  }
  const answer = await work()
  await storeAnswer(em, config, claim, route.endpoint.returns.status, answer.text)
  return answer
}

/**
 * What a handler receives. What it emits, mails and audits is kept in `sideEffects` until the transaction writes it.
 */
function requestContext(request: ParsedRequest, em: EntityManager, sideEffects: SideEffects): RequestContext {
  const { context, mounting, params, query, body, rawBody, server, now, tenant, caller, handling } = request
  return {
    params,
    query,
    body,
    rawBody,
    server: server ?? noServer,
    em,
    now,
    services: mounting.services,
    tenant,
    caller,
    get url() {
      return mounting.originAt(context.host) + context.path + context.search
    },
    host: context.req.headers.host ?? '',
    ip: context.state.ip,
    userAgent: context.req.headers['user-agent'] ?? '',
    cookies: context.req.headers.cookie,
    requestId: context.state.requestId,
    setHeader: (header, value) => context.state.responseHeaders.push(header, value),
    setCookie: value => context.state.responseHeaders.push('Set-Cookie', value),
    ignore: fields => handling.ignoreFields(fields),
    ...writersOf(sideEffects, mounting.services.config),
  }
}

type Writers = Pick<RequestContext, 'emit' | 'mail' | 'start' | 'signal' | 'audit' | 'afterCommit'>

export const writersOf = (
  { emit, outbox, audits, tasks }: SideEffects,
  keys: Parameters<typeof encryptMail>[0],
): Writers => ({
  emit,
  mail: (type, recipient, data, whose = 'tenant') => {
    outbox.push({ whose, kind: 'mail', name: type, payload: mailPayload(recipient, encryptMail(keys, type, data)) })
  },
  start: (name, id, input) => {
    outbox.push({ whose: 'tenant', kind: 'workflow', name, payload: { id, input } })
  },
  signal: (id, signal) => {
    outbox.push({ whose: 'tenant', kind: 'signal', name: signal, payload: { id, signal } })
  },
  audit: (action, entity, changes, whose = 'tenant') => {
    audits.push({ whose, action, type: entity.type, id: entity.id ?? null, changes })
  },
  afterCommit: task => {
    tasks.push(task)
  },
})
