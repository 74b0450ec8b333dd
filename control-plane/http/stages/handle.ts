import type { EntityManager } from '@mikro-orm/postgresql'
import type { SideEffects } from '#control-plane/base/side-effects.ts'
import type { RequestContext, ServerContext } from '#control-plane/http/endpoint.ts'
import { encryptMail } from '#control-plane/outbox/mail.ts'
import { mailPayload } from '#control-plane/outbox/unit-of-work.ts'
import type { ParsedRequest } from './exchange.ts'
import { type Answer, render } from './render.ts'

const noServer: ServerContext = { monitorId: '', tokenId: '' }

export async function handle(request: ParsedRequest, em: EntityManager, sideEffects: SideEffects): Promise<Answer> {
  const { endpoint } = request.route
  return render(endpoint, await endpoint.handle(requestContext(request, em, sideEffects) as never))
}

/**
 * What a handler receives. What it emits, mails and audits is kept in `sideEffects` until the transaction writes it.
 */
export function requestContext(request: ParsedRequest, em: EntityManager, sideEffects: SideEffects): RequestContext {
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
