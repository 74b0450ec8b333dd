import { RunFailure, type RunPhase } from '#contract/check.ts'

interface Coded {
  code: string
}

/**
 * The fault that an error of a socket means. Its message never contains the error's own text, which would reveal our
 * addresses and ports.
 */
export function connectFailure(error: NodeJS.ErrnoException | Coded, phase: RunPhase = 'connect'): RunFailure {
  switch (error.code) {
    case 'ECONNREFUSED':
      return new RunFailure('refused', phase, 'The connection was refused.')
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
      return new RunFailure('reset', phase, 'The connection was reset.')
    case 'ETIMEDOUT':
      return new RunFailure('timeout', phase, 'The connection timed out.')
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
    case 'ENETDOWN':
    case 'EACCES':
    case 'EPERM':
    case 'EINVAL':
      return new RunFailure('unreachable', phase, 'There is no route to the target.')
    case 'EADDRNOTAVAIL':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOBUFS':
    case 'ENOMEM':
      return new RunFailure('overloaded', phase, 'The agent is short of sockets or memory.')
    default:
      return new RunFailure('internal', phase, 'The connection failed for a reason of our own.')
  }
}

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
}

/** The fault that an error of the TLS handshake, or a code of an untrusted certificate, means. */
export function tlsFailure(error: NodeJS.ErrnoException | Coded): RunFailure {
  const { code = 'unknown' } = error
  const isSocketError = !code.includes('_') && code !== 'EPROTO'
  if (isSocketError) return connectFailure(error, 'tls')
  return new RunFailure('tls_failed', 'tls', tlsReasons[code] ?? `The TLS handshake failed (${code}).`)
}
