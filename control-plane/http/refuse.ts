import type { IncomingMessage } from 'node:http'
import type { Context, Next } from 'koa'
import { isArchiveAway } from '#analytics/away.ts'
import { RunExceeded, RunnerBusy } from '#bounded/errors.ts'
import { isStoreBusy, isStoreUnavailable } from '#control-plane/base/away.ts'
import { busy, invalid, overloaded, Refusal, secretUnreadable, unavailable } from '#control-plane/base/refusal.ts'
import { UnreadableSecret } from '#control-plane/base/secrets.ts'
import { isTaken } from '#control-plane/db/queries.ts'
import { writeRefusal } from './answer.ts'
import { withEgressHint } from './egress-hint.ts'
import { guard, neverKept } from './headers.ts'
import { inLanguageOf } from './language/language.ts'
import { refusalCounterOf } from './refusal-counter.ts'
import { isScim, scimErrorOf, scimMedia } from './scim-error.ts'
import type { Services } from './services.ts'

/** Answers a refusal as a page, where the caller is a browser that shows it to a person; false for all others. */
export type ShowRefusal = (context: Context, refusal: Refusal) => Promise<boolean>

/**
 * Turns every error into the error body of the API, or into a page for people. An unexpected error is logged in full
 * and answered with a plain 500.
 */
export const refuse =
  (services: Services, show: ShowRefusal = async () => false) =>
  async (context: Context, next: Next): Promise<void> => {
    try {
      await next()
      if (context.body === undefined && context.status === 404)
        throw new Refusal(404, 'not_found', 'There is nothing here.')
      if (context.status === 405 || context.status === 501)
        throw new Refusal(405, 'method_not_allowed', 'This method is not allowed here.')
    } catch (error) {
      const refusal = loggedRefusalOf(error, services, context.state.requestId)
      guard(context)
      const scim = isScim(context.path) ? scimErrorOf(refusal) : undefined
      const status = scim?.status ?? refusal.status
      context.status = status
      context.set('Cache-Control', neverKept)
      context.set(refusal.headers)
      if (await show(context, refusal)) return
      const body = scim ? JSON.stringify(scim.body) : bodyOf(refusal, context, services)
      const isLast = isLastOf(refusal, context.req, services)
      context.respond = false
      writeRefusal(
        context.req,
        context.res,
        { status, headers: ['Content-Type', typeOf(refusal, scim !== undefined)], body },
        { isLast },
      )
    }
  }

const typeOf = ({ picture }: Refusal, isScim: boolean) =>
  picture === undefined ? `${isScim ? scimMedia : 'application/json'}; charset=utf-8` : 'image/svg+xml'

function bodyOf(refusal: Refusal, context: Context, services: Services): string {
  if (refusal.picture !== undefined) return refusal.picture
  const { caller, requestId } = context.state
  const errors = withEgressHint(refusal.errors, context, services)
  const body = inLanguageOf(context, refusal, errors)
  // without a token, a 404 has the same bytes each time; the id of the request is in its header
  const isIndistinct = refusal.status === 404 && !caller
  return JSON.stringify({ ...body, ...(!isIndistinct && { request_id: requestId }) })
}

/** Whether the connection must close, as its address has been refused too often. */
export const isLastOf = ({ status }: Refusal, request: IncomingMessage, services: Services): boolean =>
  status < 500 && refusalCounterOf(services).isOneTooMany(request)

export function loggedRefusalOf(error: unknown, { log }: Pick<Services, 'log'>, requestId: string): Refusal {
  const refusal = refusalOf(error)
  if (refusal.status >= 500)
    log[refusal.status === 503 ? 'warn' : 'error']({ err: error, request_id: requestId }, 'request failed')
  return refusal
}

/** Any error as the answer to its caller. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isTaken(error)) return takenField(error)
  if (isArchiveAway(error))
    return unavailable('The history is not reachable at the moment. Checks and alerts go on, and nothing is lost.')
  if (isStoreUnavailable(error)) return unavailable('A store is not reachable at the moment.')
  if (error instanceof UnreadableSecret) return secretUnreadable()
  if (isCallerGone(error)) return new Refusal(400, 'aborted', 'The request ended early.')
  if (isStoreBusy(error) || error instanceof RunExceeded) return overloaded()
  if (error instanceof RunnerBusy) return busy(error)
  const known = error as { status?: number; expose?: boolean }
  if (known.status && known.status >= 400 && known.status < 500 && known.expose)
    return new Refusal(known.status, 'refused', 'The request cannot be understood.')
  return new Refusal(500, 'server_error', 'Server error.')
}

/** PostgreSQL names the columns: `Key (tenant_id, slug)=(…) already exists.` The last one is the field. */
function takenField(error: unknown): Refusal {
  const { detail = '' } = error as { detail?: string }
  const columns =
    /Key \(([^)]+)\)=/
      .exec(detail)?.[1]
      ?.split(',')
      .map(column => column.trim().replaceAll('"', '')) ?? []
  const field = columns.filter(column => !column.endsWith('_id')).at(-1) ?? 'body'
  return invalid({ [field]: ['Is already taken.'] }, 'taken')
}

const isCallerGone = (error: unknown) => (error as Error).message === 'aborted'
