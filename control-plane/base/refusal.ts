import type { EntityManager } from '@mikro-orm/postgresql'
import type { Feature } from '#contract/plans.ts'
import type { Text } from '#contract/sentence.ts'
import type { Context, SideEffects } from '#control-plane/base/side-effects.ts'

export type FieldErrors = Record<string, Text[]>

interface More {
  errors?: FieldErrors
  headers?: Record<string, string>
  /** An SVG that is shown in place of the body. */
  picture?: string
  /** Further members of the body. */
  details?: Record<string, string | number>
  /** What is left behind although the request was declined, in a transaction of its own. */
  leaves?: (em: EntityManager, sideEffects: SideEffects, context: Context) => Promise<void>
}

/** A request we understood and declined. Anything else that is thrown is our fault: a 500. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly text: Text
  readonly errors: FieldErrors | undefined
  readonly headers: Record<string, string>
  readonly details: Record<string, string | number>
  readonly picture: string | undefined
  readonly leaves: More['leaves']

  constructor(
    status: number,
    code: string,
    text: Text,
    { errors, headers = {}, details = {}, picture, leaves }: More = {},
  ) {
    super(String(text))
    this.text = text
    this.status = status
    this.code = code
    this.errors = errors
    this.headers = headers
    this.details = details
    this.picture = picture
    this.leaves = leaves
  }

  toJSON() {
    return { message: this.message, ...(this.errors && { errors: this.errors }), code: this.code, ...this.details }
  }
}

/** Fields that one answer names: a body with 30,000 wrong values would be answered by megabytes. */
export const fieldsAtMost = 100

function firstOf(errors: FieldErrors): FieldErrors {
  const entries = Object.entries(errors)
  return entries.length > fieldsAtMost ? Object.fromEntries(entries.slice(0, fieldsAtMost)) : errors
}

/** What a 401 asks for (RFC 9110), and why the token that was sent is none (RFC 6750). */
export const challenge = (error?: 'invalid_request' | 'invalid_token') => ({
  'WWW-Authenticate': `Bearer realm="api"${error === undefined ? '' : `, error="${error}"`}`,
})
export const unauthenticated = () =>
  new Refusal(401, 'unauthenticated', 'Unauthenticated.', { headers: challenge('invalid_token') })
export const forbidden = (why: Text, code = 'forbidden') => new Refusal(403, code, why)
export const suspended = () =>
  forbidden('This team is suspended. Contact the operator of this service.', 'tenant_suspended')
/**
 * What the plan does not include is refused alike everywhere: 403 with the feature and the plan. A limit that is
 * reached is not this: it is 422, as fewer of the same thing would be allowed. `field`: what of the request asked for
 * it.
 */
export function notInPlan(feature: Feature, plan: string, why: Text, field?: string): Refusal {
  return new Refusal(403, 'not_in_plan', why, {
    details: { quota: feature, plan },
    ...(field && { errors: { [field]: [why] } }),
  })
}
export const notFound = (what: string) => new Refusal(404, 'not_found', `${what} not found.`)
export const invalid = (errors: FieldErrors, code = 'invalid') =>
  new Refusal(422, code, 'The given data was invalid.', { errors: firstOf(errors) })
export const malformed = (why: Text) => new Refusal(400, 'malformed', why)
export const tooLarge = () => new Refusal(413, 'too_large', 'The request body is too large.')
export const unavailable = (why: Text, retryAfterS = 1) =>
  new Refusal(503, 'unavailable', why, { headers: { 'Retry-After': String(retryAfterS) } })
export const overloaded = () =>
  new Refusal(503, 'overloaded', 'This could not be done in time. Send it again.', { headers: { 'Retry-After': '1' } })
/** Too many of a few that are worked on at a time: of this tenant, or of all. */
export const busy = ({ isOwn, retryAfterS = 5 }: { isOwn: boolean; retryAfterS?: number }) =>
  isOwn
    ? new Refusal(429, 'rate_limited', 'Too many requests of this kind are in work for this team. Send it again.', {
        headers: { 'Retry-After': String(retryAfterS) },
      })
    : new Refusal(503, 'overloaded', 'Too many requests of this kind are in work. Send it again.', {
        headers: { 'Retry-After': String(retryAfterS) },
      })
export const secretUnreadable = () =>
  new Refusal(
    503,
    'secret_unreadable',
    'A stored secret cannot be decrypted at the moment. Set it again, or contact the operator.',
  )
