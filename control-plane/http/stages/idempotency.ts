import type { EntityManager } from '@mikro-orm/postgresql'
import { type Claim, claimOrReplay, fingerprintOf, storeAnswer } from '#control-plane/http/idempotency.ts'
import type { ParsedRequest } from './exchange.ts'
import type { Answer } from './render.ts'

/** Does the work once for each idempotency key. The same call again gets the first answer. */
export async function answerOnce(
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
