import type { Caller } from '#control-plane/base/caller.ts'
import { writeAnswer } from '#control-plane/http/answer.ts'
import { admit } from './access.ts'
import type { ParsedRequest } from './exchange.ts'
import { uncounted } from './rate.ts'
import { commonHeadersOf } from './render.ts'

/** Hands the response over to an endpoint that keeps it open. A HEAD gets the headers alone. */
export async function keepOpen(request: ParsedRequest, result: unknown): Promise<void> {
  const { context, mounting, route, tenant, caller } = request
  const { endpoint } = route
  const { req, res, state } = context
  const headers = [...commonHeadersOf(endpoint.returns), ...state.responseHeaders, 'Content-Type', 'text/event-stream']
  if (context.method === 'HEAD') {
    context.respond = false
    writeAnswer(req, res, { status: 200, headers })
    return
  }
  const { services } = mounting
  const readmit = async (): Promise<Caller> =>
    (await admit({ ...request, now: services.clock.now() }, uncounted)).caller
  await endpoint.stream?.(result, { request: req, response: res, headers, tenant, caller, services, readmit })
  context.respond = false
}
