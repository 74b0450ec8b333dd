import type { EntityManager } from '@mikro-orm/postgresql'
import { SideEffects } from '#control-plane/base/side-effects.ts'
import { versionedEtagOf } from '#control-plane/http/etag.ts'
import { lockPrecondition } from '#control-plane/http/precondition.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import type { ParsedRequest } from './exchange.ts'
import { handle, requestContext } from './handle.ts'
import { answerOnce } from './idempotency.ts'
import { parseWith } from './parse.ts'
import { type Answer, render } from './render.ts'

type Work = (em: EntityManager, sideEffects: SideEffects) => Promise<Answer>

/** Handles the request in a transaction of its own, bound to its tenant by row security. */
export function transact(request: ParsedRequest): Promise<Answer> {
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
    return handle(request, em, sideEffects)
  }
  const work: Work =
    idempotencyKey === undefined
      ? guarded
      : (em, sideEffects) => answerOnce(request, idempotencyKey, em, () => guarded(em, sideEffects))
  return unitOfWork(mounting.em, unit, work)
}

/** `If-Match` is compared with what the GET of the same path would answer now. */
async function checkPrecondition(request: ParsedRequest, em: EntityManager): Promise<void> {
  const { context, reader, route, params, tenant } = request
  if (!reader) return
  const { managed_team: _, ...ids } = params
  await lockPrecondition(em, {
    record: JSON.stringify([tenant.id || null, route.endpoint.path, ids]),
    ifMatch: context.req.headers['if-match'],
    async currentEtag() {
      const query = reader.query && parseWith(reader.query, {})
      const seen = { ...requestContext(request, em, new SideEffects()), query, body: undefined }
      const { text, parsed } = render(reader, await reader.handle(seen as never))
      return versionedEtagOf(text, parsed)
    },
  })
}
