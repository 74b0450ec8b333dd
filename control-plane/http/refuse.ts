import { UniqueConstraintViolationException } from '@mikro-orm/core'
import type { Context, Next } from 'koa'
import { isStoreBusy, isStoreUnavailable } from '#control-plane/base/away.ts'
import { invalid, overloaded, Refusal, secretUnreadable, unavailable } from '#control-plane/base/refusal.ts'
import { UnreadableSecret } from '#control-plane/base/secrets.ts'
import { answerThenDrain } from './answer-then-drain.ts'
import { withEgressHint } from './egress-hint.ts'
import { guard } from './guard-headers.ts'
import { inLanguageOf } from './language/language.ts'
import { refusalCounterOf } from './refusals.ts'
import type { Services } from './services.ts'

/** Turns whatever was thrown into the spec's error body; what we did not expect is logged in full and told as a plain 500. */
export const refuse =
  (services: Services) =>
  async (context: Context, next: Next): Promise<void> => {
    try {
      await next()
      if (context.body === undefined && context.status === 404)
        throw new Refusal(404, 'not_found', 'There is nothing here.')
      if (context.status === 405 || context.status === 501)
        throw new Refusal(405, 'method_not_allowed', 'This method is not allowed here.')
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.status >= 500)
        services.log[refusal.status === 503 ? 'warn' : 'error'](
          { err: error, request_id: context.state.requestId },
          'request failed',
        )
      guard(context)
      context.status = refusal.status
      context.set(refusal.headers)
      context.type = refusal.picture === undefined ? 'application/json; charset=utf-8' : 'image/svg+xml'
      // to strangers, what does not exist has the same bytes each time; the request's id is in the header
      const isForStrangers = refusal.status === 404 && !context.state.caller
      const errors = withEgressHint(refusal.errors, context, services)
      const said = { ...refusal.toJSON(), ...(errors && { errors }) }
      const text =
        refusal.picture ??
        JSON.stringify({
          ...inLanguageOf(context, said),
          ...(!isForStrangers && { request_id: context.state.requestId }),
        })
      context.body = text
      if (refusal.status < 500 && refusalCounterOf(services).isOneTooMany(context.req))
        context.set('Connection', 'close')
      if (context.req.complete) return
      // an unread body would be taken for the next request on this connection
      context.set('Connection', 'close')
      context.body = answerThenDrain(context.req, text)
      context.length = Buffer.byteLength(text)
    }
  }

/** Whatever was thrown, as the caller is told of it. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof UniqueConstraintViolationException) return takenField(error)
  if (isStoreUnavailable(error)) return unavailable('A store is not reachable at the moment.')
  if (error instanceof UnreadableSecret) return secretUnreadable()
  if (isCallerGone(error)) return new Refusal(400, 'aborted', 'The request ended early.')
  if (isStoreBusy(error)) return overloaded()
  const known = error as { status?: number; expose?: boolean }
  if (known.status && known.status >= 400 && known.status < 500 && known.expose)
    return new Refusal(known.status, 'refused', 'The request cannot be understood.')
  return new Refusal(500, 'server_error', 'Server error.')
}

/** PostgreSQL names the columns: `Key (tenant_id, slug)=(…) already exists.` The last one is the field. */
function takenField(error: UniqueConstraintViolationException): Refusal {
  const detail = (error as unknown as { detail?: string }).detail ?? error.message
  const columns =
    /Key \(([^)]+)\)=/
      .exec(detail)?.[1]
      ?.split(',')
      .map(column => column.trim().replaceAll('"', '')) ?? []
  const field = columns.filter(column => !column.endsWith('_id')).at(-1) ?? 'body'
  return invalid({ [field]: ['Is already taken.'] }, 'taken')
}

const isCallerGone = (error: unknown) => (error as Error).message === 'aborted'
