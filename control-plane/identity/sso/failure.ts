import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { RunFailure } from '#contract/check.ts'
import { SsoFailure } from './outcome.ts'

/** An error and what caused it, from the outside in. */
function* chainOf(error: unknown): Generator<unknown> {
  for (let each = error, depth = 0; each !== undefined && depth < 8; depth++) {
    yield each
    each = each instanceof Error ? each.cause : undefined
  }
}

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

const quoted = (value: unknown): string => JSON.stringify(value)?.slice(0, 150) ?? 'nothing'

/**
 * What went wrong at a provider. Its description and its answers may have any form, so whatever its libraries throw at
 * them is its fault; an error of another kind is thrown again.
 */
export function failureOf(error: unknown): SsoFailure {
  const chain = [...chainOf(error)]
  for (const each of chain) if (each instanceof SsoFailure) return each
  for (const each of chain) if (each instanceof RunFailure) return unreachable(each)
  for (const each of chain) {
    const code = codeOf(each)
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
      return new SsoFailure('bad_answer', 'The provider’s answer is larger than 256 KB.', { cause: error })
    if (/^UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT$/.test(code) || isTimeout(each))
      return new SsoFailure('timeout', 'The provider did not answer within ten seconds.', { cause: error })
    if (/^(?:UND_ERR_|HPE_|E[A-Z]+$)/.test(code))
      return new SsoFailure('unreachable', `The connection to the provider failed (${code}).`, { cause: error })
  }
  return refusalOf(error)
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

function unreachable(failure: RunFailure): SsoFailure {
  const outcome =
    failure.code === 'blocked' ? 'blocked' : failure.code === 'timeout' ? 'timeout' : ('unreachable' as const)
  return new SsoFailure(outcome, failure.message, { cause: failure })
}

function refusalOf(error: unknown): SsoFailure {
  const options = { cause: error }
  if (error instanceof AuthorizationResponseError)
    return new SsoFailure('provider_refused', `The provider answered with the error ${quoted(error.error)}.`, options)
  if (error instanceof ResponseBodyError) {
    const isClient = error.error === 'invalid_client' || error.error === 'unauthorized_client'
    const outcome = isClient ? 'client_refused' : 'provider_refused'
    return new SsoFailure(outcome, `The provider’s token address answered ${quoted(error.error)}.`, options)
  }
  if (error instanceof WWWAuthenticateChallengeError)
    return new SsoFailure('client_refused', `The provider answered with status ${error.status}.`, options)
  if (error instanceof ClientError) return byCode(error)
  if (!isAboutForm(error)) throw error
  return new SsoFailure('bad_answer', `The provider’s description cannot be used: ${error.message}.`, options)
}

/** Addresses that are none or have another scheme, fields of another type, keys that cannot be read. */
const isAboutForm = (error: unknown): error is Error =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof SyntaxError ||
  error instanceof DOMException ||
  /^(?:OAUTH|ERR_J)/.test(codeOf(error))

function byCode(error: ClientError): SsoFailure {
  const options = { cause: error }
  const inner = error.cause instanceof Error ? error.cause.message : ''
  switch (error.code) {
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return new SsoFailure('token_invalid', claimDetail(error), options)
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return new SsoFailure('token_invalid', `${inner || 'The times of the ID token are wrong'}.`, options)
    case 'OAUTH_KEY_SELECTION_FAILED':
      return new SsoFailure('token_invalid', 'No key of the provider matches the one that signed the token.', options)
    case 'OAUTH_UNSUPPORTED_OPERATION':
      return new SsoFailure('token_invalid', 'The ID token is not signed by a key pair of the provider.', options)
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return isOf(error, 'issuer')
        ? new SsoFailure('issuer_mismatch', 'The provider calls itself by another issuer than configured.', options)
        : new SsoFailure('token_invalid', 'The provider’s answers are about different people.', options)
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
      return new SsoFailure('bad_answer', `${statusOf(error)}`, options)
    default:
      return new SsoFailure('token_invalid', inner || error.message, options)
  }
}

function isOf(error: ClientError, attribute: string): boolean {
  const cause = error.cause instanceof Error ? error.cause.cause : error.cause
  return typeof cause === 'object' && cause !== null && 'attribute' in cause && cause.attribute === attribute
}

/** The claim that is wrong; of audience and issuer both values, which are no secrets. */
function claimDetail(error: ClientError): string {
  const cause = error.cause instanceof Error ? error.cause.cause : undefined
  if (typeof cause !== 'object' || cause === null || !('claim' in cause)) return 'A claim of the ID token is wrong.'
  const { claim } = cause
  if (claim !== 'aud' && claim !== 'iss') return `The claim ${quoted(claim)} of the ID token is wrong.`
  const expected = 'expected' in cause ? cause.expected : undefined
  const claims = 'claims' in cause && typeof cause.claims === 'object' ? cause.claims : {}
  const actual = new Map(Object.entries(claims ?? {})).get(claim)
  return `The claim "${claim}" of the ID token is ${quoted(actual)}, expected: ${quoted(expected)}.`
}

function statusOf(error: ClientError): string {
  const { cause } = error
  if (cause instanceof Response && cause.status >= 300 && cause.status < 400)
    return `The provider redirects (status ${cause.status}); redirects are not followed.`
  if (cause instanceof Response && cause.status !== 200) return `The provider answered with status ${cause.status}.`
  return 'The provider’s answer is not JSON as expected.'
}
