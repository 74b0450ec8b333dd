import { RunFailure, type RunPhase } from '#contract/check.ts'
import { hasNoNetwork } from './interfaces.ts'

interface Coded {
  code: string
}

/**
 * The fault that an error means, whatever threw it. Own are only those faults that the machine itself proves: no more
 * sockets or memory, no network. Every other error counts as the target's, an unknown one as `unexpected`, which agents
 * count by cause. The message never contains the error's own text, which would reveal our addresses and ports.
 */
export function failureOf(error: unknown, phase: RunPhase = 'request'): RunFailure {
  if (error instanceof RunFailure) return error
  if (isShortage(error)) return new RunFailure('overloaded', phase, 'The agent is short of sockets or memory.')
  const code = codeOf(error)
  if (code !== undefined && /^EAI_/.test(code)) return dnsFailure(code)
  switch (code) {
    case 'ENOTFOUND':
    case 'ENODATA':
    case 'ETIMEOUT':
    case 'ECANCELLED':
    case 'ESERVFAIL':
    case 'EREFUSED':
    case 'EFORMERR':
    case 'ENOTIMP':
    case 'EBADRESP':
    case 'EBADNAME':
      return dnsFailure(code)
    case 'ECONNREFUSED':
      return new RunFailure('refused', phase, 'The connection was refused.')
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
    case 'ENOTCONN':
      return new RunFailure('reset', phase, 'The connection was reset.')
    case 'ETIMEDOUT':
    case 'ABORT_ERR':
      return new RunFailure('timeout', phase, 'The connection timed out.')
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
    case 'ENETDOWN':
    case 'ENONET':
    case 'EAFNOSUPPORT':
    case 'EACCES':
    case 'EPERM':
    case 'EINVAL':
      return hasNoNetwork()
        ? new RunFailure('internal', phase, 'This region has no network.')
        : new RunFailure('unreachable', phase, 'There is no route to the target.')
  }
  if (code !== undefined && (isTlsCode.test(code) || Object.hasOwn(tlsReasons, code)))
    return new RunFailure(
      'tls_failed',
      'tls',
      tlsReasons[code] ?? `The TLS ${phase === 'tls' ? 'handshake' : 'connection'} failed (${shown(code)}).`,
    )
  if (code !== undefined && isTrustCode.test(code))
    return new RunFailure('tls_failed', 'tls', `The certificate is not trusted (${shown(code)}).`)
  if (phase === 'tls')
    return new RunFailure('tls_failed', 'tls', `The TLS handshake failed (${causeOf(error)}).`, { cause: error })
  return new RunFailure(
    'unexpected',
    phase,
    phase === 'request'
      ? `The check failed unexpectedly (${causeOf(error)}).`
      : `The connection failed unexpectedly (${causeOf(error)}).`,
    { cause: error },
  )
}

/**
 * The fault that an error of the resolver means: a resolver of this region that cannot be asked is the agent's,
 * anything else the name's.
 */
export function dnsFailure(code: string | undefined): RunFailure {
  if (isShortage({ code })) return new RunFailure('overloaded', 'dns', 'The agent is short of sockets or memory.')
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_NONAME':
    case 'EBADNAME':
      return new RunFailure('dns_not_found', 'dns', 'The name does not exist.')
    case 'ENODATA':
    case 'EAI_NODATA':
      return new RunFailure('dns_not_found', 'dns', 'The name has no address.')
    case 'ETIMEOUT':
    case 'ECANCELLED':
      return new RunFailure('dns_timeout', 'dns', 'The name was not resolved in time.')
    case 'ECONNREFUSED':
    case 'EADDRGETNETWORKPARAMS':
    case 'EDESTRUCTION':
    case 'EFILE':
    case 'ELOADIPHLPAPI':
    case 'ENOTINITIALIZED':
      return new RunFailure('resolver_unavailable', 'dns', 'The resolver of this region cannot be asked.')
    default:
      return new RunFailure('dns_failed', 'dns', 'The name servers of this name failed to answer.')
  }
}

/** The fault that an error of a socket means. */
export const connectFailure = (error: unknown, phase: RunPhase = 'connect'): RunFailure => failureOf(error, phase)

/** The fault that an error of the TLS handshake, or a code of an untrusted certificate, means. */
export const tlsFailure = (error: NodeJS.ErrnoException | Coded): RunFailure => failureOf(error, 'tls')

const shortages = new Set([
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EAI_MEMORY',
  'OUT_OF_MEM',
  'Z_MEM_ERROR',
  'ZSTD_error_memory_allocation',
  'ERR_MEMORY_ALLOCATION_FAILED',
])

/** Whether an error says that this machine has no more sockets or memory. */
export function isShortage(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return error instanceof RangeError && /allocation failed/i.test(error.message)
  return shortages.has(code) || /_MALLOC_FAILURE$|_ERROR_ALLOC_/.test(code)
}

/** What an unexpected error is counted as: its code, else the name of its class. */
export function causeOf(error: unknown): string {
  const code = codeOf(error)
  if (code !== undefined) return shown(code)
  return error instanceof Error ? shown(error.name) : typeof error
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (typeof code === 'string' && code !== '') return code
  // an abort is a DOMException, whose code is a number
  const name: unknown = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined
  return name === 'AbortError' || name === 'TimeoutError' ? 'ABORT_ERR' : undefined
}

const shown = (code: string) => (/^\w{1,60}$/.test(code) ? code : 'unknown')

/** Errors of OpenSSL and of Node's TLS. */
const isTlsCode = /^(?:ERR_(?:SSL|TLS|OSSL)_|EPROTO$)/
/** Reasons of OpenSSL why a certificate is not trusted. */
const isTrustCode =
  /^(?:CERT_|CRL_|UNABLE_TO_|ERROR_IN_|INVALID_(?:CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|UNSPECIFIED)/

const tlsReasons: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  CERT_REVOKED: 'The certificate is revoked.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate chain ends in an authority that is not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate chain is incomplete or not trusted.',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate chain is incomplete or not trusted.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate chain is incomplete or not trusted.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is not made for this host.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The target does not speak TLS.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'The target does not speak TLS.',
  ERR_SSL_HTTP_REQUEST: 'The target does not speak TLS.',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'The target speaks no TLS version of today.',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'The target speaks no TLS version of today.',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'The target demands a certificate of its client.',
}
