import type { Context } from 'koa'
import type { Endpoint } from './endpoint.ts'
import { routesOf } from './route.ts'
import { admit } from './stages/access.ts'
import type { Mounting, ParsedRequest } from './stages/exchange.ts'
import { handle } from './stages/handle.ts'
import { checkParams, parseWith } from './stages/parse.ts'
import { Handling } from './unknown-fields.ts'

interface Given {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
}

/**
 * Calls an endpoint in the name of a request that a page of ours answers: with the same access, rate, validation,
 * transaction and audit as a request to it. Returns the body of its reply, which is `Reply` by its schema; throws what
 * it refuses. Headers that it sets are added to `context.state.responseHeaders`.
 */
export async function callEndpoint<Reply>(
  mounting: Mounting,
  context: Context,
  called: Endpoint,
  { params = {}, query, body }: Given = {},
): Promise<Reply> {
  const [route] = routesOf(called)
  if (!route) throw new Error(`${called.path} has no route.`)
  const { services } = mounting
  const exchange = { context, mounting, route, params, reader: undefined, now: services.clock.now() }
  checkParams(exchange)
  const request: ParsedRequest = {
    ...exchange,
    ...(await admit(exchange)),
    query: called.query && parseWith(called.query, query ?? {}),
    body: called.body && parseWith(called.body, body ?? {}),
    json: body,
    rawBody: { content: Buffer.alloc(0), type: '', encoding: null, proto: null, signature: null },
    idempotencyKey: undefined,
    handling: new Handling([], undefined),
  }
  if (called.validate) await called.validate({ ...request, services } as never)
  const { parsed } = await handle(request)
  return parsed as Reply
}
